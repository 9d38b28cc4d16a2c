#include "converter/frontend/onnx/ops/pool_indices.h"

#include "converter/frontend/common/max_positions.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/lower/positions.h"

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;

// What comes before each image in the whole tensor: [N,C,1].
ir::ValueId ImageOffsets(NodeContext& c, int64_t image) {
  const ir::ValueId n = c.build.Reshape(lower::PositionsAlong(c.build, c.input(0), 0), {kInferDim, 1, 1});
  const ir::ValueId channel =
      c.build.Reshape(lower::PositionsAlong(c.build, c.input(0), 1), {1, kInferDim, 1});
  const ir::ValueId channels = c.build.Slice(c.build.ShapeOf(c.input(0)), 0, 1, 2);
  const ir::ValueId before =
      c.build.Binary(BinaryKind::Add, c.build.Binary(BinaryKind::Mul, n, channels), channel);
  return c.build.Binary(BinaryKind::Mul, before, c.build.Integers({image}));
}

}  // namespace

Status PoolIndices(NodeContext& c, const Window& window, bool column_major, ir::ValueId y,
                   ir::ValueId* indices) {
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const size_t spatial = c.x().shape.size() - 2;
  const std::vector<WindowAxis> axes(window.axes.end() - static_cast<std::ptrdiff_t>(spatial),
                                     window.axes.end());
  ir::ValueId in_image = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(MaxPositions(c.build, c.input(0), y, axes, column_major, &in_image));
  int64_t image = 1;
  std::vector<int32_t> shape = {CopyDim(0), CopyDim(1)};
  for (size_t i = 0; i < spatial; ++i) {
    image *= c.x().shape[2 + i];
    shape.push_back(static_cast<int32_t>(c.value(y).dim(2 + i)));
  }
  const ir::ValueId flat = c.build.Binary(BinaryKind::Add, in_image, ImageOffsets(c, image));
  *indices = c.build.Reshape(flat, shape);
  return c.build.status();
}

}  // namespace micrort::frontend::onnx
