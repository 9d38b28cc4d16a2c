// Pooling by windows, and to a given size.

#include <algorithm>
#include <cstdint>

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// Windows over the last `spatial` dimensions, of samples in a batch or of one alone.
struct PoolInput {
  ir::ValueId x;
  bool is_alone;
};

PoolInput InBatch(OpContext& c, size_t spatial) {
  const ir::ValueId x = c.TensorAt(0);
  const bool is_alone = c.rank(x) == static_cast<int>(spatial) + 1;
  return {is_alone ? c.Onnx("Unsqueeze", {x, c.Integers({0})}) : x, is_alone};
}

ir::ValueId OutOfBatch(OpContext& c, const PoolInput& input, ir::ValueId y) {
  return input.is_alone ? c.Onnx("Squeeze", {y, c.Integers({0})}) : y;
}

std::vector<Attribute> Windows(OpContext& c, size_t spatial, size_t ceil_mode) {
  const std::vector<int64_t> kernel = c.IntsFor(1, spatial, 1);
  const bool has_stride = c.Has(2) && !c.Ints(2).empty();
  std::vector<int64_t> pads = c.IntsFor(3, spatial, 0);
  const std::vector<int64_t> ends = pads;
  pads.insert(pads.end(), ends.begin(), ends.end());
  return {{"kernel_shape", kernel},
          {"strides", has_stride ? c.IntsFor(2, spatial, 1) : kernel},
          {"pads", pads},
          {"ceil_mode", int64_t{c.Bool(ceil_mode, false)}}};
}

// Whether the window, which the model computes, is proven to be the whole image: then it has one place.
bool SeesAll(OpContext& c, ir::ValueId x, size_t spatial) {
  if (!c.arg(1).is_sequence() || CallArguments::IsKnown(c.arg(1))) return false;
  const ir::ValueId window = c.IntegerTensor(c.arg(1));
  const std::vector<int64_t> pads = c.IntsFor(3, spatial, 0);
  if (c.dim(window, 0) != static_cast<int64_t>(spatial) ||
      std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad != 0; })) {
    return false;
  }
  const int rank = c.rank(x);
  const ir::ValueId sizes = c.build.SizesOf(x, rank - static_cast<int>(spatial), rank);
  std::vector<int64_t> rest;
  return ir::IntegersOf(c.value(c.build.Sub(window, sizes)), &rest) &&
         std::all_of(rest.begin(), rest.end(), [](int64_t v) { return v == 0; });
}

ir::ValueId OfAll(OpContext& c, schema::ReduceKind kind, ir::ValueId x, size_t spatial) {
  const int rank = c.rank(x);
  return c.build.Reduce(kind, x, ir::AxesFrom(rank - static_cast<int>(spatial), rank), true);
}

// (self, kernel_size, stride, padding, dilation, ceil_mode)
template <size_t spatial, size_t outputs>
void ImportMaxPool(OpContext& c) {
  const PoolInput input = InBatch(c, spatial);
  if (outputs == 1 && SeesAll(c, input.x, spatial))
    return c.Return(OutOfBatch(c, input, OfAll(c, schema::ReduceKind::Max, input.x, spatial)));
  std::vector<Attribute> attributes = Windows(c, spatial, 5);
  attributes.push_back({"dilations", c.IntsFor(4, spatial, 1)});
  std::vector<ir::ValueId> y = c.OnnxMany("MaxPool", {input.x}, attributes, outputs);
  if (outputs == 2) {  // positions in their own plane, where ONNX counts through all planes
    int64_t plane = 1;
    for (size_t i = 0; i < spatial; ++i)
      plane *= c.FixedDim(input.x, c.rank(input.x) - 1 - static_cast<int>(i));
    y[outputs - 1] = c.Onnx("Mod", {y[outputs - 1], c.build.Integer(plane)});
  }
  for (ir::ValueId& id : y) id = OutOfBatch(c, input, id);
  if (outputs == 1) {
    c.Return(y[0]);
  } else {
    c.ReturnTuple(y);
  }
}

