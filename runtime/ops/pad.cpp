// Pad: adds elements around its input, or removes some.

#include "kernels/copy/pad.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/encode_element.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace pad_op {
namespace {

constexpr int kPadsInput = 1;
constexpr int kValueInput = 2;

struct State {
  bool in_options;
  int count;
  int64_t pads[2 * kMaxRank];
  float value;
  PadCall call;  // `value` as an element of the input, where there is no input 2
};

Status ParseMode(schema::PadMode mode, PadFill* fill) {
  switch (mode) {
    case schema::PadMode::Constant:
      *fill = PadFill::kConstant;
      return Status();
    case schema::PadMode::Reflect:
      *fill = PadFill::kReflect;
      return Status();
    case schema::PadMode::Edge:
      *fill = PadFill::kEdge;
      return Status();
    case schema::PadMode::Wrap:
      *fill = PadFill::kWrap;
      return Status();
  }
  return MICRORT_ERROR(kInvalidModel, "pad mode %d does not exist", static_cast<int>(mode));
}

Status Parse(const schema::Operator& op, void* state) {
  const schema::PadOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.in_options = options->pads() != nullptr;
  s.value = options->value();
  MICRORT_RETURN_IF_ERROR(ParseMode(options->mode(), &s.call.params.fill));
  return ReadList("pads", options->pads(), s.pads, &s.count);
}

Status ReadPads(const PrepareContext& context, State* s) {
  if (!s->in_options) {
    s->count = 0;
    if (context.has_input(kPadsInput)) {
      size_t count = 0;
      MICRORT_RETURN_IF_ERROR(context.KnownIntegers(kPadsInput, s->pads, 2 * kMaxRank, &count));
      s->count = static_cast<int>(count);
    }
  }
  const int rank = context.input(0).shape.rank;
  if (s->count != 2 * rank) {
    return MICRORT_ERROR(kInvalidModel, "expected %d pads for rank %d, found %d", 2 * rank, rank, s->count);
  }
  return Status();
}

// Whether the pads leave a dimension that exists and something to fill from; see PadParams.
bool IsPossible(int64_t size, int64_t begin, int64_t end, PadFill fill) {
  int64_t kept = size;
  int64_t padded = size;
  if (!CheckedAdd(kept, std::min<int64_t>(begin, 0), &kept) ||
      !CheckedAdd(kept, std::min<int64_t>(end, 0), &kept) || !CheckedAdd(padded, begin, &padded) ||
      !CheckedAdd(padded, end, &padded)) {
    return false;
  }
  return kept > 0 || (kept == 0 && (fill == PadFill::kConstant || padded == 0));
}

Status CheckValueInput(const PrepareContext& context) {
  if (!context.has_input(kValueInput)) return Status();
  const Tensor& value = context.input(kValueInput);
  if (value.dtype == context.input(0).dtype && value.elements() == 1) return Status();
  return MICRORT_ERROR(kInvalidModel, "the fill value must be one %s, found %s of shape %s",
                       Name(context.input(0).dtype), Name(value.dtype), ShapeString(value.shape).c_str());
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 3, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  const uint32_t deciders = s.in_options ? 0 : context.Unreadable(1u << kPadsInput);
  if (deciders != 0) {
    return context.SetOutput(0, in.dtype, in.shape, Extents::DataDependent(kAllDims), deciders);
  }
  MICRORT_RETURN_IF_ERROR(ReadPads(context, &s));
  MICRORT_RETURN_IF_ERROR(CheckValueInput(context));
  PadParams& p = s.call.params;
  p.in = in.shape;
  p.element_bytes = SizeOf(in.dtype);
  for (int i = 0; i < in.shape.rank; ++i) {
    p.begin[i] = s.pads[i];
    p.end[i] = s.pads[in.shape.rank + i];
    if (!IsPossible(in.shape[i], p.begin[i], p.end[i], p.fill)) {
      return MICRORT_ERROR(kInvalidModel, "cannot pad dimension %d of %s by %lld and %lld in this mode", i,
                           ShapeString(in.shape).c_str(), static_cast<long long>(p.begin[i]),
                           static_cast<long long>(p.end[i]));
    }
  }
  EncodeElement(s.value, in, s.call.value);
  context.SetCall(&s.call);
  return SetMovedOutput(context, PaddedShape(p));
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const void* value = context.has_input(kValueInput) ? context.input(kValueInput).data : s.call.value;
  Pad(s.call.params, context.input(0).data, value, context.output(0).data, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace pad_op

MICRORT_OPERATOR(Pad, pad_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
