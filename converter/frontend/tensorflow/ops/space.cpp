// Between space, depth and batch.

#include <limits>

#include "converter/frontend/common/blocks.h"
#include "converter/frontend/tensorflow/ops/image.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// Channels are [block row, block column, channel of the output].
template <Status (*Move)(ir::Builder&, ir::ValueId, int64_t, ir::ValueId*)>
Status ImportDepth(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(Move(c.build, ToNhwc(c, c.input(0)), c.Int("block_size", 0), &y));
  return c.Return(FromNhwc(c, y));
}

// inputs: x, sizes, borders; or x and borders, with one size for height and width as an attribute.
template <Status (*Move)(ir::Builder&, ir::ValueId, const SpatialBlocks&, ir::ValueId*)>
Status ImportBatch(OpContext& c) {
  std::vector<int64_t> sizes, borders;
  if (c.input_count() == 2) sizes.assign(2, c.Int("block_size", 0));
  if (c.input_count() == 3) MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &sizes));
  const size_t last = c.input_count() - 1;
  SpatialBlocks blocks;
  if (ir::IntegersOf(c.x(last), &borders)) {
    MICRORT_RETURN_IF_ERROR(ReadSpatialBlocks(c.x(), std::move(sizes), borders, &blocks));
  } else {
    MICRORT_RETURN_IF_ERROR(c.ExpectRank(last, 2));
    MICRORT_RETURN_IF_ERROR(ReadSpatialBlocks(c.x(), std::move(sizes), c.AsInt64(c.input(last)), &blocks));
  }
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(Move(c.build, c.input(0), blocks, &y));
  return c.Return(y);
}

// Windows of images, one after the other in the channels of the output: row, column, channel.
Status ImportPatches(OpContext& c) {
  Window window;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "ksizes", &window.kernel));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "rates", &window.dilation));
  ir::ValueId x = c.input(0);
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, 0.0f, &x, &window));
  int64_t taps = int64_t{window.kernel[0]} * window.kernel[1];
  if (taps > 1024) return MICRORT_ERROR(kUnsupported, "a window of %lld", static_cast<long long>(taps));
  schema::PadOptionsT pad;
  pad.pads = {0, window.pad_begin[0], window.pad_begin[1], 0, 0, window.pad_end[0], window.pad_end[1], 0};
  x = c.build.Add(std::move(pad), {x});
  std::vector<ir::ValueId> parts;
  for (int32_t row = 0; row < window.kernel[0]; ++row) {
    for (int32_t column = 0; column < window.kernel[1]; ++column) {
      schema::SliceOptionsT slice;
      const int32_t tap[] = {row, column};
      for (int i = 0; i < 2; ++i) {
        const int64_t before = int64_t{tap[i]} * window.dilation[i];
        const int64_t after = window.span(i) - 1 - before;
        slice.axes.push_back(1 + i);
        slice.starts.push_back(before);
        slice.ends.push_back(after == 0 ? std::numeric_limits<int64_t>::max() : -after);
        slice.steps.push_back(window.stride[i]);
      }
      parts.push_back(c.build.Add(std::move(slice), {x}));
    }
  }
  return c.Return(parts.size() == 1 ? parts[0] : c.build.Concat(parts, 3));
}

}  // namespace

Span<const OpImporter> SpaceOps() {
  static constexpr OpImporter kImporters[] = {
      {"BatchToSpace", 2, 2, ImportBatch<BatchToSpace>},
      {"BatchToSpaceND", 3, 3, ImportBatch<BatchToSpace>, "block sizes that are not constant"},
      {"DepthToSpace", 1, 1, ImportDepth<DepthToSpace>, "a number of channels that is not fixed"},
      {"ExtractImagePatches", 1, 1, ImportPatches},
      {"SpaceToBatch", 2, 2, ImportBatch<SpaceToBatch>},
      {"SpaceToBatchND", 3, 3, ImportBatch<SpaceToBatch>, "block sizes that are not constant"},
      {"SpaceToDepth", 1, 1, ImportDepth<SpaceToDepth>},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
