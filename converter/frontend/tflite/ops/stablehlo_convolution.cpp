// STABLEHLO_CONVOLUTION: over up to three dimensions, in any layout.

#include <algorithm>

#include "converter/frontend/tflite/ops/stablehlo_options.h"
#include "converter/frontend/tflite/ops/window.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

constexpr size_t kMostDims = 3;  // that windows slide over

// What the options say of one of these dimensions.
struct HloAxis {
  WindowAxis window;  // but its padding
  int64_t pad_begin = 0, pad_end = 0;
  int64_t spacing = 1;  // of the input's elements: spacing - 1 zeros between them
  bool reversed = false;

  // A transposed convolution pads by what a window reaches beyond this.
  bool fits_transposed() const {
    return window.stride == 1 && std::min(pad_begin, pad_end) >= 0 &&
           std::max(pad_begin, pad_end) < window.span();
  }
};
using HloAxes = std::vector<HloAxis>;

Dims Layout(int64_t first, const Dims& middle, int64_t last) {
  Dims layout = {first};
  layout.insert(layout.end(), middle.begin(), middle.end());
  layout.push_back(last);
  return layout;
}

Status CheckLayout(const Dims& layout, int rank, const char* what) {
  MICRORT_RETURN_IF_ERROR(CheckCount(layout.size(), rank, what));
  return CheckAxes(layout, rank, what);
}

// Lists may be absent.
template <typename T>
Status CheckOptional(const std::vector<T>& list, size_t count, const char* what) {
  return list.empty() ? Status() : CheckCount(list.size(), static_cast<int>(count), what);
}

Status ReadAxes(const fb::StablehloConvolutionOptionsT& o, const Dims& kernel, HloAxes* out) {
  const size_t count = o.input_spatial_dimensions.size();
  MICRORT_RETURN_IF_ERROR(CheckOptional(o.window_strides, count, "window_strides"));
  MICRORT_RETURN_IF_ERROR(CheckOptional(o.padding, 2 * count, "padding"));
  MICRORT_RETURN_IF_ERROR(CheckOptional(o.lhs_dilation, count, "lhs_dilation"));
  MICRORT_RETURN_IF_ERROR(CheckOptional(o.rhs_dilation, count, "rhs_dilation"));
  MICRORT_RETURN_IF_ERROR(CheckOptional(o.window_reversal, count, "window_reversal"));
  for (size_t i = 0; i < count; ++i) {
    HloAxis axis;
    axis.window.kernel = kernel[i];
    if (!o.window_strides.empty()) axis.window.stride = o.window_strides[i];
    if (!o.rhs_dilation.empty()) axis.window.dilation = o.rhs_dilation[i];
    if (!o.lhs_dilation.empty()) axis.spacing = o.lhs_dilation[i];
    if (!o.padding.empty()) axis.pad_begin = o.padding[2 * i], axis.pad_end = o.padding[2 * i + 1];
    if (!o.window_reversal.empty()) axis.reversed = o.window_reversal[i];
    MICRORT_RETURN_IF_ERROR(CheckWindow(axis.window));
    MICRORT_RETURN_IF_ERROR(ToInt32(axis.pad_begin, "padding").status());
    MICRORT_RETURN_IF_ERROR(ToInt32(axis.pad_end, "padding").status());
    MICRORT_RETURN_IF_ERROR(ToInt32(axis.spacing, "lhs_dilation").status());
    if (axis.spacing < 1) return Invalid("lhs_dilation {}", axis.spacing);
    out->push_back(axis);
  }
  return Status();
}

// Dimensions of size 1 before those that windows slide over, so that there are at least two.
ir::ValueId AtLeastPlanes(OpContext& c, ir::ValueId x, size_t dims) {
  if (dims >= 2) return x;
  std::vector<int32_t> shape = {ir::CopyDim(0)};
  shape.resize(3 - dims, 1);
  for (size_t i = 0; i <= dims; ++i) shape.push_back(ir::CopyDim(static_cast<int>(i + 1)));
  return c.build.Reshape(x, shape);
}

ir::ValueId WithoutPlanes(OpContext& c, ir::ValueId x, size_t dims) {
  if (dims >= 2) return x;
  std::vector<int32_t> shape = {ir::CopyDim(0)};
  for (size_t i = 2 - dims; i <= 2; ++i) shape.push_back(ir::CopyDim(static_cast<int>(i + 1)));
  return c.build.Reshape(x, shape);
}

// Zeros around and between elements that the convolution itself does not add.
Status Spread(OpContext& c, HloAxes* axes, ir::ValueId* x) {
  Dims spacing = {1};
  schema::PadOptionsT pad;
  pad.pads.assign(2 * (axes->size() + 2), 0);
  for (size_t i = 0; i < axes->size(); ++i) {
    HloAxis& axis = (*axes)[i];
    spacing.push_back(axis.spacing);
    if (axis.pad_begin >= 0 && axis.pad_end >= 0) continue;
    pad.pads[i + 1] = axis.pad_begin, pad.pads[axes->size() + 2 + i + 1] = axis.pad_end;
    axis.pad_begin = axis.pad_end = 0;
  }
  spacing.push_back(1);
  if (std::any_of(spacing.begin(), spacing.end(), [](int64_t s) { return s != 1; }))
    MICRORT_RETURN_IF_ERROR(Take(Dilated(c, *x, spacing, c.Scalar(c.value(*x).dtype, 0)), x));
  if (std::any_of(pad.pads.begin(), pad.pads.end(), [](int64_t p) { return p != 0; }))
    *x = c.build.Add(std::move(pad), {*x});
  return c.build.status();
}

