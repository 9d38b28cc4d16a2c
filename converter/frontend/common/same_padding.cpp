#include "converter/frontend/common/same_padding.h"

namespace micrort::frontend {

namespace {

using schema::BinaryKind;

// As Pad takes them.
ir::ValueId SamePads(ir::Builder& b, ir::ValueId x, const Strides& w) {
  const ir::ValueId size = b.Slice(b.ShapeOf(x), 0, 1, 3);
  const ir::ValueId stride = b.Integers({w.stride[0], w.stride[1]});
  const ir::ValueId up = b.Binary(BinaryKind::Add, size, b.Integers({w.stride[0] - 1, w.stride[1] - 1}));
  const ir::ValueId outputs = b.Binary(BinaryKind::Div, up, stride);
  const ir::ValueId last = b.Binary(BinaryKind::Sub, outputs, b.Integers({1, 1}));
  const ir::ValueId reach =
      b.Binary(BinaryKind::Add, b.Binary(BinaryKind::Mul, last, stride), b.Integers({w.span[0], w.span[1]}));
  const ir::ValueId total =
      b.Binary(BinaryKind::Max, b.Binary(BinaryKind::Sub, reach, size), b.Integers({0, 0}));
  const ir::ValueId begin = b.Binary(BinaryKind::Div, total, b.Integers({2, 2}));
  const ir::ValueId end = b.Binary(BinaryKind::Sub, total, begin);
  const ir::ValueId none = b.Integers({0});
  return b.Concat({none, begin, none, none, end, none}, 0);
}

// A picture of ones as large as x.
ir::ValueId Ones(ir::Builder& b, ir::ValueId x) {
  const ir::ValueId one = b.Integers({1});
  return b.Add(schema::ExpandOptionsT(),
               {b.Scalar(1), b.Concat({one, b.Slice(b.ShapeOf(x), 0, 1, 3), one}, 0)});
}

}  // namespace

ir::ValueId PadSame(ir::Builder& build, ir::ValueId x, const Strides& window, float fill) {
  schema::PadOptionsT options;
  options.value = fill;
  return build.Add(std::move(options), {x, SamePads(build, x, window)});
}

ir::ValueId WithoutPadding(ir::Builder& build, ir::ValueId image, const Strides& window,
                           const schema::Pool2DOptionsT& options, ir::ValueId y) {
  const ir::ValueId ones = PadSame(build, Ones(build, image), window, 0);
  return build.Binary(BinaryKind::Div, y, build.Add(options, {ones}));
}

}  // namespace micrort::frontend
