// Resize: nearest, linear or cubic along any axes.

#include "kernels/resize/resize.h"

#include <cmath>

#include "micrort/op_resolver.h"
#include "runtime/ops/encode_element.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/resize_target.h"
#include "runtime/ops/work_control.h"

namespace micrort {
namespace resize_op {
namespace {

struct State {
  ResizeMethod method;
  ResizeTarget options;  // as the file has it
  ResizeTarget target;   // with what the inputs say
  float extrapolation;
  ResizeCall call;
  CopyCall copy;  // where nothing is resized
};

// Enumerations of the file and of the kernels have the same values.
static_assert(static_cast<int>(schema::ResizeMode::Cubic) == static_cast<int>(ResizeMode::kCubic));
static_assert(static_cast<int>(schema::CoordinateMode::TfCropAndResize) ==
              static_cast<int>(ResizeCoordinates::kTfCropAndResize));
static_assert(static_cast<int>(schema::NearestMode::Ceil) == static_cast<int>(ResizeRounding::kCeil));

Status ParseMethod(const schema::ResizeOptions& o, ResizeMethod* method) {
  if (o.mode() > schema::ResizeMode::MAX || o.coordinates() > schema::CoordinateMode::MAX ||
      o.nearest() > schema::NearestMode::MAX || !std::isfinite(o.cubic_a())) {
    return MICRORT_ERROR(kInvalidModel, "mode %d, coordinates %d, nearest %d or cubic_a %g is out of range",
                         static_cast<int>(o.mode()), static_cast<int>(o.coordinates()),
                         static_cast<int>(o.nearest()), static_cast<double>(o.cubic_a()));
  }
  *method = {static_cast<ResizeMode>(o.mode()),
             static_cast<ResizeCoordinates>(o.coordinates()),
             static_cast<ResizeRounding>(o.nearest()),
             o.cubic_a(),
             o.exclude_outside(),
             o.antialias()};
  return Status();
}

Status Parse(const schema::Operator& op, void* state) {
  const schema::ResizeOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  MICRORT_RETURN_IF_ERROR(ParseMethod(*options, &s.method));
  s.extrapolation = options->extrapolation();
  MICRORT_RETURN_IF_ERROR(ReadList("scales", options->scales(), s.options.scales, &s.options.scale_count));
  return ReadList("sizes", options->sizes(), s.options.sizes, &s.options.size_count);
}

Status CheckTaps(const ResizeMethod& method, const ResizeAxis& axis, int i) {
  if (ResizeTaps(method, axis) > 0) return Status();
  return MICRORT_ERROR(kUnsupported, "axis %d is made smaller by %g: too many elements make one", i,
                       static_cast<double>(axis.scale));
}

// The weights of linear resizing add up to 1, so that quantized numbers need not be shifted and scaled for
// it.
Status CheckType(const ResizeMethod& method, DType dtype) {
  if (method.mode == ResizeMode::kNearest || dtype == DType::kFloat32) return Status();
  if (method.mode == ResizeMode::kLinear && !method.antialias && dtype == DType::kInt8) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "expected float32, for nearest any type, for linear without antialias int8, found %s",
                       Name(dtype));
}

// Every output of a level blends blocks of what the levels inside of it read; and there are tables.
uint64_t WorkOfPlan(const ResizePlan& plan) {
  constexpr int64_t kTapWork = 20, kTableWork = 2000;
  uint64_t work = MultiplyWork(plan.table_entries, kTableWork);
  uint64_t calls = 1;
  for (int l = 0; l < plan.count; ++l) {
    const ResizeLevel& level = plan.levels[l];
    calls = MultiplyWork(calls, WorkOf({level.repeats, level.axis.out}));
    work = AddWork(work, MultiplyWork(calls, WorkOf({level.taps, level.in_block, kTapWork})));
  }
  return work;
}

#if defined(MICRORT_NO_PLANNING)

// What the file decides has no sizes that data decide.
Status RequestLargest(PrepareContext&) { return Status(); }

#else

// Scratch for all sizes within those that the file states.
Status RequestLargest(PrepareContext& context) {
  const Tensor &in = context.input(0), &out = context.output(0);
  ResizeAxis axes[kMaxRank];
  uint32_t decided = 0;
  for (int i = 0; i < in.shape.rank; ++i) {
    axes[i] = {in.shape[i], out.shape[i], 1.0f};
    const bool stays = (*out.declared)[i] == in.shape[i] && in.extents[i] == Extent::kFixed;
    if (!stays) decided |= 1u << i;
  }
  const ResizeMethod& method = context.state<State>().method;
  const ResizePlan plan = PlanLargestResize(method, in.shape, axes, decided, SizeOf(in.dtype));
  return context.RequestCheckedScratch(ResizeScratchBytes(plan, context.workers()));
}

#endif

// The target follows from data.
Status PrepareDataDependent(PrepareContext& context, uint32_t deciders) {
  const Tensor& in = context.input(0);
  const Extents any = Extents::DataDependent(kAllDims);
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, in.dtype, in.shape, any, deciders));
  return context.output(0).extents.any_data_dependent() ? Status() : RequestLargest(context);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 4, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  MICRORT_RETURN_IF_ERROR(CheckType(s.method, in.dtype));
  if (const uint32_t deciders = UnreadableTargets(context); deciders != 0)
    return PrepareDataDependent(context, deciders);
  s.target = s.options;
  MICRORT_RETURN_IF_ERROR(ReadTargetInputs(context, &s.target));
  ResizeAxis axes[kMaxRank];
  Shape shape = in.shape;
  for (int i = 0; i < in.shape.rank; ++i) {
    const bool crops = s.method.coordinates == ResizeCoordinates::kTfCropAndResize;
    MICRORT_RETURN_IF_ERROR(ResolveResizeAxis(s.target, i, in.shape[i], crops, &axes[i]));
    MICRORT_RETURN_IF_ERROR(CheckTaps(s.method, axes[i], i));
    shape[i] = axes[i].out;
  }
  MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, shape));

  s.call.plan = PlanResize(s.method, in.shape, axes, SizeOf(in.dtype));
  EncodeElement(static_cast<double>(s.extrapolation), in, s.call.plan.outside);
  const BlendF32Kernel& blend = SelectBlendF32(context.features());
  s.call.blend = blend.id;
  MICRORT_RETURN_IF_ERROR(context.RequestCheckedScratch(ResizeScratchBytes(s.call.plan, context.workers())));
  context.SetWork(WorkOfPlan(s.call.plan));
  context.SetAlgorithm(s.method.mode == ResizeMode::kNearest ? "nearest" : blend.name);
  context.SetCall(&s.call);
  if (s.call.plan.count != 0) return Status();
  const CopyDim bytes = {static_cast<int64_t>(in.bytes()), 1, 1};
  s.copy.copy = PlanCopy(1, {&bytes, 1});
  context.SetCall(&s.copy);
  context.AllowInPlace(0, 0);
  return Status();
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  if (s.call.plan.count == 0) {
    RunMove(context, s.copy);
    return Status();
  }
  RunResize(s.call, context.input(0).data, context.output(0).data, context.scratch, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace resize_op

MICRORT_OPERATOR(Resize, resize_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