WindowAxis Padded(const HloAxis& axis) {
  return {axis.window.kernel, axis.window.stride, axis.window.dilation, axis.pad_begin, axis.pad_end};
}

WindowAxis Transposed(const HloAxis& axis) {
  const int64_t reach = axis.window.span() - 1;
  return {axis.window.kernel, axis.spacing, axis.window.dilation, reach - axis.pad_begin,
          reach - axis.pad_end};
}

// x [N,dims...,C], weights [O,dims...,C/groups]; `axes` has at least two.
Status Convolve(OpContext& c, ir::ValueId x, ir::ValueId weights, HloAxes axes, int32_t groups,
                ir::ValueId* y) {
  const bool is_spaced =
      std::any_of(axes.begin(), axes.end(), [](const HloAxis& axis) { return axis.spacing != 1; });
  const bool is_transposed =
      is_spaced && axes.size() == 2 && axes[0].fits_transposed() && axes[1].fits_transposed();
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].reversed != is_transposed) weights = c.build.Reversed(weights, {static_cast<int32_t>(i + 1)});
  }
  if (is_transposed) {
    schema::ConvTranspose2DOptionsT options;
    Window{{Transposed(axes[0]), Transposed(axes[1])}}.CopyTo(&options);
    options.groups = groups;
    *y = c.build.Add(std::move(options), {x, weights});
    return c.build.status();
  }
  MICRORT_RETURN_IF_ERROR(Spread(c, &axes, &x));
  if (axes.size() == kMostDims) {
    const Window window = {{Padded(axes[0]), Padded(axes[1]), Padded(axes[2])}};
    return ConvolveVolume(c, x, c.build.Transpose(weights, {1, 2, 3, 4, 0}), ir::kNoValue, window,
                          {{"group", int64_t{groups}}}, y);
  }
  schema::Conv2DOptionsT options;
  Window{{Padded(axes[0]), Padded(axes[1])}}.CopyTo(&options);
  options.groups = groups;
  *y = c.build.Add(std::move(options), {x, weights});
  return c.build.status();
}

Status CheckChannels(const fb::StablehloConvolutionOptionsT& o, int64_t channels, const Dims& weights,
                     int32_t* groups) {
  if (o.batch_group_count != 1) return Unsupported("batch_group_count {}", o.batch_group_count);
  MICRORT_ASSIGN_OR_RETURN(*groups, ToInt32(o.feature_group_count, "feature_group_count"));
  const int64_t outputs = weights.front(), each = weights.back();
  if (*groups >= 1 && channels % *groups == 0 && channels / *groups == each && outputs % *groups == 0)
    return Status();
  return Invalid("{} groups of {} channels, with weights for {}, and {} outputs", o.feature_group_count,
                 channels, each, outputs);
}

Status ImportHloConvolution(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloConvolutionOptionsT>();
  const int rank = c.x().rank();
  const size_t dims = o.input_spatial_dimensions.size();
  const Dims of_x = Layout(o.input_batch_dimension, o.input_spatial_dimensions, o.input_feature_dimension),
             of_weights = Layout(o.kernel_output_feature_dimension, o.kernel_spatial_dimensions,
                                 o.kernel_input_feature_dimension),
             of_y = Layout(o.output_batch_dimension, o.output_spatial_dimensions, o.output_feature_dimension);
  MICRORT_RETURN_IF_ERROR(CheckLayout(of_x, rank, "the dimensions of the input"));
  MICRORT_RETURN_IF_ERROR(CheckLayout(of_weights, c.x(1).rank(), "the dimensions of the kernel"));
  MICRORT_RETURN_IF_ERROR(CheckLayout(of_y, rank, "the dimensions of the output"));
  MICRORT_RETURN_IF_ERROR(CheckCount(of_weights.size(), rank, "the dimensions of the kernel"));
  if (dims > kMostDims) return Unsupported("windows over {} dimensions", dims);
  MICRORT_RETURN_IF_ERROR(CheckFixed(c, 1));
  const ir::ValueId weights = c.build.Transpose(c.input(1), {of_weights.begin(), of_weights.end()});
  const ir::ValueId x = c.build.Transpose(c.input(0), {of_x.begin(), of_x.end()});
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const Dims shape = c.value(weights).shape;
  if (dims == kMostDims) MICRORT_RETURN_IF_ERROR(CheckFixed(c, 0));
  int32_t groups = 1;
  MICRORT_RETURN_IF_ERROR(CheckChannels(o, c.value(x).shape.back(), shape, &groups));
  HloAxes axes(dims < 2 ? 2 - dims : 0);
  MICRORT_RETURN_IF_ERROR(ReadAxes(o, {shape.begin() + 1, shape.end() - 1}, &axes));
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(
      Convolve(c, AtLeastPlanes(c, x, dims), AtLeastPlanes(c, weights, dims), axes, groups, &y));
  const Dims order = ir::InverseOf(of_y);
  return c.Return(c.build.Transpose(WithoutPlanes(c, y, dims), {order.begin(), order.end()}));
}

}  // namespace

const ImporterList StablehloConvolutionImporters = {
    {"STABLEHLO_CONVOLUTION", 2, 2, ImportHloConvolution,
     Types(kFloat32).Without(
         "groups of batches; windows over more than three dimensions; weights, and volumes, "
         "whose shape is not fixed")},
};

}  // namespace micrort::frontend::tflite