// Where ceil_mode lets the last window reach beyond the padding: as much padding as that takes, so that all
// windows have the same number of elements.
void PadLastWindows(OpContext& c, ir::ValueId x, size_t spatial, std::vector<Attribute>* attributes) {
  const std::vector<int64_t> kernel = c.IntsFor(1, spatial, 1), before = c.IntsFor(3, spatial, 0);
  const std::vector<int64_t> strides = c.Has(2) && !c.Ints(2).empty() ? c.IntsFor(2, spatial, 1) : kernel;
  std::vector<int64_t> pads = before;
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t size = c.FixedDim(x, c.rank(x) - static_cast<int>(spatial - i)), stride = strides[i];
    // AveragePool refuses windows of other sizes.
    const bool is_window = stride >= 1 && std::max({kernel[i], stride, before[i]}) <= INT32_MAX &&
                           std::min(kernel[i], before[i]) >= 0;
    if (!c.status().ok() || !is_window) return;
    int64_t last = (size + 2 * before[i] - kernel[i] + stride - 1) / stride;
    if (last * stride >= size + before[i]) --last;  // it would see padding alone
    // Where the step is longer than the window, the last one may end before the image does.
    pads.push_back(std::max<int64_t>(last * stride + kernel[i] - size - before[i], 0));
  }
  *attributes = {{"kernel_shape", kernel}, {"strides", strides}, {"pads", pads}};
}

// (self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
template <size_t spatial>
void ImportAveragePool(OpContext& c) {
  const PoolInput input = InBatch(c, spatial);
  if (!c.Has(6) && SeesAll(c, input.x, spatial))
    return c.Return(OutOfBatch(c, input, OfAll(c, schema::ReduceKind::Mean, input.x, spatial)));
  std::vector<Attribute> attributes = Windows(c, spatial, 4);
  const bool divides = c.Has(6);
  if (divides && c.Bool(4, false)) PadLastWindows(c, input.x, spatial, &attributes);
  attributes.push_back({"count_include_pad", int64_t{divides || c.Bool(5, true)}});
  ir::ValueId y = c.Onnx("AveragePool", {input.x}, attributes);
  if (divides) {
    double window = 1;
    for (const int64_t k : c.IntsFor(1, spatial, 1)) window *= static_cast<double>(k);
    y = c.build.Mul(y, c.Scalar(c.dtype(y), window / c.Float(6, 1)));
  }
  c.Return(OutOfBatch(c, input, y));
}

// A matrix [in, out] whose columns average what an output sees.
ir::ValueId AveragingMatrix(OpContext& c, int64_t in, int64_t out) {
  if (in > ir::kMaxMade / out) {
    c.Fail(Unsupported("a pooling of {} elements to {}", in, out));
    return c.Scalar(DType::kFloat32, 0);
  }
  std::vector<float> matrix(static_cast<size_t>(in * out), 0.0f);
  for (int64_t o = 0; o < out; ++o) {
    const int64_t begin = o * in / out, end = ((o + 1) * in + out - 1) / out;
    for (int64_t i = begin; i < end; ++i)
      matrix[static_cast<size_t>(i * out + o)] = 1.0f / static_cast<float>(end - begin);
  }
  return c.build.Constant({in, out}, matrix);
}

// Windows of different sizes, dimension by dimension.
ir::ValueId AverageDim(OpContext& c, ir::ValueId x, int axis, int64_t out) {
  const int rank = c.rank(x);
  const ir::ValueId matrix = c.CastTo(AveragingMatrix(c, c.FixedDim(x, axis), out), c.dtype(x));
  if (axis == rank - 1) return c.Onnx("MatMul", {x, matrix});
  std::vector<int64_t> swap;
  for (int i = 0; i < rank; ++i) swap.push_back(i == axis ? rank - 1 : i == rank - 1 ? axis : i);
  return c.Onnx("Transpose", {c.Onnx("MatMul", {c.Onnx("Transpose", {x}, {{"perm", swap}}), matrix})},
                {{"perm", swap}});
}

// Windows of different sizes: the maximum of each.
ir::ValueId MaxDim(OpContext& c, ir::ValueId x, int axis, int64_t out) {
  const int64_t in = c.FixedDim(x, axis);
  std::vector<ir::ValueId> parts;
  for (int64_t o = 0; o < out; ++o) {
    const ir::ValueId part = c.build.Slice(x, axis, o * in / out, ((o + 1) * in + out - 1) / out);
    parts.push_back(c.build.Reduce(schema::ReduceKind::Max, part, {axis}, true));
  }
  return parts.size() == 1 ? parts[0] : c.build.Concat(parts, axis);
}

