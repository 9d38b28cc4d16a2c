// Shapes and orders of dimensions.

#include <algorithm>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

using ir::CopyDim;
using ir::kInferDim;

// The part as the whole again: both have the same elements in the same order.
ir::ValueId AsWhole(ir::Builder& build, ir::ValueId base, ir::ValueId part) {
  const ir::Value& whole = build.graph().value(base);
  if (!whole.is_static()) return build.Add(schema::ReshapeOptionsT(), {part, build.ShapeOf(base)});
  return build.Reshape(part, std::vector<int32_t>(whole.shape.begin(), whole.shape.end()));
}

// The same elements in another shape, by ReshapeOptions' codes.
void ReturnReshaped(OpContext& c, ir::ValueId x, const std::vector<int32_t>& shape) {
  const auto read = [shape](ir::Builder& build, ir::ValueId base) { return build.Reshape(base, shape); };
  c.ReturnView(read(c.build, x), read, AsWhole);
}

// (self, dtype), between types of one size
void ImportBits(OpContext& c, ir::ValueId x) {
  const DType from = c.dtype(x), to = c.Type(1, from);
  if (SizeOf(from) != SizeOf(to) || (to == DType::kBool && from != to))
    return c.Fail(Unsupported("the bits of {} as {}", Name(from), Name(to)));
  c.Return(from == to ? x : c.build.BitCast(x, to));
}

// (self, shape)
void ImportView(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  if (!c.arg(1).is_sequence()) return ImportBits(c, x);
  const ir::ValueId shape = c.IntegerTensor(c.arg(1));
  const std::vector<Value>& dims = *c.arg(1).items;
  const bool has_zero =
      std::any_of(dims.begin(), dims.end(), [](const Value& v) { return v == Value::Int(0); });
  const ir::ValueId y = c.ReshapeTo(x, shape);
  const std::vector<int64_t> after = c.value(y).shape;
  const bool is_static = c.value(y).is_static();
  const auto read = [after](ir::Builder& build, ir::ValueId base) {
    return build.Reshape(base, std::vector<int32_t>(after.begin(), after.end()));
  };
  c.ReturnView(y, is_static && !has_zero ? OpContext::ReadPart(read) : nullptr, AsWhole);
}

void ImportViewAs(OpContext& c) {
  c.ReturnView(c.ReshapeTo(c.TensorAt(0), c.build.ShapeOf(c.TensorAt(1))), nullptr, AsWhole);
}

// (self, start_dim, end_dim)
void ImportFlatten(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int rank = c.rank(x), first = c.Axis(1, rank, 0), last = c.Axis(2, rank, -1);
  if (rank > 0 && first >= last) {
    c.ReturnValue(c.arg(0));
    return;
  }
  std::vector<int32_t> shape = ir::CopiedDims(first);
  shape.push_back(kInferDim);
  for (int i = last + 1; i < rank; ++i) shape.push_back(CopyDim(i));
  ReturnReshaped(c, x, shape);
}

// (self, dim, sizes)
void ImportUnflatten(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int rank = c.rank(x), axis = c.Axis(1, rank, 0);
  std::vector<int32_t> shape = ir::CopiedDims(axis);
  for (const int64_t size : c.Ints(2)) shape.push_back(static_cast<int32_t>(size));
  for (int i = axis + 1; i < rank; ++i) shape.push_back(CopyDim(i));
  ReturnReshaped(c, x, shape);
}

// (self, dim)
void ImportUnsqueeze(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int rank = c.rank(x), axis = c.Axis(1, rank + 1, 0);
  std::vector<int32_t> shape = ir::CopiedDims(rank);
  shape.insert(shape.begin() + axis, 1);
  ReturnReshaped(c, x, shape);
}

// (self, dim): dimensions other than of size 1 stay, and so do open ones
void ImportSqueeze(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int rank = c.rank(x);
  const std::vector<int32_t> axes = c.Axes(1, rank);
  std::vector<int32_t> shape;
  for (int i = 0; i < rank; ++i) {
    const bool is_named = !c.Has(1) || std::find(axes.begin(), axes.end(), i) != axes.end();
    if (!is_named || c.dim(x, i) != 1) shape.push_back(CopyDim(i));
    if (is_named && c.dim(x, i) == ir::kDynamic)
      c.warnings.push_back(
          "dimension " + std::to_string(i) +
          ", which is open, stays also where it is 1; give its size by --input-shape if it is");
  }
  ReturnReshaped(c, x, shape);
}

