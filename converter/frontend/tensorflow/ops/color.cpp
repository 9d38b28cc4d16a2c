// Colours of images: contrast, hue and saturation.

#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::BinaryKind;
using schema::ReduceKind;
using schema::UnaryKind;

// Three images of one channel.
struct Channels {
  ir::ValueId first, second, third;
};

Result<Channels> Split(OpContext& c) {
  if (c.rank() < 1 || c.x().shape.back() != 3) return Invalid("expected three channels");
  if (c.x().dtype != DType::kFloat32) return Unsupported("of type {}", Name(c.x().dtype));
  const auto channel = [&](int64_t i) { return c.build.Slice(c.input(0), c.rank() - 1, i, i + 1); };
  return Channels{channel(0), channel(1), channel(2)};
}

ir::ValueId Join(OpContext& c, const Channels& x) {
  return c.build.Concat({x.first, x.second, x.third}, c.rank() - 1);
}

Channels ToHsv(OpContext& c, const Channels& rgb) {
  ir::Builder& m = c.build;
  const auto equal = [&](ir::ValueId a, ir::ValueId b) { return c.build.Equal(a, b); };
  const auto extremum = [&](BinaryKind kind) {
    return c.build.Binary(kind, c.build.Binary(kind, rgb.first, rgb.second), rgb.third);
  };
  const ir::ValueId value = extremum(BinaryKind::Max), zero = m.Scalar(0);
  const ir::ValueId range = m.Sub(value, extremum(BinaryKind::Min));
  const ir::ValueId is_grey = equal(range, zero);
  const ir::ValueId sixth = m.Div(m.Scalar(1.0 / 6), m.If(is_grey, m.Scalar(1), range));
  const auto part = [&](ir::ValueId a, ir::ValueId b, double turn) {
    return m.Add(m.Mul(sixth, m.Sub(a, b)), m.Scalar(turn));
  };
  ir::ValueId hue = m.If(equal(rgb.second, value), part(rgb.third, rgb.first, 2.0 / 6),
                         part(rgb.first, rgb.second, 4.0 / 6));
  hue = m.If(equal(rgb.first, value), part(rgb.second, rgb.third, 0), hue);
  hue = m.If(is_grey, zero, m.If(m.Less(hue, zero), m.Add(hue, m.Scalar(1)), hue));
  const ir::ValueId has_light = m.Less(zero, value);
  const ir::ValueId saturation = m.If(has_light, m.Div(range, m.If(has_light, value, m.Scalar(1))), zero);
  return {hue, saturation, value};
}

Channels ToRgb(OpContext& c, const Channels& hsv) {
  ir::Builder& m = c.build;
  const ir::ValueId turn = m.Mul(hsv.first, m.Scalar(6)), one = m.Scalar(1);
  const auto distance = [&](double from) { return c.build.Abs(m.Sub(turn, m.Scalar(from))); };
  const auto channel = [&](ir::ValueId share) {
    const ir::ValueId clipped = c.build.Unary(UnaryKind::Clip, share, 0, 1);
    return m.Mul(m.Add(m.Sub(one, hsv.second), m.Mul(hsv.second, clipped)), hsv.third);
  };
  return {channel(m.Sub(distance(3), one)), channel(m.Sub(m.Scalar(2), distance(2))),
          channel(m.Sub(m.Scalar(2), distance(4)))};
}

template <Channels (*convert)(OpContext&, const Channels&)>
Status ImportConversion(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Channels x, Split(c));
  return c.Return(Join(c, convert(c, x)));
}

// inputs: images, by how much of a turn the hue changes.
Status ImportAdjustHue(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Channels x, Split(c));
  ir::Builder& m = c.build;
  Channels hsv = ToHsv(c, x);
  const ir::ValueId hue = m.Add(hsv.first, c.input(1));
  hsv.first = m.Sub(hue, c.build.Floor(hue));
  return c.Return(Join(c, ToRgb(c, hsv)));
}

Status ImportAdjustSaturation(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Channels x, Split(c));
  Channels hsv = ToHsv(c, x);
  hsv.second = c.build.Unary(UnaryKind::Clip, c.build.Mul(hsv.second, c.input(1)), 0, 1);
  return c.Return(Join(c, ToRgb(c, hsv)));
}

// Distances from the mean of each image's channel become longer by a factor.
Status ImportAdjustContrast(OpContext& c) {
  if (c.rank() < 3) return Invalid("images of {} dimensions", c.rank());
  if (c.x().dtype != DType::kFloat32) return Unsupported("of type {}", Name(c.x().dtype));
  ir::Builder& m = c.build;
  const ir::ValueId mean = c.build.Reduce(ReduceKind::Mean, c.input(0), {c.rank() - 3, c.rank() - 2}, true);
  return c.Return(m.Add(m.Mul(m.Sub(c.input(0), mean), c.input(1)), mean));
}

}  // namespace

const ImporterList ColorOps = {
    {"AdjustContrastv2", 2, 2, ImportAdjustContrast},   {"AdjustHue", 2, 2, ImportAdjustHue},
    {"AdjustSaturation", 2, 2, ImportAdjustSaturation}, {"HSVToRGB", 1, 1, ImportConversion<ToRgb>},
    {"RGBToHSV", 1, 1, ImportConversion<ToHsv>},
};

}  // namespace micrort::frontend::tensorflow
