// Diagonals, and products beyond those of two matrices.

#include <algorithm>
#include <cstdlib>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/common/composed_call.h"
#include "converter/frontend/torchscript/ops/picked_view.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

using schema::ReduceKind;

// Dimensions a and b become the last two, or the last two become a and b.
std::vector<int32_t> LastTwo(int rank, int a, int b, bool back) {
  std::vector<int32_t> order = ir::OtherAxes(rank, {a, b});
  order.insert(order.end(), {a, b});
  return back ? ir::InverseOf(order) : order;
}

ir::ValueId Reordered(OpContext& c, ir::ValueId x, const std::vector<int32_t>& order) {
  return std::is_sorted(order.begin(), order.end()) ? x : c.build.Transpose(x, order);
}

// The diagonal of dimensions a and b: it becomes the last one.
ir::ValueId DiagonalOf(OpContext& c, ir::ValueId x, int64_t offset, int a, int b) {
  const int rank = c.rank(x);
  const int64_t rows = c.FixedDim(x, a), columns = c.FixedDim(x, b);
  const int64_t shift = std::clamp(offset, -rows, columns);  // none beyond the corners
  if (std::min(rows, columns) > ir::kMaxMade) {
    c.Fail(Unsupported("the diagonal of {}x{} elements", rows, columns));
    return x;
  }
  std::vector<int64_t> positions;
  for (int64_t i = std::max<int64_t>(0, -shift); i < rows && i + shift < columns; ++i)
    positions.push_back(i * columns + i + shift);
  std::vector<int32_t> flat = ir::CopiedDims(rank - 2);
  flat.push_back(ir::kInferDim);
  const ir::ValueId elements = c.build.Reshape(Reordered(c, x, LastTwo(rank, a, b, false)), flat);
  return c.build.Gather(elements, c.Integers(positions), rank - 2);
}

constexpr int64_t kMaxSide = 1 << 12;

// The last dimension on a diagonal of matrices that are 0 elsewhere.
ir::ValueId Embedded(OpContext& c, ir::ValueId x, int64_t offset, int a, int b) {
  const int rank = c.rank(x);
  const int64_t size = c.FixedDim(x, rank - 1);
  if (size > kMaxSide || offset > kMaxSide || offset < -kMaxSide) {
    c.Fail(Unsupported("a matrix with {} elements on diagonal {}", size, offset));
    return x;
  }
  const int64_t side = size + std::abs(offset);
  std::vector<int64_t> positions(static_cast<size_t>(side * side), size);  // that of the zero
  for (int64_t i = 0; i < size; ++i) {
    const int64_t row = i + std::max<int64_t>(0, -offset), column = i + std::max<int64_t>(0, offset);
    positions[static_cast<size_t>(row * side + column)] = i;
  }
  std::vector<int64_t> pads(static_cast<size_t>(2 * rank), 0);
  pads.back() = 1;
  const ir::ValueId padded = c.Onnx("Pad", {x, c.Integers(pads), c.Scalar(c.dtype(x), 0)});
  const ir::ValueId y = c.build.Gather(padded, c.build.Constant({side, side}, positions), rank - 1);
  return Reordered(c, y, LastTwo(rank + 1, a, b, true));
}

// (self, diagonal): of a matrix its diagonal, of a vector a matrix
void ImportDiag(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int64_t offset = c.Int(1, 0);
  if (c.rank(x) == 1) return c.Return(Embedded(c, x, offset, 0, 1));
  if (c.rank(x) == 2) return c.Return(DiagonalOf(c, x, offset, 0, 1));
  c.Fail(Invalid("a tensor of {} dimensions", c.rank(x)));
}

struct Plane {
  int a, b;
};

// Two dimensions of `rank`, which differ.
Plane PlaneAt(OpContext& c, size_t i, int rank, int64_t first, int64_t second) {
  const Plane plane = {c.Axis(i, rank, first), c.Axis(i + 1, rank, second)};
  if (rank >= 2 && plane.a != plane.b) return plane;
  c.Fail(Invalid("dimensions {} and {} of {}", plane.a, plane.b, rank));
  return {0, 1};
}

// (self, offset, dim1, dim2)
void ImportDiagonal(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const Plane plane = PlaneAt(c, 2, c.rank(x), 0, 1);
  if (!c.status().ok()) return;
  ReturnPicked(c, x, [&](ir::ValueId id) { return DiagonalOf(c, id, c.Int(1, 0), plane.a, plane.b); });
}

// (self, offset, dim1, dim2)
void ImportDiagEmbed(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const Plane plane = PlaneAt(c, 2, c.rank(x) + 1, -2, -1);
  if (c.status().ok() && c.rank(x) > 0) c.Return(Embedded(c, x, c.Int(1, 0), plane.a, plane.b));
}