// Dimensions of 1 may lie anywhere.
bool IsInOrder(OpContext& c, ir::ValueId x, const std::vector<int32_t>& permutation) {
  int32_t last = -1;
  for (const int32_t dim : permutation) {
    if (c.dim(x, dim) == 1) continue;
    if (dim < last) return false;
    last = dim;
  }
  return true;
}

void ReturnPermuted(OpContext& c, const std::vector<int32_t>& permutation) {
  const std::vector<int32_t> inverse = ir::InverseOf(permutation);
  const auto read = [permutation](ir::Builder& build, ir::ValueId base) {
    return build.Transpose(base, permutation);
  };
  const auto write = [inverse](ir::Builder& build, ir::ValueId, ir::ValueId part) {
    return build.Transpose(part, inverse);
  };
  c.ReturnView(read(c.build, c.TensorAt(0)), read, write);
  if (!IsInOrder(c, c.TensorAt(0), permutation)) MarkReordered(c);
}

// (self, dim0, dim1)
void ImportTranspose(OpContext& c) {
  const int rank = c.rank(c.TensorAt(0));
  std::vector<int32_t> permutation = ir::AxesFrom(0, rank);
  if (rank == 0) {
    c.ReturnValue(c.arg(0));
    return;
  }
  std::swap(permutation[static_cast<size_t>(c.Axis(1, rank, 0))],
            permutation[static_cast<size_t>(c.Axis(2, rank, 0))]);
  ReturnPermuted(c, permutation);
}

void ImportT(OpContext& c) {
  std::vector<int32_t> permutation = ir::AxesFrom(0, c.rank(c.TensorAt(0)));
  std::reverse(permutation.begin(), permutation.end());
  ReturnPermuted(c, permutation);
}

// The last two.
void ImportMatrixT(OpContext& c) {
  std::vector<int32_t> permutation = ir::AxesFrom(0, c.rank(c.TensorAt(0)));
  if (permutation.size() > 1)
    std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
  ReturnPermuted(c, permutation);
}

// (self, dims)
void ImportPermute(OpContext& c) {
  const int rank = c.rank(c.TensorAt(0));
  std::vector<int32_t> permutation;
  for (const int64_t dim : c.Ints(1)) permutation.push_back(c.AxisOf(dim, rank));
  std::vector<int32_t> sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != ir::AxesFrom(0, rank)) {
    c.Fail(Invalid("an order of dimensions that names not each of {} once", rank));
    return;
  }
  ReturnPermuted(c, permutation);
}

// (self, source, destination)
void ImportMoveDim(OpContext& c) {
  const int rank = c.rank(c.TensorAt(0));
  const std::vector<int64_t> from = c.Ints(1), to = c.Ints(2);
  std::vector<int32_t> permutation(static_cast<size_t>(std::max(rank, 1)), -1);  // a scalar has one axis
  std::vector<bool> moved(permutation.size());
  if (from.size() != to.size()) return c.Fail(Invalid("{} dimensions to {} places", from.size(), to.size()));
  for (size_t i = 0; i < from.size(); ++i) {
    const int source = c.AxisOf(from[i], rank);
    int32_t& place = permutation[static_cast<size_t>(c.AxisOf(to[i], rank))];
    if (moved[static_cast<size_t>(source)] || place >= 0)
      return c.Fail(Invalid("a dimension that moves twice"));
    place = source;
    moved[static_cast<size_t>(source)] = true;
  }
  if (rank == 0) return c.ReturnValue(c.arg(0));
  int32_t next = 0;
  for (int32_t& p : permutation) {
    if (p >= 0) continue;
    while (moved[static_cast<size_t>(next)]) ++next;
    p = next++;
  }
  ReturnPermuted(c, permutation);
}

// (self, repeats): there may be more of them than dimensions
void ImportRepeat(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const std::vector<int32_t> dims = ir::CopiedDims(c.rank(x));
  const size_t count = c.arg(1).is_sequence() ? c.arg(1).items->size() : 1;
  if (count > dims.size()) {
    std::vector<int32_t> shape(count - dims.size(), 1);
    shape.insert(shape.end(), dims.begin(), dims.end());
    x = c.build.Reshape(x, shape);
  }
  c.Return(c.Onnx("Tile", {x, c.IntegerTensor(c.arg(1))}));
}

