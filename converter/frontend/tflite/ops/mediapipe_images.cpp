// MediaPipe's operators on images: Convolution2DTransposeBias, and MaxPoolingWithArgmax2D with
// MaxUnpooling2D, which puts maxima back to their places.

#include <algorithm>

#include "converter/frontend/common/max_positions.h"
#include "converter/frontend/common/window.h"
#include "converter/frontend/tflite/ops/custom_options.h"
#include "converter/frontend/tflite/ops/window.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

// TFLite's runtime counts paddings from 1.
Result<fb::Padding> ReadPadding(int32_t stated) {
  if (stated != 1 && stated != 2) return Invalid("padding {}", stated);
  return stated == 1 ? fb::Padding::Same : fb::Padding::Valid;
}

// What the operator makes of a dimension: SAME cuts off as if the input had been padded.
Status SettleTransposed(fb::Padding padding, int64_t size, WindowAxis* axis) {
  MICRORT_RETURN_IF_ERROR(SettlePadding(fb::Padding::Valid, size, axis));
  if (padding == fb::Padding::Valid) return Status();
  if (size == ir::kDynamic) return Unsupported("an image whose size is not fixed");
  const int64_t cut = std::max<int64_t>(0, axis->kernel - (size - 1) % axis->stride - 1);
  return SetPads(cut / 2, cut - cut / 2, axis);
}

Status ImportTransposeConvBias(OpContext& c) {
  std::vector<int32_t> stated;  // padding, stride of width, of height
  fb::Padding padding = fb::Padding::Valid;
  MICRORT_RETURN_IF_ERROR(PlainOptions(c, 3, &stated));
  MICRORT_ASSIGN_OR_RETURN(padding, ReadPadding(stated[0]));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 4));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(1, 4));
  const ir::Value weights = c.x(1);
  if (!weights.is_static()) return Unsupported("weights whose shape is not fixed");
  Window window = {{{weights.shape[1], stated[2]}, {weights.shape[2], stated[1]}}};
  MICRORT_RETURN_IF_ERROR(SettleTransposed(padding, c.x().shape[1], &window.height()));
  MICRORT_RETURN_IF_ERROR(SettleTransposed(padding, c.x().shape[2], &window.width()));
  schema::ConvTranspose2DOptionsT options;
  window.CopyTo(&options);
  return c.Return(c.build.Add(std::move(options), {c.input(0), c.input(1), c.input(2)}));
}

struct PoolStruct {
  fb::Padding padding;
  int64_t stride_h, stride_w, filter_h, filter_w;
  fb::ActivationFunctionType activation;
};

Status ReadPool(OpContext& c, PoolStruct* out) {
  constexpr int32_t kMost = 1 << 12;
  std::vector<int32_t> stated;  // padding, strides and filter, width first; activation
  MICRORT_RETURN_IF_ERROR(PlainOptions(c, 6, &stated));
  MICRORT_ASSIGN_OR_RETURN(out->padding, ReadPadding(stated[0]));
  if (std::any_of(stated.begin() + 1, stated.begin() + 5, [](int32_t v) { return v < 1 || v > kMost; }))
    return Invalid("its custom options: expected strides and sizes from 1 to {}", kMost);
  out->stride_w = stated[1], out->stride_h = stated[2];
  out->filter_w = stated[3], out->filter_h = stated[4];
  out->activation = static_cast<fb::ActivationFunctionType>(stated[5]);
  return c.CheckRank(0, 4);
}

// Where windows along a dimension begin.
std::vector<int64_t> Origins(const WindowAxis& axis, int64_t count) {
  std::vector<int64_t> origins;
  for (int64_t i = 0; i < count; ++i) origins.push_back(i * axis.stride - axis.pad_begin);
  return origins;
}