void ImportTrace(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  if (c.rank(x) != 2) return c.Fail(Invalid("a tensor of {} dimensions", c.rank(x)));
  const ir::ValueId sum = c.build.Reduce(ReduceKind::Sum, DiagonalOf(c, x, 0, 0, 1), {0}, false);
  c.Return(IsFloatType(c.dtype(x)) ? sum : c.CastTo(sum, DType::kInt64));
}

// (self, other, dim): without dim, along the first dimension of 3 elements
void ImportCross(OpContext& c) {
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1)});
  const int rank = c.rank(x[0]);
  int axis = c.op() == "cross" ? 0 : rank - 1;
  if (c.Has(2)) {
    axis = c.Axis(2, rank, -1);
  } else if (c.op() == "cross") {
    while (axis < rank - 1 && c.dim(x[0], axis) != 3) ++axis;
  }
  const auto turned = [&](size_t i, const std::vector<int64_t>& order) {
    return c.build.Gather(x[i], c.Integers(order), axis);
  };
  c.Return(c.Onnx("Sub", {c.Onnx("Mul", {turned(0, {1, 2, 0}), turned(1, {2, 0, 1})}),
                          c.Onnx("Mul", {turned(0, {2, 0, 1}), turned(1, {1, 2, 0})})}));
}

ir::ValueId Product(OpContext& c, ir::ValueId a, ir::ValueId b) { return c.Onnx("MatMul", {a, b}); }

// (self, other): over the last dimension of both
void ImportInner(OpContext& c) {
  const ir::ValueId a = c.TensorAt(0), b = c.TensorAt(1);
  if (c.rank(a) == 0 || c.rank(b) == 0) return c.Return(c.build.Mul(a, b));
  if (c.rank(b) == 1) return c.Return(Product(c, a, b));
  if (c.rank(b) > 2) return c.Fail(Unsupported("tensors of more than two dimensions"));
  c.Return(Product(c, a, c.Onnx("Transpose", {b})));
}

// beta * self + alpha * product
void ReturnSum(OpContext& c, ir::ValueId product) {
  const auto scaled = [&](ir::ValueId x, size_t i) {
    const double factor = c.Float(i, 1);
    return factor == 1 ? x : c.build.Mul(x, c.Scalar(c.dtype(x), factor));
  };
  product = scaled(product, 4);
  c.Return(c.Float(3, 1) == 0 ? product : c.build.Add(scaled(c.TensorAt(0), 3), product));
}

// (self, mat, vec, beta, alpha)
void ImportAddMv(OpContext& c) { ReturnSum(c, Product(c, c.TensorAt(1), c.TensorAt(2))); }

// (self, batch1, batch2, beta, alpha): the products of all of a batch added up
void ImportAddBmm(OpContext& c) {
  const ir::ValueId products = Product(c, c.TensorAt(1), c.TensorAt(2));
  ReturnSum(c, c.build.Reduce(ReduceKind::Sum, products, {0}, false));
}

// (self, vec1, vec2, beta, alpha)
void ImportAddR(OpContext& c) {
  const ir::ValueId column = c.build.Reshape(c.TensorAt(1), {ir::kInferDim, 1});
  ReturnSum(c, c.build.Mul(column, c.TensorAt(2)));
}

// Dimensions `first`, then `second`, each as one; second first if it is on the left of a product.
ir::ValueId AsMatrix(OpContext& c, ir::ValueId x, const std::vector<int32_t>& first,
                     const std::vector<int32_t>& second) {
  std::vector<int32_t> order = first;
  order.insert(order.end(), second.begin(), second.end());
  int64_t all = 1;
  int32_t columns = 0;
  for (const int32_t axis : second) all = SaturatedProduct(all, c.FixedDim(x, axis));
  if (const Status s = Take(ToInt32(all, "columns"), &columns); !s.ok()) c.Fail(s);
  return c.build.Reshape(Reordered(c, x, order), {ir::kInferDim, columns});
}

bool HasTwice(std::vector<int32_t> axes) {
  std::sort(axes.begin(), axes.end());
  return std::adjacent_find(axes.begin(), axes.end()) != axes.end();
}

// (self, other, dims_self, dims_other): the sum over pairs of dimensions
void ImportTensorDot(OpContext& c) {
  const ir::ValueId a = c.TensorAt(0), b = c.TensorAt(1);
  std::vector<int32_t> of_a, of_b;
  for (const int64_t axis : c.Ints(2)) of_a.push_back(c.AxisOf(axis, c.rank(a)));
  for (const int64_t axis : c.Ints(3)) of_b.push_back(c.AxisOf(axis, c.rank(b)));
  if (HasTwice(of_a) || HasTwice(of_b)) return c.Fail(Invalid("a dimension that is summed twice"));
  const std::vector<int32_t> left = ir::OtherAxes(c.rank(a), of_a), right = ir::OtherAxes(c.rank(b), of_b);
  std::vector<int32_t> shape;
  for (const int32_t axis : left) shape.push_back(static_cast<int32_t>(c.FixedDim(a, axis)));
  for (const int32_t axis : right) shape.push_back(static_cast<int32_t>(c.FixedDim(b, axis)));
  c.Return(c.build.Reshape(Product(c, AsMatrix(c, a, left, of_a), AsMatrix(c, b, of_b, right)), shape));
}