// (self, dims): or fewer, for the last dimensions
void ImportTile(OpContext& c) {
  const int rank = c.rank(c.TensorAt(0));
  const ir::ValueId repeats = c.IntegerTensor(c.arg(1));
  if (!c.status().ok()) return;
  const int64_t missing = rank - c.dim(repeats, 0);
  if (missing <= 0) return ImportRepeat(c);
  const std::vector<int64_t> ones(static_cast<size_t>(missing), 1);
  c.Return(c.Onnx("Tile", {c.TensorAt(0), c.build.Concat({c.Integers(ones), repeats}, 0)}));
}

// A slice of the result comes from as many slices of x as end at its place or before.
void RepeatComputed(OpContext& c, ir::ValueId x, int axis, ir::ValueId given) {
  if (c.rank(given) > 1) return c.Fail(Invalid("repeats of {} dimensions", c.rank(given)));
  const ir::ValueId size = c.build.Gather(c.build.ShapeOf(x), c.Integers({axis}), 0);
  const ir::ValueId repeats = c.Onnx("Expand", {c.CastTo(given, DType::kInt64), size});
  const ir::ValueId zero = c.build.Integer(0), one = c.build.Integer(1);
  const ir::ValueId total = c.build.Reduce(schema::ReduceKind::Sum, repeats, {0}, false);
  const ir::ValueId places = c.build.Reshape(c.Onnx("Range", {zero, total, one}), {kInferDim, 1});
  const ir::ValueId is_behind = c.build.GreaterOrEqual(places, c.Onnx("CumSum", {repeats, zero}));
  const ir::ValueId positions =
      c.build.Reduce(schema::ReduceKind::Sum, c.CastTo(is_behind, DType::kInt64), {1}, false);
  c.Return(c.build.Gather(x, positions, axis));
}

// Each slice as often as its entry in argument 1 says, or all as its only one does.
void RepeatEach(OpContext& c, ir::ValueId x, int axis) {
  std::vector<int64_t> repeats, positions;
  const ir::ValueId given = c.TensorAt(1);
  if (!ir::IntegersOf(c.value(given), &repeats)) return RepeatComputed(c, x, axis, given);
  const int64_t size = c.FixedDim(x, axis);
  if (size > ir::kMaxMade) return c.Fail(Unsupported("repeats of {} elements", size));
  if (repeats.size() == 1)
    repeats = std::vector<int64_t>(static_cast<size_t>(std::max<int64_t>(size, 0)), repeats[0]);
  for (size_t i = 0; i < repeats.size(); ++i) {
    if (repeats[i] < 0 || repeats[i] > ir::kMaxMade - static_cast<int64_t>(positions.size()))
      return c.Fail(Invalid("{} repeats", repeats[i]));
    positions.insert(positions.end(), static_cast<size_t>(repeats[i]), static_cast<int64_t>(i));
  }
  c.Return(c.build.Gather(x, c.Integers(positions), axis));
}

// (self, repeats, dim, output_size): each element several times
void ImportRepeatInterleave(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  if (!c.Has(2) || c.rank(x) == 0) x = c.build.Reshape(x, {kInferDim});
  const int rank = c.rank(x), axis = c.Axis(2, rank, 0);
  if (!c.status().ok()) return;
  if (c.arg(1).is_tensor()) return RepeatEach(c, x, axis);
  const int64_t repeats = c.Int(1, 1);
  std::vector<int64_t> times(static_cast<size_t>(rank + 1), 1);
  times[static_cast<size_t>(axis + 1)] = repeats;
  int32_t repeated = 0;
  const int64_t size = SaturatedProduct(c.FixedDim(x, axis), repeats);
  if (const Status s = Take(ToInt32(size, "repeats"), &repeated); !s.ok()) return c.Fail(s);
  std::vector<int32_t> together = ir::CopiedDims(axis);
  together.push_back(repeated);
  for (int i = axis + 1; i < rank; ++i) together.push_back(CopyDim(i + 1));
  c.Return(c.build.Reshape(c.Onnx("Tile", {c.build.InsertDim(x, axis + 1), c.Integers(times)}), together));
}

// (self, upscale_factor)
void ImportPixelShuffle(OpContext& c) {
  c.Return(
      c.Onnx("DepthToSpace", {c.TensorAt(0)}, {{"blocksize", c.Int(1, 1)}, {"mode", std::string("CRD")}}));
}

