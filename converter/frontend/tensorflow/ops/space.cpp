// Between space, depth and batch.

#include <limits>

#include "converter/frontend/common/blocks.h"
#include "converter/frontend/tensorflow/ops/image.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// Channels are [block row, block column, channel of the output].
template <Result<ir::ValueId> (*Move)(ir::Builder&, ir::ValueId, int64_t)>
Status ImportDepth(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y, Move(c.build, ToNhwc(c, c.input(0)), c.Int("block_size", 0)));
  return c.Return(FromNhwc(c, y));
}

// inputs: x, sizes, borders; or x and borders, with one size for height and width as an attribute.
template <Result<ir::ValueId> (*Move)(ir::Builder&, ir::ValueId, const SpatialBlocks&)>
Status ImportBatch(OpContext& c) {
  std::vector<int64_t> sizes, borders;
  if (c.input_count() == 2) sizes.assign(2, c.Int("block_size", 0));
  if (c.input_count() == 3) MICRORT_RETURN_IF_ERROR(Take(c.ConstantIntegers(1), &sizes));
  const size_t last = c.input_count() - 1;
  SpatialBlocks blocks;
  if (ir::IntegersOf(c.x(last), &borders)) {
    MICRORT_ASSIGN_OR_RETURN(blocks, ReadSpatialBlocks(c.x(), std::move(sizes), borders));
  } else {
    MICRORT_RETURN_IF_ERROR(c.ExpectRank(last, 2));
    MICRORT_ASSIGN_OR_RETURN(blocks, ReadSpatialBlocks(c.x(), std::move(sizes), c.AsInt64(c.input(last))));
  }
  return c.Return(Move(c.build, c.input(0), blocks));
}

// Windows of images, one after the other in the channels of the output: row, column, channel.
Status ImportPatches(OpContext& c) {
  Window window;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "ksizes", &WindowAxis::kernel, &window));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "rates", &WindowAxis::dilation, &window));
  ir::ValueId x = c.input(0);
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, 0.0f, &x, &window));
  const WindowAxis &h = window.height(), &w = window.width();
  const int64_t taps = SaturatedProduct(h.kernel, w.kernel);
  if (taps > 1024) return Unsupported("a window of {}", taps);
  x = c.build.Padded(x, {0, h.pad_begin, w.pad_begin, 0, 0, h.pad_end, w.pad_end, 0});
  std::vector<ir::ValueId> parts;
  for (int64_t row = 0; row < h.kernel; ++row) {
    for (int64_t column = 0; column < w.kernel; ++column) {
      schema::SliceOptionsT slice;
      const int64_t tap[] = {row, column};
      for (int i = 0; i < 2; ++i) {
        const WindowAxis& axis = i == 0 ? h : w;
        const int64_t before = tap[i] * axis.dilation;
        const int64_t after = axis.span() - 1 - before;
        ir::AddRange(1 + i, before, after == 0 ? std::numeric_limits<int64_t>::max() : -after, axis.stride,
                     &slice);
      }
      parts.push_back(c.build.Add(std::move(slice), {x}));
    }
  }
  return c.Return(parts.size() == 1 ? parts[0] : c.build.Concat(parts, 3));
}

}  // namespace

const ImporterList SpaceOps = {
    {"BatchToSpace", 2, 2, ImportBatch<BatchToSpace>},
    {"BatchToSpaceND", 3, 3, ImportBatch<BatchToSpace>, "block sizes that are not constant"},
    {"DepthToSpace", 1, 1, ImportDepth<DepthToSpace>, "a number of channels that is not fixed"},
    {"ExtractImagePatches", 1, 1, ImportPatches},
    {"SpaceToBatch", 2, 2, ImportBatch<SpaceToBatch>},
    {"SpaceToBatchND", 3, 3, ImportBatch<SpaceToBatch>, "block sizes that are not constant"},
    {"SpaceToDepth", 1, 1, ImportDepth<SpaceToDepth>},
};

}  // namespace micrort::frontend::tensorflow
