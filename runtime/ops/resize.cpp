// Resize: nearest, linear or cubic along any axes.

#include "kernels/resize/resize.h"

#include <cmath>

#include "micrort/op_resolver.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {

namespace {

struct State {
  ResizeMethod method;
  int scale_count;
  int size_count;  // 0: the scales decide
  float scales[kMaxRank];
  int64_t sizes[kMaxRank];
  ResizePlan plan;
  const BlendF32Kernel* blend;
};

// Enumerations of the file and of the kernels have the same values.
static_assert(static_cast<int>(schema::ResizeMode::Cubic) == static_cast<int>(ResizeMode::kCubic));
static_assert(static_cast<int>(schema::CoordinateMode::HalfPixelSymmetric) ==
              static_cast<int>(ResizeCoordinates::kHalfPixelSymmetric));
static_assert(static_cast<int>(schema::NearestMode::Ceil) == static_cast<int>(ResizeRounding::kCeil));

Status ParseMethod(const schema::ResizeOptions& o, ResizeMethod* method) {
  if (o.mode() > schema::ResizeMode::MAX || o.coordinates() > schema::CoordinateMode::MAX ||
      o.nearest() > schema::NearestMode::MAX || !std::isfinite(o.cubic_a())) {
    return MICRORT_ERROR(kInvalidModel, "mode %d, coordinates %d, nearest %d or cubic_a %g is out of range",
                         static_cast<int>(o.mode()), static_cast<int>(o.coordinates()),
                         static_cast<int>(o.nearest()), static_cast<double>(o.cubic_a()));
  }
  *method = {static_cast<ResizeMode>(o.mode()), static_cast<ResizeCoordinates>(o.coordinates()),
             static_cast<ResizeRounding>(o.nearest()), o.cubic_a(), o.exclude_outside()};
  return Status();
}

Status Parse(const schema::Operator& op, void* state) {
  const schema::ResizeOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  MICRORT_RETURN_IF_ERROR(ParseMethod(*options, &s.method));
  MICRORT_RETURN_IF_ERROR(ReadList("scales", options->scales(), s.scales, &s.scale_count));
  MICRORT_RETURN_IF_ERROR(ReadList("sizes", options->sizes(), s.sizes, &s.size_count));
  for (int i = 0; i < s.scale_count; ++i) {
    if (!(s.scales[i] > 0) || !std::isfinite(s.scales[i])) {
      return MICRORT_ERROR(kInvalidModel, "scale %d is %g", i, static_cast<double>(s.scales[i]));
    }
  }
  return Status();
}

Status ResolveAxis(const State& s, int i, int64_t in, ResizeAxis* axis) {
  float out = 0;
  if (s.size_count > 0) {
    out = static_cast<float>(s.sizes[i]);
    *axis = {in, s.sizes[i], in == 0 ? 1.0f : out / static_cast<float>(in)};
  } else {
    out = std::floor(static_cast<float>(in) * s.scales[i]);
    *axis = {in, out < 0x1p31f ? static_cast<int64_t>(out) : 0, s.scales[i]};
  }
  if (in <= INT32_MAX && out >= 0 && out < 0x1p31f && (in > 0 || out == 0)) return Status();
  return MICRORT_ERROR(kInvalidModel, "cannot resize axis %d from %lld to %g elements", i,
                       static_cast<long long>(in), static_cast<double>(out));
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  const int count = s.size_count > 0 ? s.size_count : s.scale_count;
  if (count != in.shape.rank) {
    return MICRORT_ERROR(kInvalidModel, "there are %d %s, the input has shape %s", count,
                         s.size_count > 0 ? "sizes" : "scales", ShapeString(in.shape).c_str());
  }
  if (s.method.mode != ResizeMode::kNearest && in.dtype != DType::kFloat32) {
    return MICRORT_ERROR(kUnsupported, "linear and cubic resizing take float32, found %s", Name(in.dtype));
  }
  ResizeAxis axes[kMaxRank];
  Shape shape = in.shape;
  for (int i = 0; i < in.shape.rank; ++i) {
    MICRORT_RETURN_IF_ERROR(ResolveAxis(s, i, in.shape[i], &axes[i]));
    shape[i] = axes[i].out;
  }
  MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, shape));

  s.plan = PlanResize(s.method, in.shape, axes, SizeOf(in.dtype));
  s.blend = &SelectBlendF32(context.features());
  size_t scratch_bytes = 0;
  if (!ResizeScratchBytes(s.plan, context.workers(), &scratch_bytes)) {
    return MICRORT_ERROR(kUnsupported, "resizing %s to %s needs too much memory",
                         ShapeString(in.shape).c_str(), ShapeString(shape).c_str());
  }
  context.RequestScratch(scratch_bytes);
  context.SetAlgorithm(s.method.mode == ResizeMode::kNearest ? "nearest" : s.blend->name);
  if (s.plan.count == 0) context.AllowInPlace(0, 0);
  return Status();
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  if (s.plan.count == 0) {
    const CopyDim bytes = {static_cast<int64_t>(context.input(0).bytes()), 1, 1};
    RunMove(context, PlanCopy(1, {&bytes, 1}));
    return Status();
  }
  RunResize(s.plan, *s.blend, context.input(0).data, context.output(0).data, context.scratch,
            *context.parallel);
  return Status();
}

}  // namespace

const OpRegistration& ops::Resize() {
  static constexpr OpRegistration kRegistration = {
      static_cast<int>(schema::OpCode::Resize), "Resize", sizeof(State), Parse, Prepare, nullptr, Run};
  return kRegistration;
}

}  // namespace micrort
