// Fourier: the discrete Fourier transform along an axis, of whole lines or of frames.

#include "kernels/fourier/transform_axis.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/work_control.h"

namespace micrort {
namespace fourier_op {
namespace {

constexpr int kWindowInput = 1;
constexpr int kLengthInput = 2;
constexpr int kStepInput = 3;
constexpr int kAxisInput = 4;
constexpr uint32_t kSizeInputs = 1u << kLengthInput | 1u << kStepInput | 1u << kAxisInput;

struct State {
  int axis;
  bool inverse, one_sided;
  FourierAxis transform;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::FourierOptions* o = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &o));
  State& s = *static_cast<State*>(state);
  s.axis = o->axis();
  s.inverse = o->inverse();
  s.one_sided = o->one_sided();
  return Status();
}

// Where length, step or axis cannot be read, only rank and last dimension of the output are known.
Status PrepareDataDependent(PrepareContext& context, const State& s, uint32_t deciders) {
  Shape shape = context.input(0).shape;
  if (context.has_input(kStepInput) && shape.rank < kMaxRank) ++shape.rank;
  const int last = shape.rank - 1;
  shape[last] = s.one_sided && s.inverse ? 1 : 2;
  return context.SetOutput(0, DType::kFloat32, shape, Extents::DataDependent((1u << last) - 1), deciders);
}

// Leaves *value where the input is absent.
Status KnownScalar(const PrepareContext& context, int i, int64_t* value) {
  if (!context.has_input(i)) return Status();
  size_t count = 0;
  int64_t read = 0;
  MICRORT_RETURN_IF_ERROR(context.KnownIntegers(i, &read, 1, &count));
  if (count == 1) *value = read;
  return count == 1 ? Status() : MICRORT_ERROR(kInvalidModel, "input %d has no element", i);
}

Status CheckLength(int64_t length) {
  if (length >= 1 && length <= kMaxFourierLength) return Status();
  return MICRORT_ERROR(kInvalidModel, "transform of length %lld", static_cast<long long>(length));
}

// What is read and written along the axis.
Status PlanLength(const PrepareContext& context, const State& s, FourierAxis* t) {
  const bool to_real = s.one_sided && s.inverse;
  int64_t length = to_real ? 2 * (t->size - 1) : t->size;
  MICRORT_RETURN_IF_ERROR(KnownScalar(context, kLengthInput, &length));
  MICRORT_RETURN_IF_ERROR(CheckLength(length));
  t->plan = PlanFourier(length, s.inverse);
  const int64_t half = length / 2 + 1;
  t->mirror = to_real;
  t->used = to_real ? half : length;
  t->bins = s.one_sided && !s.inverse ? half : length;
  t->out_channels = to_real ? 1 : 2;
  return Status();
}

Status PlanFrames(const PrepareContext& context, FourierAxis* t) {
  t->frames = 1;
  t->step = 0;
  if (!context.has_input(kStepInput)) return Status();
  MICRORT_RETURN_IF_ERROR(KnownScalar(context, kStepInput, &t->step));
  if (t->step < 1 || t->size < t->used) {
    return MICRORT_ERROR(kInvalidModel, "frames of %lld every %lld elements of %lld",
                         static_cast<long long>(t->used), static_cast<long long>(t->step),
                         static_cast<long long>(t->size));
  }
  t->frames = (t->size - t->used) / t->step + 1;
  return Status();
}

Status CheckWindow(const PrepareContext& context, const FourierAxis& t) {
  if (!context.has_input(kWindowInput)) return Status();
  const Tensor& window = context.input(kWindowInput);
  const bool fits = window.shape.rank == 1 && window.shape[0] == t.used && window.dtype == DType::kFloat32;
  if (fits) return Status();
  return MICRORT_ERROR(kInvalidModel, "window: expected %lld float32, found %s of shape %s",
                       static_cast<long long>(t.used), Name(window.dtype), ShapeString(window.shape).c_str());
}

Status SetShape(PrepareContext& context, int axis, const FourierAxis& t) {
  const Shape& in = context.input(0).shape;
  const bool framed = context.has_input(kStepInput);
  if (framed && in.rank == kMaxRank) return MICRORT_ERROR(kUnsupported, "frames of %d dimensions", in.rank);
  Shape out;
  for (int i = 0; i < in.rank; ++i) {
    if (i == axis && framed) out[out.rank++] = t.frames;
    out[out.rank++] = i == axis ? t.bins : i == in.rank - 1 ? t.out_channels : in[i];
  }
  return context.SetOutput(0, DType::kFloat32, out);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 5, 1));
  State& s = context.state<State>();
  const Tensor& x = context.input(0);
  const Shape& in = x.shape;
  if (x.dtype != DType::kFloat32)
    return MICRORT_ERROR(kUnsupported, "expected float32, found %s", Name(x.dtype));
  if (in.rank < 2 || in[in.rank - 1] < 1 || in[in.rank - 1] > 2) {
    return MICRORT_ERROR(kInvalidModel, "expected a last dimension of 1 or 2, found shape %s",
                         ShapeString(in).c_str());
  }
  if (const uint32_t deciders = context.Unreadable(kSizeInputs); deciders != 0) {
    return PrepareDataDependent(context, s, deciders);
  }
  int64_t wanted = s.axis;
  int axis = 0;
  MICRORT_RETURN_IF_ERROR(KnownScalar(context, kAxisInput, &wanted));
  MICRORT_RETURN_IF_ERROR(ResolveAxis(wanted, in.rank, &axis));
  if (axis == in.rank - 1)
    return MICRORT_ERROR(kInvalidModel, "axis %d is that of real and imaginary parts", axis);

  FourierAxis& t = s.transform;
  t.outer = in.product(0, axis);
  t.size = in[axis];
  t.inner = in.product(axis + 1, in.rank - 1);
  t.channels = in[in.rank - 1];
  MICRORT_RETURN_IF_ERROR(PlanLength(context, s, &t));
  MICRORT_RETURN_IF_ERROR(PlanFrames(context, &t));
  MICRORT_RETURN_IF_ERROR(CheckWindow(context, t));
  MICRORT_RETURN_IF_ERROR(context.RequestCheckedScratch(FourierScratchBytes(t, context.workers())));
  constexpr int64_t kElementSteps = 3000;  // two transforms of a power of two, of 2^27 elements at most
  context.SetWork(WorkOf({t.outer * t.frames * t.inner + 1, t.plan.radix2, kElementSteps}));
  context.SetCall(&t);
  return SetShape(context, axis, t);
}

Status Run(const RunContext& context) {
  const float* window = context.has_input(kWindowInput) ? context.input(kWindowInput).as<float>() : nullptr;
  TransformAxis(context.state<State>().transform, context.input(0).as<float>(), window,
                context.output(0).as<float>(), context.scratch, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace fourier_op

MICRORT_OPERATOR(Fourier, fourier_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
