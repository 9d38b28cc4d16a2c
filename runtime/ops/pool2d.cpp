// Pool2D: maximum or average over windows of an NHWC image.

#include "kernels/pool/pool2d.h"

#include <algorithm>

#include "kernels/base/has_int16.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/conv_geometry.h"
#include "runtime/ops/layer_operands.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/parse_rounding.h"
#include "runtime/ops/per_tensor_quantization.h"
#include "runtime/ops/work_control.h"

namespace micrort {
namespace pool2d_op {
namespace {

struct State {
  bool average;
  bool ceil_mode;
  Pool2DCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::Pool2DOptions* o = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &o));
  State& s = *static_cast<State*>(state);
  s.average = o->kind() != schema::PoolKind::Max;
  s.call.params.sum = o->kind() == schema::PoolKind::Sum;
  if (o->kind() > schema::PoolKind::MAX) {
    return MICRORT_ERROR(kInvalidModel, "pool kind %d does not exist", static_cast<int>(o->kind()));
  }
  s.ceil_mode = o->ceil_mode();
  MICRORT_RETURN_IF_ERROR(ParseRounding(op, &s.call.quantization.rounding));
  ConvGeometry g;
  MICRORT_RETURN_IF_ERROR(ParseGeometry(*o, &g));
  if (o->kernel_h() <= 0 || o->kernel_w() <= 0) {
    return MICRORT_ERROR(kInvalidModel, "kernel %dx%d must be positive", o->kernel_h(), o->kernel_w());
  }
  Pool2DParams& p = s.call.params;
  p.kernel_h = o->kernel_h();
  p.kernel_w = o->kernel_w();
  p.stride_h = g.stride_h;
  p.stride_w = g.stride_w;
  p.dilation_h = g.dilation_h;
  p.dilation_w = g.dilation_w;
  p.pad_top = g.pad_top;
  p.pad_left = g.pad_left;
  p.pad_bottom = g.pad_bottom;
  p.pad_right = g.pad_right;
  p.count_include_pad = o->count_include_pad();
  return Status();
}

// Fills the sizes and gives the shape of the output.
Status SetSizes(const State& s, const Shape& in, Pool2DParams* p, Shape* out) {
  p->batch = in[0];
  p->in_h = in[1];
  p->in_w = in[2];
  p->channels = in[3];
  p->out_h = PoolOutputSize(p->in_h, p->kernel_h, p->stride_h, p->dilation_h, p->pad_top, p->pad_bottom,
                            s.ceil_mode);
  p->out_w = PoolOutputSize(p->in_w, p->kernel_w, p->stride_w, p->dilation_w, p->pad_left, p->pad_right,
                            s.ceil_mode);
  // The steps between taps and between windows are products of these.
  const Shape reach =
      Shape::Of(std::max(p->stride_h, p->dilation_h), std::max({p->in_w, p->stride_w, p->dilation_w}),
                std::max<int64_t>(p->channels, 1));
  int64_t ignored = 0;
  if (p->out_h <= 0 || p->out_w <= 0 || !reach.CheckedElements(sizeof(float), &ignored)) {
    return MICRORT_ERROR(
        kInvalidModel, "a %lldx%lld window with these strides and dilations does not fit into %s",
        static_cast<long long>(p->kernel_h), static_cast<long long>(p->kernel_w), ShapeString(in).c_str());
  }
  *out = Shape::Of(p->batch, p->out_h, p->out_w, p->channels);
  return Status();
}

Status ReadQuantization(const PrepareContext& context, const Pool2DParams& p, PoolQuantization* q) {
  float in_scale = 0;
  float out_scale = 0;
  MICRORT_RETURN_IF_ERROR(ReadPerTensor(context.input(0), &in_scale, &q->in_zero_point));
  MICRORT_RETURN_IF_ERROR(ReadPerTensor(context.output(0), &out_scale, &q->out_zero_point));
  q->scale_ratio = static_cast<double>(in_scale) / static_cast<double>(out_scale);
  const bool exact = q->rounding == Rounding::kExact;
  const int64_t max_taps = exact ? kMaxPoolTapsS8 : kMaxTfliteTaps;
  if (std::min(p.kernel_h, p.in_h) * std::min(p.kernel_w, p.in_w) > max_taps) {
    return MICRORT_ERROR(kUnsupported, "an average of integers takes at most %lld elements",
                         static_cast<long long>(max_taps));
  }
  if (exact || (in_scale == out_scale && q->in_zero_point == q->out_zero_point)) return Status();
  return MICRORT_ERROR(
      kInvalidModel, "TensorFlow Lite's rounding needs one scale and zero point, found %g and %d, %g and %d",
      static_cast<double>(in_scale), static_cast<int>(q->in_zero_point), static_cast<double>(out_scale),
      static_cast<int>(q->out_zero_point));
}

Status ChooseFunction(bool average, DType dtype, PoolFunction* function) {
  switch (dtype) {
    case DType::kFloat32:
      *function = average ? PoolFunction::kAverageF32 : PoolFunction::kMaxF32;
      return Status();
    case DType::kFloat16:
      *function = average ? PoolFunction::kAverageF16 : PoolFunction::kMaxF16;
      return Status();
    case DType::kInt8:
      *function = average ? PoolFunction::kAverageS8 : PoolFunction::kMaxS8;
      return Status();
    case DType::kUInt8:
      *function = PoolFunction::kMaxU8;
      if (!average) return Status();
      break;
    case DType::kInt16:
      *function = average ? PoolFunction::kAverageS16 : PoolFunction::kMaxS16;
      if (kHasInt16) return Status();
      break;
    default:
      break;
  }
  return MICRORT_ERROR(kUnsupported, "%s pooling of %s", average ? "average" : "max", Name(dtype));
}

Status CheckRounding(PoolFunction function, Rounding rounding) {
  const bool is_int16 = function == PoolFunction::kMaxS16 || function == PoolFunction::kAverageS16;
  const bool is_exact = rounding == Rounding::kExact;
  if (is_int16 && is_exact)
    return MICRORT_ERROR(kUnsupported, "pooling of int16 needs TensorFlow Lite's rounding");
  if (is_int16 || is_exact || function == PoolFunction::kAverageS8) return Status();
  return MICRORT_ERROR(kInvalidModel, "TensorFlow Lite's rounding needs an average of int8, or int16");
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  MICRORT_RETURN_IF_ERROR(ExpectRank(in, "input", 4));
  PoolFunction& function = s.call.function;
  MICRORT_RETURN_IF_ERROR(ChooseFunction(s.average, in.dtype, &function));
  if (s.call.params.sum && function != PoolFunction::kAverageF32 && function != PoolFunction::kAverageF16) {
    return MICRORT_ERROR(kUnsupported, "sum pooling of %s", Name(in.dtype));
  }
  Shape shape;
  MICRORT_RETURN_IF_ERROR(SetSizes(s, in.shape, &s.call.params, &shape));
  MICRORT_RETURN_IF_ERROR(CheckRounding(function, s.call.quantization.rounding));
  if (function == PoolFunction::kAverageS8 || function == PoolFunction::kAverageS16) {
    MICRORT_RETURN_IF_ERROR(context.SetOutput(0, in.dtype, shape));
    MICRORT_RETURN_IF_ERROR(ReadQuantization(context, s.call.params, &s.call.quantization));
  } else {
    MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, shape));
  }
  const Pool2DParams& p = s.call.params;
  constexpr int64_t kTapWork = 30;
  context.SetWork(
      WorkOf({shape.elements(), std::min(p.kernel_h, p.in_h), std::min(p.kernel_w, p.in_w), kTapWork}));
  const PoolKernel* const kernel = SelectPool(function, context.features());
  if (kernel == nullptr) return NotLinked(TypesName(in.dtype));
  s.call.kernel = kernel->id;
  size_t scratch = 0;
  MICRORT_RETURN_IF_ERROR(CheckedSize(Pool2DScratchBytes(s.call.params, function), "scratch", &scratch));
  // Files planned before there were stripes may leave it none; and where each run decides the size, it may
  // need more than was planned with the bound.
  const bool is_fixed = in.extents.all_fixed() && context.stage() != PrepareStage::kRun;
  if (scratch <= context.target().scratch_limit && is_fixed) context.RequestScratch(scratch);
  context.SetAlgorithm(kernel->name);
  context.SetCall(&s.call);
  return Status();
}

Status Run(const RunContext& context) {
  RunPool2DCall(context.state<State>().call, context.input(0).data, context.output(0).data, context.scratch,
                *context.parallel);
  return Status();
}

}  // namespace
}  // namespace pool2d_op

MICRORT_OPERATOR(Pool2D, pool2d_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
