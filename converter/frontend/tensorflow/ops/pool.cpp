// Pooling of images.

#include "converter/frontend/tensorflow/ops/image.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::PoolKind;

// What lies outside of the image counts neither as a maximum nor in an average.
template <PoolKind kind>
Status ImportPool(OpContext& c) {
  Window window;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "ksize", &window.kernel));
  ir::ValueId x = ToNhwc(c, c.input(0));
  const bool is_max = kind == PoolKind::Max;
  const auto fill = is_max ? std::optional<float>(-std::numeric_limits<float>::infinity()) : std::nullopt;
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, fill, &x, &window));
  schema::Pool2DOptionsT options;
  SetWindow(window, &options);
  options.kind = kind;
  options.kernel_h = window.kernel[0];
  options.kernel_w = window.kernel[1];
  return c.Return(FromNhwc(c, c.build.Add(std::move(options), {x})));
}

}  // namespace

Span<const OpImporter> PoolOps() {
  static constexpr OpImporter kImporters[] = {
      {"AvgPool", 1, 1, ImportPool<PoolKind::Average>, "padding SAME where sizes are not fixed"},
      {"MaxPool", 1, 1, ImportPool<PoolKind::Max>},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
