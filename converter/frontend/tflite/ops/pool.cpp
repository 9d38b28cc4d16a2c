// AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D.

#include "kernels/pool/pool.h"

#include <limits>

#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/ops/window.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

// *x is padded where the window cannot say how.
Status ReadPool(OpContext& c, schema::PoolKind kind, ir::ValueId* x, Window* window) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 4));
  const auto o = c.op.Options<fb::Pool2DOptionsT>();
  window->axes = {{o.filter_height, o.stride_h}, {o.filter_width, o.stride_w}};
  const float fill = kind == schema::PoolKind::Max ? -std::numeric_limits<float>::infinity() : 0;
  return SettlePadding(c, o.padding, fill, x, window);
}

Result<ir::ValueId> Pool(OpContext& c, schema::PoolKind kind, ir::ValueId image) {
  Window window;
  ir::ValueId x = image;
  MICRORT_RETURN_IF_ERROR(ReadPool(c, kind, &x, &window));
  return c.build.Checked(Pooled(c.build, kind, image, x, window));
}

// Whether the runtime pools the integers.
bool HasInt16Pool(OpContext& c, const fb::Pool2DOptionsT& o) {
  ir::Quantization x, y;
  return ComputesInt16(c, 1) && Int16Clamp(o.fused_activation_function) &&
         int64_t{o.filter_height} * o.filter_width <= kMaxTfliteTaps &&
         ReadQuantization(c.op.tensor(0), &x).ok() && ReadQuantization(c.op.output_tensor(0), &y).ok() &&
         x == y;
}

// An activation is an operator of its own, which keeps the scale.
Status ImportInt16Pool(OpContext& c, const schema::Pool2DOptionsT& options) {
  const auto clamp = Int16Clamp(c.op.Options<fb::Pool2DOptionsT>().fused_activation_function);
  if (clamp->kind() == schema::ActivationKind::None) return ReturnInt16(c, options, {c.stored(0)});
  ir::Quantization quantization;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.output_tensor(0), &quantization));
  const ir::ValueId pooled = c.build.AddFixed(options, {c.stored(0)}, DType::kInt16, quantization);
  schema::UnaryOptionsT clip;
  clip.kind = schema::UnaryKind::Clip;
  clip.a = clamp->a(), clip.b = clamp->b();
  return ReturnInt16(c, clip, {pooled});
}

template <schema::PoolKind kKind>
Status ImportPool(OpContext& c) {
  const auto o = c.op.Options<fb::Pool2DOptionsT>();
  if (HasInt16Pool(c, o)) {
    const ir::ValueId image = c.input(0);
    ir::ValueId x = image;
    Window window;
    schema::Pool2DOptionsT options;
    MICRORT_RETURN_IF_ERROR(ReadPool(c, kKind, &x, &window));
    options.kind = kKind;
    window.CopyTo(&options);
    if (x == image) return ImportInt16Pool(c, options);
  }
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId y, Pool(c, kKind, c.input(0)));
  return c.Return(y, o.fused_activation_function);
}

// The root of the mean of squares.
Status ImportL2Pool(OpContext& c) {
  ir::ValueId y = c.build.Mul(c.input(0), c.input(0));
  MICRORT_ASSIGN_OR_RETURN(y, Pool(c, schema::PoolKind::Average, y));
  y = c.build.Sqrt(y);
  return c.Return(y, c.op.Options<fb::Pool2DOptionsT>().fused_activation_function);
}

constexpr TypeSet kPooled = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);

}  // namespace

const ImporterList PoolImporters = {
    {"AVERAGE_POOL_2D", 1, 1, ImportPool<schema::PoolKind::Average>, Types(kPooled)},
    {"L2_POOL_2D", 1, 1, ImportL2Pool, Types(kFloat32)},
    {"MAX_POOL_2D", 1, 1, ImportPool<schema::PoolKind::Max>, Types(kPooled)},
};

}  // namespace micrort::frontend::tflite
