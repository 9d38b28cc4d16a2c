// Pooling of images.

#include <cmath>

#include "converter/frontend/tensorflow/ops/image.h"
#include "converter/frontend/tensorflow/registry.h"
#include "converter/lower/reduce_windows.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::PoolKind;

// Whether Pool2D has no maxima of the type.
bool IsWideInteger(DType dtype) { return !IsFloat(dtype) && SizeOf(dtype) > 1; }

// x: NHWC
Status ImportMaxOfIntegers(OpContext& c, ir::ValueId x, Window window) {
  const ir::Value& value = c.value(x);
  const DType dtype = value.dtype;
  if (!value.is_static())
    return MICRORT_ERROR(kUnsupported, "maxima of %s in images of open size", Name(dtype));
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, 0, &x, &window));
  const WindowAxis &h = window.height(), &w = window.width();
  const lower::ReducedWindow windows = {{1, h.kernel, w.kernel, 1},
                                        {1, h.stride, w.stride, 1},
                                        {1, 1, 1, 1},
                                        {0, h.pad_begin, w.pad_begin, 0, 0, h.pad_end, w.pad_end, 0}};
  const bool is_signed = dtype == DType::kInt16 || dtype == DType::kInt32 || dtype == DType::kInt64;
  const double lowest = is_signed ? -std::ldexp(1.0, static_cast<int>(8 * SizeOf(dtype)) - 1) : 0;
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y, lower::ReduceWindows(c.build, x, c.Scalar(dtype, lowest),
                                                                     schema::ReduceKind::Max, windows));
  return c.Return(FromNhwc(c, y));
}

// What lies outside of the image counts neither as a maximum nor in an average. Where a run decides how much
// that is, it counts as 0 there, and the average is divided by that of ones.
Status ImportPoolOf(OpContext& c, PoolKind kind, Window window) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  const ir::ValueId image = ToNhwc(c, c.input(0));
  if (kind == PoolKind::Max && IsWideInteger(c.x().dtype)) return ImportMaxOfIntegers(c, image, window);
  const float fill = kind == PoolKind::Max ? -std::numeric_limits<float>::infinity() : 0;
  ir::ValueId x = image;
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, fill, &x, &window));
  return c.Return(FromNhwc(c, Pooled(c.build, kind, image, x, window)));
}

template <PoolKind kind>
Status ImportPool(OpContext& c) {
  Window window;
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "ksize", &WindowAxis::kernel, &window));
  return ImportPoolOf(c, kind, window);
}

// inputs: x, the window, strides, as constants.
Status ImportMaxPoolV2(OpContext& c) {
  Window window;
  MICRORT_ASSIGN_OR_RETURN(const std::vector<int64_t> kernel, c.ConstantIntegers(1));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, c.ConstantIntegers(2));
  MICRORT_RETURN_IF_ERROR(SetSpatial(c, "ksize", kernel, &WindowAxis::kernel, &window));
  MICRORT_RETURN_IF_ERROR(SetSpatial(c, "strides", strides, &WindowAxis::stride, &window));
  return ImportPoolOf(c, PoolKind::Max, window);
}

// Where each maximum comes from, too: (row * width + column) * channels + channel, and with batches before
// that where the attribute says so. ONNX counts in [N,C,H,W].
Status ImportMaxPoolWithArgmax(OpContext& c) {
  ir::Builder& b = c.build;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  if (!c.x().is_static()) return Unsupported("an image whose size is not fixed");
  if (c.x().dim(0) > ir::kMaxMade || c.x().dim(3) > ir::kMaxMade)
    return Unsupported("more than {} images or channels", ir::kMaxMade);
  Window window;
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "ksize", &WindowAxis::kernel, &window));
  ir::ValueId x = c.input(0);
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, 0, &x, &window));
  const WindowAxis &h = window.height(), &w = window.width();
  const std::vector<int64_t> kernel = {h.kernel, w.kernel}, strides = {h.stride, w.stride},
                             pads = {h.pad_begin, w.pad_begin, h.pad_end, w.pad_end};
  MICRORT_ASSIGN_OR_RETURN(
      const std::vector<ir::ValueId> outputs,
      AddOnnxOperator("MaxPool", 12, {b.Transpose(x, {0, 3, 1, 2})},
                      {{"kernel_shape", kernel}, {"strides", strides}, {"pads", pads}}, b, 2));
  const std::vector<int64_t> shape = c.x().shape;
  std::vector<int64_t> channels, batches;
  for (int64_t i = 0; i < shape[3]; ++i) channels.push_back(i);
  for (int64_t i = 0; i < shape[0]; ++i) batches.push_back(i * shape[1] * shape[2] * shape[3]);
  const ir::ValueId place = b.Mod(b.Transpose(outputs[1], {0, 2, 3, 1}), b.Integer(shape[1] * shape[2]));
  ir::ValueId index = b.Add(b.Mul(place, b.Integer(shape[3])), b.Constant({shape[3]}, channels));
  if (c.Bool("include_batch_in_index", false)) index = b.Add(index, b.Constant({shape[0], 1, 1, 1}, batches));
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("Targmax", DType::kInt64));
  return c.Return({b.Transpose(outputs[0], {0, 2, 3, 1}), b.As(index, type)});
}

}  // namespace

const ImporterList PoolOps = {
    {"AvgPool", 1, 1, ImportPool<PoolKind::Average>},
    {"MaxPool", 1, 1, ImportPool<PoolKind::Max>},
    {"MaxPoolV2", 3, 3, ImportMaxPoolV2, "a window that is not constant"},
    {"MaxPoolWithArgmax", 1, 1, ImportMaxPoolWithArgmax, "images whose size is not fixed"},
};

}  // namespace micrort::frontend::tensorflow