// (self, other): each element of one times the other, of as many dimensions
void ImportKron(OpContext& c) {
  const ir::ValueId a = c.TensorAt(0), b = c.TensorAt(1);
  const int rank = c.rank(a);
  if (c.rank(b) != rank) return c.Fail(Unsupported("tensors of different rank"));
  std::vector<int32_t> of_a, of_b, together;
  for (int i = 0; i < rank; ++i) {
    const auto m = static_cast<int32_t>(c.FixedDim(a, i)), n = static_cast<int32_t>(c.FixedDim(b, i));
    of_a.insert(of_a.end(), {m, 1});
    of_b.insert(of_b.end(), {1, n});
    together.push_back(0);
    if (const Status s = Take(ToInt32(int64_t{m} * n, "a dimension"), &together.back()); !s.ok())
      return c.Fail(s);
  }
  c.Return(c.build.Reshape(c.Onnx("Mul", {c.build.Reshape(a, of_a), c.build.Reshape(b, of_b)}), together));
}

// (tensors)
void ImportMultiDot(OpContext& c) {
  const std::vector<ir::ValueId> parts = c.Tensors(0);
  if (parts.empty()) return c.Fail(Invalid("no matrices"));
  ir::ValueId y = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) y = Product(c, y, parts[i]);
  c.Return(y);
}

// (self, n)
void ImportMatrixPower(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int64_t n = c.Int(1, 1);
  if (n < 1 || n > kMaxSide) return c.Fail(Unsupported("power {}", n));
  ir::ValueId power = x, y = ir::kNoValue;
  for (int64_t left = n; left > 0; left /= 2) {
    if (left % 2 != 0) y = y == ir::kNoValue ? power : Product(c, y, power);
    if (left > 1) power = Product(c, power, power);
  }
  c.Return(y);
}

void ImportDeterminant(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  std::vector<ir::ValueId> results(1, x);
  if (c.status().ok())
    c.Fail(Take(CallComposed(c.table().assembler(), c.build.origin, "__determinant", {{x}}, {}), &results));
  c.Return(results.back());
}

// (input1, input2, weight [out, in1, in2], bias)
void ImportBilinear(OpContext& c) {
  const ir::ValueId a = c.TensorAt(0), b = c.TensorAt(1), w = c.TensorAt(2);
  if (c.rank(w) != 3) return c.Fail(Invalid("weights of {} dimensions", c.rank(w)));
  const auto outs = static_cast<int32_t>(c.FixedDim(w, 0)), second = static_cast<int32_t>(c.FixedDim(w, 2));
  const ir::ValueId by_first = AsMatrix(c, w, {1}, {0, 2});
  std::vector<int32_t> apart = ir::CopiedDims(c.rank(a) - 1), column = apart, flat = apart;
  apart.insert(apart.end(), {outs, second});
  column.insert(column.end(), {second, 1});
  flat.push_back(outs);
  const ir::ValueId partial = c.build.Reshape(Product(c, a, by_first), apart);
  const ir::ValueId y = c.build.Reshape(Product(c, partial, c.build.Reshape(b, column)), flat);
  c.Return(c.Has(3) ? c.build.Add(y, c.TensorAt(3)) : y);
}

constexpr char kDiagonal[] = "self offset dim1 dim2", kTwoMatrices[] = "self other";
constexpr char kCross[] = "self other dim";

}  // namespace

const ImporterList MatrixOps = {
    {"addbmm", "self batch1 batch2 beta alpha", ImportAddBmm},
    {"addmv", "self mat vec beta alpha", ImportAddMv},
    {"addr", "self vec1 vec2 beta alpha", ImportAddR},
    {"bilinear", "input1 input2 weight bias", ImportBilinear},
    {"chain_matmul", "matrices", ImportMultiDot},
    {"cross", kCross, ImportCross},
    {"det", "self", ImportDeterminant},
    {"diag", "self diagonal", ImportDiag},
    {"diag_embed", kDiagonal, ImportDiagEmbed},
    {"diagonal", kDiagonal, ImportDiagonal},
    {"inner", kTwoMatrices, ImportInner},
    {"kron", kTwoMatrices, ImportKron},
    {"linalg_cross", kCross, ImportCross},
    {"linalg_det", "self", ImportDeterminant},
    {"linalg_diagonal", kDiagonal, ImportDiagonal},
    {"linalg_matrix_power", "self n", ImportMatrixPower},
    {"linalg_multi_dot", "tensors", ImportMultiDot},
    {"matrix_power", "self n", ImportMatrixPower},
    {"tensordot", "self other dims_self dims_other", ImportTensorDot},
    {"trace", "self", ImportTrace},
};

}  // namespace micrort::frontend::torchscript
