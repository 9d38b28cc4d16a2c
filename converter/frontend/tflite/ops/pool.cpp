// AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D.

#include <limits>

#include "converter/frontend/tflite/ops/window.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

Status Pool(OpContext& c, schema::PoolKind kind, ir::ValueId x, ir::ValueId* y) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 4));
  const auto o = c.op.Options<fb::Pool2DOptionsT>();
  Window window = {{o.filter_height, o.stride_h}, {o.filter_width, o.stride_w}};
  const ir::ValueId image = x;
  const float fill = kind == schema::PoolKind::Max ? -std::numeric_limits<float>::infinity() : 0;
  MICRORT_RETURN_IF_ERROR(SettlePadding(c, o.padding, fill, &x, &window));
  schema::Pool2DOptionsT options;
  options.kind = kind;
  options.kernel_h = o.filter_height, options.kernel_w = o.filter_width;
  window.CopyTo(&options);
  *y = c.build.Add(options, {x});
  if (kind == schema::PoolKind::Average && x != image)
    *y = WithoutPadding(c.build, image, window.strides(), options, *y);
  return c.build.status();
}

template <schema::PoolKind kKind>
Status ImportPool(OpContext& c) {
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(Pool(c, kKind, c.input(0), &y));
  return c.Return(y, c.op.Options<fb::Pool2DOptionsT>().fused_activation_function);
}

// The root of the mean of squares.
Status ImportL2Pool(OpContext& c) {
  ir::ValueId y = c.build.Binary(schema::BinaryKind::Mul, c.input(0), c.input(0));
  MICRORT_RETURN_IF_ERROR(Pool(c, schema::PoolKind::Average, y, &y));
  y = c.build.Unary(schema::UnaryKind::Sqrt, y);
  return c.Return(y, c.op.Options<fb::Pool2DOptionsT>().fused_activation_function);
}

constexpr TypeSet kPooled = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);

}  // namespace

Span<const OpImporter> PoolImporters() {
  static constexpr OpImporter kImporters[] = {
      {"AVERAGE_POOL_2D", 1, 1, ImportPool<schema::PoolKind::Average>, Types(kPooled)},
      {"L2_POOL_2D", 1, 1, ImportL2Pool, Types(kFloat32)},
      {"MAX_POOL_2D", 1, 1, ImportPool<schema::PoolKind::Max>, Types(kPooled)},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tflite