// The second output says at which tap of its window, row by row, each maximum was, and a tenth more.
Status ImportMaxPoolWithArgmax(OpContext& c) {
  PoolStruct o;
  MICRORT_RETURN_IF_ERROR(ReadPool(c, &o));
  Window window = {{{o.filter_h, o.stride_h}, {o.filter_w, o.stride_w}}};
  MICRORT_RETURN_IF_ERROR(SettlePadding(o.padding, c.x(), &window));
  schema::Pool2DOptionsT options;
  options.kind = schema::PoolKind::Max;
  window.CopyTo(&options);
  const ir::ValueId y = c.build.Add(std::move(options), {c.input(0)});
  const ir::ValueId pooled = FromNhwc(c.build, y, 4);
  MICRORT_ASSIGN_OR_RETURN(
      const ir::ValueId positions,
      MaxPositions(c.build, FromNhwc(c.build, c.input(0), 4), pooled, window.axes, false));
  const int64_t height = c.value(y).dim(1), width = c.value(y).dim(2), row = c.x().shape[2];
  const std::vector<int64_t> tops = Origins(window.height(), height), lefts = Origins(window.width(), width);
  std::vector<int64_t> top, left;
  for (int64_t i = 0; i < height * width; ++i) {
    top.push_back(tops[static_cast<size_t>(i / width)]);
    left.push_back(lefts[static_cast<size_t>(i % width)]);
  }
  const ir::ValueId size = c.build.Constant<int64_t>({}, {row});
  const ir::ValueId tap_y = c.build.Sub(c.build.Div(positions, size), c.build.Integers(top));
  const ir::ValueId tap_x = c.build.Sub(c.build.Mod(positions, size), c.build.Integers(left));
  const ir::ValueId tap = c.build.Add(c.build.Mul(tap_y, c.build.Constant<int64_t>({}, {o.filter_w})), tap_x);
  const ir::ValueId image = c.build.Reshape(
      tap, {ir::CopyDim(0), ir::CopyDim(1), static_cast<int32_t>(height), static_cast<int32_t>(width)});
  const ir::ValueId floats = c.build.Cast(ToNhwc(c.build, image, 4), DType::kFloat32);
  c.SetOutput(1, c.build.Add(floats, c.build.Scalar(0.1f)));
  return c.Return(y, o.activation);
}

Status ImportMaxUnpool(OpContext& c) {
  constexpr int64_t kMostMaxima = int64_t{1} << 24;  // of one image, since their places become a constant
  PoolStruct o;
  MICRORT_RETURN_IF_ERROR(ReadPool(c, &o));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(1, 4));
  const std::vector<int64_t> in = c.x().shape;
  if (in[1] == ir::kDynamic || in[2] == ir::kDynamic || in[3] == ir::kDynamic)
    return Unsupported("an image whose size is not fixed");
  if (std::max({in[1], in[2], in[3]}) > kMostMaxima ||
      in[1] * in[2] > kMostMaxima / std::max<int64_t>(1, in[3]))
    return Unsupported("an image of more than {} maxima", kMostMaxima);
  const int64_t height = in[1] * o.filter_h, width = in[2] * o.filter_w, channels = in[3];
  std::vector<int32_t> out = {ir::CopyDim(0), 0, 0, static_cast<int32_t>(channels)};
  MICRORT_ASSIGN_OR_RETURN(out[1], ToInt32(height, "height of the output"));
  MICRORT_ASSIGN_OR_RETURN(out[2], ToInt32(width, "width of the output"));
  Window window = {{{o.filter_h, o.stride_h}, {o.filter_w, o.stride_w}}};
  window.height().pad_begin = std::max<int64_t>(0, (in[1] - 1) * o.stride_h + o.filter_h - height) / 2;
  window.width().pad_begin = std::max<int64_t>(0, (in[2] - 1) * o.stride_w + o.filter_w - width) / 2;
  // The place of each window's first tap in its image, and how far the others are from it.
  std::vector<int64_t> firsts;
  for (const int64_t top : Origins(window.height(), in[1])) {
    for (const int64_t left : Origins(window.width(), in[2])) {
      for (int64_t channel = 0; channel < channels; ++channel)
        firsts.push_back((top * width + left) * channels + channel);
    }
  }
  const auto number = [&](int64_t v) { return c.build.Constant<int64_t>({}, {v}); };
  const ir::ValueId tap =
      c.build.Reshape(c.build.Cast(c.input(1), DType::kInt64), {ir::CopyDim(0), ir::kInferDim});
  const ir::ValueId down = c.build.Mul(c.build.Div(tap, number(o.filter_w)), number(width * channels));
  const ir::ValueId right = c.build.Mul(c.build.Mod(tap, number(o.filter_w)), number(channels));
  const ir::ValueId places = c.build.Add(c.build.Add(down, right), c.build.Integers(firsts));
  const ir::ValueId shape =
      c.build.Concat({ir::DimOf(c.build, c.input(0), 0), c.build.Integers({height * width * channels})}, 0);
  const ir::ValueId zeros = c.build.Expand({c.build.Scalar(0), shape});
  const ir::ValueId maxima = c.build.Reshape(c.input(0), {ir::CopyDim(0), ir::kInferDim});
  const ir::ValueId flat = ir::ScatterElements(c.build, {zeros, places, maxima}, 1);
  return c.Return(c.build.Reshape(flat, out));
}

}  // namespace

const ImporterList MediaPipeImageImporters = {
    {"Convolution2DTransposeBias", 3, 3, ImportTransposeConvBias, Types(kFloat32)},
    {"MaxPoolingWithArgmax2D", 1, 1, ImportMaxPoolWithArgmax, Types(kFloat32).Without("images of open size")},
    {"MaxUnpooling2D", 2, 2, ImportMaxUnpool, Types(kFloat32).Without("images of open size")},
};

}  // namespace micrort::frontend::tflite
