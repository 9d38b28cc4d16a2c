// Recurrent: one direction of an RNN, GRU or LSTM layer.

#include "kernels/recurrent/recurrent.h"

#include <cmath>
#include <limits>

#include "kernels/base/checked_math.h"
#include "kernels/base/part.h"
#include "kernels/conv2d/algorithm_variants.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/gemm/pack_narrow.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/layer_operands.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/per_tensor_quantization.h"

namespace micrort {

// Weights may be float16 or int8.
MICRORT_LINK(PackNarrowBF32);

namespace recurrent_op {
namespace {

static_assert(static_cast<int>(RecurrentKind::kLstm) == static_cast<int>(schema::RecurrentKind::Lstm));

constexpr int kX = 0, kR = 1, kBias = 2, kLengths = 3, kInitialH = 4, kInitialC = 5, kPeepholes = 6;
constexpr int kInputs = 7;
// Above this, sizes of weights and scratch could overflow 64 bits.
constexpr int64_t kMaxHidden = 1 << 24;

using State = RecurrentCall;

Status ParseActivation(const schema::RecurrentActivation& from, RecurrentActivation* to) {
  if (from.kind() > schema::UnaryKind::MAX) {
    return MICRORT_ERROR(kInvalidModel, "unary kind %d does not exist", static_cast<int>(from.kind()));
  }
  to->op = {static_cast<UnaryKind>(from.kind()), from.a(), from.b()};
  if (SelectUnaryF32(to->op.kind, kCpuScalar).run == nullptr) {
    return MICRORT_ERROR(kInvalidModel, "%s is no activation", schema::EnumNameUnaryKind(from.kind()));
  }
  to->input_scale = from.input_scale();
  to->scale = from.scale();
  to->offset = from.offset();
  return Status();
}

Status ParseActivations(const schema::RecurrentOptions& options, RecurrentParams* p) {
  const auto* list = options.activations();
  const int count = list == nullptr ? 0 : static_cast<int>(list->size());
  if (count != p->activation_count()) {
    return MICRORT_ERROR(kInvalidModel, "expected %d activations, found %d", p->activation_count(), count);
  }
  for (int i = 0; i < count; ++i) {
    MICRORT_RETURN_IF_ERROR(
        ParseActivation(*list->Get(static_cast<flatbuffers::uoffset_t>(i)), &p->activations[i]));
  }
  return Status();
}

Status ParseRounding(schema::WeightCompute compute, StateRounding* out) {
  switch (compute) {
    case schema::WeightCompute::Float:
      *out = StateRounding::kNone;
      return Status();
    case schema::WeightCompute::DynamicInt8:
      *out = StateRounding::kAsymmetric;
      return Status();
    case schema::WeightCompute::SymmetricInt8:
      *out = StateRounding::kSymmetric;
      return Status();
    default:
      return MICRORT_ERROR(kInvalidModel, "a recurrent layer does not compute in way %d",
                           static_cast<int>(compute));
  }
}

Status Parse(const schema::Operator& op, void* state) {
  const schema::RecurrentOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  if (options->kind() > schema::RecurrentKind::MAX) {
    return MICRORT_ERROR(kInvalidModel, "recurrent kind %d does not exist",
                         static_cast<int>(options->kind()));
  }
  if (!std::isfinite(options->clip()) || options->clip() < 0) {
    return MICRORT_ERROR(kInvalidModel, "clip %g must be 0 or more", static_cast<double>(options->clip()));
  }
  State& s = *static_cast<State*>(state);
  RecurrentParams& p = s.params;
  p.kind = static_cast<RecurrentKind>(options->kind());
  p.reverse = options->reverse();
  p.linear_before_reset = options->linear_before_reset();
  p.input_forget = options->input_forget();
  p.clip = options->clip() == 0 ? std::numeric_limits<float>::infinity() : options->clip();
  s.last_only = options->last_only();
  MICRORT_RETURN_IF_ERROR(ParseRounding(options->compute(), &p.rounding));
  return ParseActivations(*options, &p);
}

Status ReadSizes(const PrepareContext& context, RecurrentParams* p) {
  const Shape& x = context.input(kX).shape;
  const Shape& r = context.input(kR).shape;
  if (x.rank != 3 || r.rank != 2) {
    return MICRORT_ERROR(kInvalidModel, "expected x [T,N,G*H] and weights [G*H,H], found %s and %s",
                         ShapeString(x).c_str(), ShapeString(r).c_str());
  }
  p->steps = x[0];
  p->batch = x[1];
  p->hidden = r[1];
  if (p->hidden < 1 || p->hidden > kMaxHidden || r[0] != p->width() || x[2] != p->width()) {
    return MICRORT_ERROR(kInvalidModel, "x %s and weights %s do not belong to %d gates of one size",
                         ShapeString(x).c_str(), ShapeString(r).c_str(), static_cast<int>(p->gates()));
  }
  return Status();
}

Status CheckInput(const PrepareContext& context, int i, DType dtype, const Shape& shape) {
  if (!context.has_input(i)) return Status();
  const Tensor& t = context.input(i);
  if (t.dtype == dtype && t.shape == shape) return Status();
  return MICRORT_ERROR(kInvalidModel, "input %d ('%s'): expected %s of shape %s, found %s of shape %s", i,
                       t.name, Name(dtype), ShapeString(shape).c_str(), Name(t.dtype),
                       ShapeString(t.shape).c_str());
}

Status CheckWeights(const Tensor& r, const RecurrentParams& p) {
  if (r.dtype == DType::kFloat32 || r.dtype == DType::kFloat16) return Status();
  if (r.dtype != DType::kInt8) {
    return MICRORT_ERROR(kUnsupported, "weights '%s': expected float32, float16 or int8, found %s", r.name,
                         Name(r.dtype));
  }
  const QuantizationView& q = r.quantization;
  const bool a_row = q.axis == 0 && static_cast<int64_t>(q.count) == p.width();
  bool centered = true;
  for (size_t i = 0; i < q.count; ++i) centered = centered && q.zero_point(i) == 0;
  if ((q.count == 1 || a_row) && centered) return CheckScales(r);
  return MICRORT_ERROR(kInvalidModel, "weights '%s': expected one scale or one a row, and zero points 0",
                       r.name);
}

Status CheckInputs(const PrepareContext& context, const RecurrentParams& p) {
  const bool lstm = p.kind == RecurrentKind::kLstm;
  const bool has_bias = p.kind == RecurrentKind::kGru && p.linear_before_reset;
  if ((context.has_input(kBias) && !has_bias) || (context.has_input(kInitialC) && !lstm) ||
      (context.has_input(kPeepholes) && !lstm)) {
    return MICRORT_ERROR(kInvalidModel, "an input is given that this kind of layer does not have");
  }
  constexpr DType kFloat = DType::kFloat32;
  const Shape state = Shape::Of(p.batch, p.hidden);
  MICRORT_RETURN_IF_ERROR(CheckInput(context, kX, kFloat, context.input(kX).shape));
  MICRORT_RETURN_IF_ERROR(CheckWeights(context.input(kR), p));
  MICRORT_RETURN_IF_ERROR(CheckInput(context, kBias, kFloat, Shape::Of(p.hidden)));
  MICRORT_RETURN_IF_ERROR(CheckInput(context, kLengths, DType::kInt32, Shape::Of(p.batch)));
  MICRORT_RETURN_IF_ERROR(CheckInput(context, kInitialH, kFloat, state));
  MICRORT_RETURN_IF_ERROR(CheckInput(context, kInitialC, kFloat, state));
  return CheckInput(context, kPeepholes, kFloat, Shape::Of(3 * p.hidden));
}

Status SetOutputs(PrepareContext& context, const State& s) {
  const RecurrentParams& p = s.params;
  const Shape state = Shape::Of(p.batch, p.hidden);
  int next = 0;
  if (!s.last_only) {
    MICRORT_RETURN_IF_ERROR(
        context.SetOutput(next++, DType::kFloat32, Shape::Of(p.steps, p.batch, p.hidden)));
  }
  MICRORT_RETURN_IF_ERROR(context.SetOutput(next++, DType::kFloat32, state));
  if (p.kind != RecurrentKind::kLstm) return Status();
  return context.SetOutput(next, DType::kFloat32, state);
}

// Constant weights are packed once, others at the start of scratch as the layer runs.
Status RequestMemory(PrepareContext& context, State* s) {
  const RecurrentParams& p = s->params;
  s->plan = PlanRecurrent(p, context.features());
  s->constant_weights = context.input(kR).constant;
  uint64_t scratch = RecurrentScratchBytes(p, s->plan, context.workers());
  for (int i = 0; i < p.matrices(); ++i) {
    const uint64_t bytes = AlignUp(RecurrentPackedBytes(p, s->plan, i), uint64_t{kAlignment});
    MICRORT_RETURN_IF_ERROR(CheckedSize(bytes, "packed weights", &s->packed_bytes[i]));
    if (s->constant_weights) {
      context.RequestPacked(i, s->packed_bytes[i], VariantOf(kRecurrentAlgorithmId, s->plan.kernel),
                            RecurrentAlgorithm(s->plan), kR);
    } else {
      scratch += bytes;
    }
  }
  size_t scratch_bytes = 0;
  MICRORT_RETURN_IF_ERROR(CheckedSize(scratch, "scratch", &scratch_bytes));
  context.RequestScratch(scratch_bytes);
  return Status();
}

Status Prepare(PrepareContext& context) {
  State& s = context.state<State>();
  RecurrentParams& p = s.params;
  const int outputs = (s.last_only ? 1 : 2) + (p.kind == RecurrentKind::kLstm ? 1 : 0);
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, kInputs, outputs));
  MICRORT_RETURN_IF_ERROR(ReadSizes(context, &p));
  MICRORT_RETURN_IF_ERROR(CheckInputs(context, p));
  MICRORT_RETURN_IF_ERROR(SetOutputs(context, s));
  MICRORT_RETURN_IF_ERROR(RequestMemory(context, &s));
  context.SetAlgorithm(RecurrentAlgorithm(s.plan));
  context.SetCall(&s);
  context.SetMultiplyAdds(context.input(kX).shape.elements() * p.hidden);
  return Status();
}

RecurrentWeights Weights(const Tensor& r) {
  return {r.data, r.dtype, r.quantization.scales, r.quantization.count > 1 ? 1 : 0};
}

Status Pack(const PackContext& context) {
  const State& s = context.get<State>();
  PackRecurrent(s.params, s.plan, Weights(*context.inputs[kR]), context.slot,
                static_cast<float*>(context.destination));
  return Status();
}

Status CheckLengths(const Tensor& lengths, const RecurrentParams& p) {
  const int32_t* values = lengths.as<int32_t>();
  const size_t bad = FindBadLength(p, values);
  if (bad == lengths.elements()) return Status();
  return MICRORT_ERROR(kOutOfRange, "length %d (element %zu of '%s') is not in [0, %lld]",
                       static_cast<int>(values[bad]), bad, lengths.name, static_cast<long long>(p.steps));
}

template <typename T>
const T* DataOf(const RunContext& context, int i) {
  return context.has_input(i) ? context.input(i).as<T>() : nullptr;
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  if (context.has_input(kLengths)) {
    MICRORT_RETURN_IF_ERROR(CheckLengths(context.input(kLengths), s.params));
  }
  RecurrentTensors t = {};
  t.x = DataOf<float>(context, kX);
  t.bias = DataOf<float>(context, kBias);
  t.lengths = DataOf<int32_t>(context, kLengths);
  t.initial_h = DataOf<float>(context, kInitialH);
  t.initial_c = DataOf<float>(context, kInitialC);
  t.peepholes = DataOf<float>(context, kPeepholes);
  int next = 0;
  if (!s.last_only) t.y = context.output(next++).as<float>();
  t.h = context.output(next++).as<float>();
  if (s.params.kind == RecurrentKind::kLstm) t.c = context.output(next).as<float>();
  for (int i = 0; i < s.params.matrices(); ++i) t.packed[i] = static_cast<const float*>(context.packed[i]);
  RunRecurrentCall(s, Weights(context.input(kR)), t, context.scratch, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace recurrent_op

MICRORT_OPERATOR(Recurrent, recurrent_op, sizeof(State), Parse, Prepare, Pack, Run)

}  // namespace micrort