// (self, downscale_factor): blocks of each channel side by side
void ImportPixelUnshuffle(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int64_t given = c.Int(1, 1), rows = c.FixedDim(x, 2), columns = c.FixedDim(x, 3);
  if (c.rank(x) != 4) return c.Fail(Unsupported("a tensor of {} dimensions", c.rank(x)));
  if (given < 1 || given > std::max<int64_t>({rows, columns, 1}) || rows % given != 0 || columns % given != 0)
    return c.Fail(Invalid("blocks of {}x{} in {}x{} elements", given, given, rows, columns));
  const int64_t elements = given * given;  // of a block, which lies inside an image
  const int64_t all = SaturatedProduct(c.FixedDim(x, 1), elements);
  int32_t channels = 0, r = 0;
  for (const Status& s : {Take(ToInt32(all, "channels"), &channels), Take(ToInt32(given, "factor"), &r)}) {
    if (!s.ok()) return c.Fail(s);
  }
  const auto h = static_cast<int32_t>(rows), w = static_cast<int32_t>(columns);
  const ir::ValueId blocks = c.build.Reshape(x, {CopyDim(0), channels / r / r, h / r, r, w / r, r});
  c.Return(
      c.build.Reshape(c.build.Transpose(blocks, {0, 1, 3, 5, 2, 4}), {CopyDim(0), channels, h / r, w / r}));
}

// (self, groups)
void ImportChannelShuffle(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int64_t given = c.Int(1, 1), size = c.FixedDim(x, 1);
  const int rank = c.rank(x);
  if (rank < 3) return c.Fail(Invalid("a tensor of {} dimensions", rank));
  if (given < 1 || given > std::max<int64_t>(size, 1) || size % given != 0)
    return c.Fail(Invalid("{} groups of {} channels", given, size));
  const auto groups = static_cast<int32_t>(given), channels = static_cast<int32_t>(size);
  std::vector<int32_t> apart = {CopyDim(0), groups, channels / groups}, together = {CopyDim(0), channels};
  std::vector<int32_t> order = {0, 2, 1};
  for (int i = 2; i < rank; ++i) {
    apart.push_back(CopyDim(i));
    together.push_back(CopyDim(i + 1));
    order.push_back(i + 1);
  }
  c.Return(c.build.Reshape(c.build.Transpose(c.build.Reshape(x, apart), order), together));
}

constexpr char kDims[] = "self dim0 dim1";

// What does not lie in order is copied, or is not, as its strides have it: nothing may rely on either.
void ForgetWhole(OpContext& c) {
  if (!(IsSpread(c) || MayBeReordered(c)) || !c.result().is_tensor() || c.result().tensor == c.arg(0).tensor)
    return;
  const Value reshaped = c.result();
  reshaped.tensor->read = nullptr;
  reshaped.tensor->write = nullptr;
}

template <void import(OpContext&)>
void ImportReshape(OpContext& c) {
  import(c);
  ForgetWhole(c);
}

void ImportRavel(OpContext& c) { ReturnReshaped(c, c.TensorAt(0), {kInferDim}); }

}  // namespace

const ImporterList ShapeOps = {
    {"_unsafe_view", "self size", ImportView},
    {"adjoint", "self", ImportMatrixT},
    {"channel_shuffle", "self groups", ImportChannelShuffle},
    {"flatten", "self start_dim end_dim", ImportReshape<ImportFlatten>},
    {"mT", "self", ImportMatrixT},
    {"moveaxis", "self source destination", ImportMoveDim},
    {"movedim", "self source destination", ImportMoveDim},
    {"numpy_T", "self", ImportT},
    {"permute", "self dims", ImportPermute},
    {"pixel_shuffle", "self upscale_factor", ImportPixelShuffle},
    {"pixel_unshuffle", "self downscale_factor", ImportPixelUnshuffle},
    {"ravel", "self", ImportReshape<ImportRavel>},
    {"repeat", "self repeats", ImportRepeat},
    {"repeat_interleave", "self repeats dim output_size", ImportRepeatInterleave,
     "one number of repeats that a run decides"},
    {"reshape", "self shape", ImportReshape<ImportView>},
    {"reshape_as", "self other", ImportReshape<ImportViewAs>},
    {"squeeze", "self dim", ImportSqueeze},
    {"swapaxes", kDims, ImportTranspose},
    {"swapdims", kDims, ImportTranspose},
    {"t", "self", ImportT},
    {"tile", "self dims", ImportTile},
    {"transpose", kDims, ImportTranspose},
    {"unflatten", "self dim sizes", ImportUnflatten},
    {"unsqueeze", "self dim", ImportUnsqueeze},
    {"view", "self size", ImportView},
    {"view_as", "self other", ImportViewAs},
};

}  // namespace micrort::frontend::torchscript
