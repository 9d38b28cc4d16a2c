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
  MICRORT_RETURN_IF_ERROR(PlainOptions(c, 3, &stated));
  MICRORT_ASSIGN_OR_RETURN(fb::Padding padding, ReadPadding(stated[0]));
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
  const ir::ValueId size = c.build.Integer(row);
  const ir::ValueId tap_y = c.build.Sub(c.build.Div(positions, size), c.build.Integers(top));
  const ir::ValueId tap_x = c.build.Sub(c.build.Mod(positions, size), c.build.Integers(left));
  const ir::ValueId tap = c.build.Add(c.build.Mul(tap_y, c.build.Integer(o.filter_w)), tap_x);
  const ir::ValueId image = c.build.Reshape(
      tap, {ir::CopyDim(0), ir::CopyDim(1), static_cast<int32_t>(height), static_cast<int32_t>(width)});
  const ir::ValueId floats = c.build.Cast(ToNhwc(c.build, image, 4), DType::kFloat32);
  c.SetOutput(1, c.build.Add(floats, c.build.Scalar(0.1f)));
  return c.Return(y, o.activation);
}

// Maxima [N,in_height,in_width,channels] and the image that they go back to.
struct Unpooling {
  Window window;
  int64_t in_height, in_width, height, width, channels;

  int64_t elements() const { return height * width * channels; }
};

Result<Unpooling> ReadUnpooling(OpContext& c) {
  PoolStruct o;
  MICRORT_RETURN_IF_ERROR(ReadPool(c, &o));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(1, 4));
  const std::vector<int64_t> in = c.x().shape;
  if (in[1] == ir::kDynamic || in[2] == ir::kDynamic || in[3] == ir::kDynamic)
    return Unsupported("an image whose size is not fixed");
  if (std::max({in[1], in[2], in[3]}) > ir::kMaxMade ||
      in[1] * in[2] > ir::kMaxMade / std::max<int64_t>(1, in[3]))
    return Unsupported("an image of more than {} maxima", ir::kMaxMade);
  Unpooling u = {{{{o.filter_h, o.stride_h}, {o.filter_w, o.stride_w}}},
                 in[1],
                 in[2],
                 in[1] * o.filter_h,
                 in[2] * o.filter_w,
                 in[3]};
  WindowAxis &y = u.window.height(), &x = u.window.width();
  y.pad_begin = std::max<int64_t>(0, (u.in_height - 1) * y.stride + y.kernel - u.height) / 2;
  x.pad_begin = std::max<int64_t>(0, (u.in_width - 1) * x.stride + x.kernel - u.width) / 2;
  return u;
}

// The place in its image of the first tap of each maximum's window.
std::vector<int64_t> FirstTaps(const Unpooling& u) {
  std::vector<int64_t> firsts;
  for (const int64_t top : Origins(u.window.height(), u.in_height)) {
    for (const int64_t left : Origins(u.window.width(), u.in_width)) {
      for (int64_t channel = 0; channel < u.channels; ++channel)
        firsts.push_back((top * u.width + left) * u.channels + channel);
    }
  }
  return firsts;
}

// Where in its image each maximum goes: int64 [N,in_height,in_width,channels]. One behind the last element
// stands for all places outside: windows further apart than they are large reach over the edges of the image,
// and taps are numbers that any operator may have computed.
ir::ValueId PlacesOf(ir::Builder& build, const Unpooling& u, ir::ValueId taps) {
  const ir::ValueId filter_width = build.Integer(u.window.width().kernel);
  const ir::ValueId down = build.Div(taps, filter_width);
  const ir::ValueId right = build.Sub(taps, build.Mul(down, filter_width));
  const ir::ValueId firsts = build.Constant({u.in_height, u.in_width, u.channels}, FirstTaps(u));
  const ir::ValueId from_first = build.Add(build.Mul(down, build.Integer(u.width * u.channels)),
                                           build.Mul(right, build.Integer(u.channels)));
  const ir::ValueId places = build.Add(from_first, firsts);
  const auto within = [&](ir::ValueId at, int64_t size) {
    return build.And(build.GreaterOrEqual(at, build.Integer(0)), build.Less(at, build.Integer(size)));
  };
  const ir::ValueId tops = build.Constant({u.in_height, 1, 1}, Origins(u.window.height(), u.in_height));
  const ir::ValueId lefts = build.Constant({u.in_width, 1}, Origins(u.window.width(), u.in_width));
  const ir::ValueId inside =
      build.And(within(build.Add(down, tops), u.height), within(build.Add(right, lefts), u.width));
  return build.If(inside, places, build.Integer(u.elements()));
}

// Maxima that would go outside of the image are left out: they go to an element behind it, which is cut off.
Status ImportMaxUnpool(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const Unpooling u, ReadUnpooling(c));
  std::vector<int32_t> out = {ir::CopyDim(0), 0, 0, static_cast<int32_t>(u.channels)};
  MICRORT_ASSIGN_OR_RETURN(out[1], ToInt32(u.height, "height of the output"));
  MICRORT_ASSIGN_OR_RETURN(out[2], ToInt32(u.width, "width of the output"));
  const auto flat = [&](ir::ValueId x) { return c.build.Reshape(x, {ir::CopyDim(0), ir::kInferDim}); };
  const ir::ValueId places = flat(PlacesOf(c.build, u, c.build.Cast(c.input(1), DType::kInt64)));
  const ir::ValueId shape =
      c.build.Concat({c.build.DimOf(c.input(0), 0), c.build.Integers({u.elements() + 1})}, 0);
  const ir::ValueId zeros = c.build.Expand({c.build.Scalar(0), shape});
  const ir::ValueId image = c.build.ScatterElements({zeros, places, flat(c.input(0))}, 1);
  return c.Return(c.build.Reshape(c.build.Slice(image, 1, 0, u.elements()), out));
}

}  // namespace

const ImporterList MediaPipeImageImporters = {
    {"Convolution2DTransposeBias", 3, 3, ImportTransposeConvBias, Types(kFloat32)},
    {"MaxPoolingWithArgmax2D", 1, 1, ImportMaxPoolWithArgmax, Types(kFloat32).Without("images of open size")},
    {"MaxUnpooling2D", 2, 2, ImportMaxUnpool, Types(kFloat32).Without("images of open size")},
};

}  // namespace micrort::frontend::tflite