constexpr int64_t kMaxAdaptiveSize = 4096;

// (self, output_size)
template <size_t spatial, bool is_max>
void ImportAdaptivePool(OpContext& c) {
  const PoolInput input = InBatch(c, spatial);
  const ir::ValueId x = input.x;
  const int first = c.rank(x) - static_cast<int>(spatial);
  std::vector<int64_t> sizes;
  const Value& given = c.arg(1);
  for (size_t i = 0; i < spatial; ++i) {  // None keeps the size
    const bool is_list = given.is_sequence();
    const Value& size = is_list && i < given.items->size() ? (*given.items)[i] : given;
    const int64_t same = c.dim(x, first + static_cast<int>(i));
    sizes.push_back(size.is_none() ? same : size.is_known_int() ? size.integer : 0);
    if (sizes.back() < 1 || sizes.back() > kMaxAdaptiveSize) {
      c.Fail(Unsupported("a pooling to a size that is not known"));
      return;
    }
  }
  bool is_global = true, divides = true;
  std::vector<int64_t> kernel;
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t in = c.dim(x, first + static_cast<int>(i));
    is_global &= sizes[i] == 1;
    divides &= in != ir::kDynamic && in % sizes[i] == 0;
    kernel.push_back(in / sizes[i]);
  }
  ir::ValueId y = x;
  if (is_global) {
    y = c.Onnx(is_max ? "GlobalMaxPool" : "GlobalAveragePool", {x});
  } else if (divides) {
    y = c.Onnx(is_max ? "MaxPool" : "AveragePool", {x}, {{"kernel_shape", kernel}, {"strides", kernel}});
  } else {
    for (size_t i = 0; i < spatial; ++i) {
      const int axis = first + static_cast<int>(i);
      y = is_max ? MaxDim(c, y, axis, sizes[i]) : AverageDim(c, y, axis, sizes[i]);
    }
  }
  c.Return(OutOfBatch(c, input, y));
  // A maximum also returns the positions of the maxima.
  if (is_max) c.ReturnValue(Value::Sequence(Kind::kTuple, {c.result(), Value::Of(Kind::kUnreachable)}));
}

constexpr char kMaxPool[] = "self kernel_size stride padding dilation ceil_mode";
constexpr char kAveragePool[] =
    "self kernel_size stride padding ceil_mode count_include_pad divisor_override";
constexpr char kAdaptive[] = "self output_size";

}  // namespace

const ImporterList PoolOps = {
    {"adaptive_avg_pool1d", kAdaptive, ImportAdaptivePool<1, false>},
    {"adaptive_avg_pool2d", kAdaptive, ImportAdaptivePool<2, false>},
    {"adaptive_avg_pool3d", kAdaptive, ImportAdaptivePool<3, false>},
    {"adaptive_max_pool1d", kAdaptive, ImportAdaptivePool<1, true>, "positions of the maxima"},
    {"adaptive_max_pool2d", kAdaptive, ImportAdaptivePool<2, true>, "positions of the maxima"},
    {"adaptive_max_pool3d", kAdaptive, ImportAdaptivePool<3, true>, "positions of the maxima"},
    {"avg_pool1d", kAveragePool, ImportAveragePool<1>},
    {"avg_pool2d", kAveragePool, ImportAveragePool<2>},
    {"avg_pool3d", kAveragePool, ImportAveragePool<3>},
    {"max_pool1d", kMaxPool, ImportMaxPool<1, 1>},
    {"max_pool1d_with_indices", kMaxPool, ImportMaxPool<1, 2>},
    {"max_pool2d", kMaxPool, ImportMaxPool<2, 1>},
    {"max_pool2d_with_indices", kMaxPool, ImportMaxPool<2, 2>},
    {"max_pool3d", kMaxPool, ImportMaxPool<3, 1>},
    {"max_pool3d_with_indices", kMaxPool, ImportMaxPool<3, 2>},
};

}  // namespace micrort::frontend::torchscript
