// Custom: an operator that the program brings along.

#include <cstring>

#include "micrort/custom_op.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace custom_op {
namespace {

constexpr size_t kMaxTensors = MICRORT_MAX_CUSTOM_TENSORS;
static_assert(kMaxRank == MICRORT_MAX_RANK, "shapes are copied");

struct State {
  const micrort_custom_op* op;  // null: unknown, where a resolver takes such
  const schema::CustomOptions* options;
  micrort_attribute attributes[MICRORT_MAX_CUSTOM_ATTRIBUTES];
  size_t attribute_count;
};

const char* TextOf(const flatbuffers::String* s) { return s == nullptr ? "" : s->c_str(); }

Status AddAttribute(const micrort_attribute& attribute, State* s) {
  if (s->attribute_count == MICRORT_MAX_CUSTOM_ATTRIBUTES) {
    return MICRORT_ERROR(kUnsupported, "expected at most %d attributes, found more",
                         MICRORT_MAX_CUSTOM_ATTRIBUTES);
  }
  s->attributes[s->attribute_count++] = attribute;
  return Status();
}

Status AddAttributes(const schema::CustomAttribute& source, State* s) {
  micrort_attribute a = {};
  a.name = TextOf(source.name());
  if (source.texts() != nullptr) {
    for (const flatbuffers::String* text : *source.texts()) {
      a.text = TextOf(text);
      a.text_bytes = text == nullptr ? 0 : text->size();
      MICRORT_RETURN_IF_ERROR(AddAttribute(a, s));
    }
    return Status();
  }
  if (source.ints() != nullptr) {
    a.ints = source.ints()->data();
    a.int_count = source.ints()->size();
  }
  if (source.floats() != nullptr) {
    a.floats = source.floats()->data();
    a.float_count = source.floats()->size();
  }
  return AddAttribute(a, s);
}

Status Parse(const schema::Operator& op, void* state) {
  State& s = *static_cast<State*>(state);
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &s.options));
  s.attribute_count = 0;
  if (s.options->attributes() == nullptr) return Status();
  for (const schema::CustomAttribute* a : *s.options->attributes()) {
    MICRORT_RETURN_IF_ERROR(AddAttributes(*a, &s));
  }
  return Status();
}

Status Bind(const schema::Operator&, const OpResolver& resolver, void* state) {
  State& s = *static_cast<State*>(state);
  const char *domain = TextOf(s.options->domain()), *name = TextOf(s.options->name());
  s.op = resolver.FindCustom(domain, name);
  if (s.op == nullptr && !resolver.takes_unknown_custom()) {
    return MICRORT_ERROR(
        kUnsupported,
        "expected the custom operator %s of domain '%s' in the resolver "
        "(OpResolver::AddCustom, micrort_options.custom_ops, --custom-ops of a program), found none",
        name, domain);
  }
  if (s.op != nullptr && s.op->struct_bytes != sizeof(micrort_custom_op)) {
    return MICRORT_ERROR(kInvalidArgument, "custom operator %s: expected struct_bytes of %zu, found %zu",
                         name, sizeof(micrort_custom_op), s.op->struct_bytes);
  }
  return Status();
}

void Describe(const Tensor& t, bool with_data, micrort_tensor* out) {
  out->name = t.name;
  out->dtype = static_cast<micrort_dtype>(t.dtype);
  out->shape.rank = t.shape.rank;
  std::memcpy(out->shape.dims, t.shape.dims, sizeof t.shape.dims);
  out->data = with_data ? t.data : nullptr;
  out->bytes = t.bytes();
  if (t.quantization.count == 1) {
    out->scale = t.quantization.scale();
    out->zero_point = t.quantization.zero_point();
  }
}

Shape ShapeOf(const micrort_tensor& t) {
  Shape shape;
  shape.rank = t.shape.rank < 0 || t.shape.rank > kMaxRank ? 0 : t.shape.rank;
  std::memcpy(shape.dims, t.shape.dims, sizeof shape.dims);
  return shape;
}

// What both functions are called with.
struct Call {
  micrort_custom_call call = {};
  micrort_tensor inputs[kMaxTensors] = {}, outputs[kMaxTensors] = {};
  uint32_t open_dims[kMaxTensors] = {};
  size_t refused_parts = 0;  // of a loop that was not run
#if MICRORT_ERROR_STRINGS
  char message[Status::kMaxMessage] = "";
#else
  char message[1] = "";  // nobody reads it
#endif

  // Where the call is in it.
  static Call& Around(const micrort_custom_call* call) {
    return *reinterpret_cast<Call*>(const_cast<micrort_custom_call*>(call));
  }

  explicit Call(const State& s) {
    call.struct_bytes = sizeof call;
    call.user = s.op->user;
    call.attributes = s.attributes;
    call.attribute_count = s.attribute_count;
    call.inputs = inputs;
    call.outputs = outputs;
    call.open_dims = open_dims;
    call.message = message;
    call.message_bytes = sizeof message;
  }

  Status Explain(micrort_status status, const State& s) const {
    if (status == MICRORT_OK) return Status();
    const auto code = status > MICRORT_OK && status <= MICRORT_DEADLINE_EXCEEDED
                          ? static_cast<StatusCode>(status)
                          : StatusCode::kInternal;
#if MICRORT_ERROR_STRINGS
    const auto length = static_cast<int>(::strnlen(message, sizeof message));
    return Status::Error(code, "%s: %.*s", TextOf(s.options->name()), length, message);
#else
    static_cast<void>(s);
    return Status::Error(code);
#endif
  }
};

Status CheckCounts(const PrepareContext& context) {
  if (context.input_count() <= static_cast<int>(kMaxTensors) &&
      context.output_count() <= static_cast<int>(kMaxTensors) && context.output_count() > 0) {
    return Status();
  }
  return MICRORT_ERROR(kUnsupported, "expected at most %zu inputs and 1 to %zu outputs, found %d and %d",
                       kMaxTensors, kMaxTensors, context.input_count(), context.output_count());
}

// One dimension of schema::CustomOutput.
Status DeclaredDim(const PrepareContext& context, int32_t code, int64_t* dim) {
  if (code >= 0) {
    *dim = code;
    return Status();
  }
  const int place = -2 - code, input = place / kMaxRank, d = place % kMaxRank;
  if (code == -1 || !context.has_input(input) || d >= context.input(input).shape.rank) {
    return MICRORT_ERROR(kUnsupported,
                         "the model does not state the size of an output; register the operator "
                         "(mnnconvert --custom-ops)");
  }
  *dim = context.input(input).shape[d];
  return Status();
}

// For an operator that is not there: what the source model says.
Status TakeDeclaredOutputs(PrepareContext& context, const schema::CustomOptions& options) {
  const auto* outputs = options.outputs();
  for (int i = 0; i < context.output_count(); ++i) {
    const schema::CustomOutput* output = outputs == nullptr || outputs->size() <= static_cast<uint32_t>(i)
                                             ? nullptr
                                             : outputs->Get(static_cast<uint32_t>(i));
    if (output == nullptr || output->dtype() == schema::DType::Unknown) {
      return MICRORT_ERROR(kUnsupported,
                           "the model does not state type and shape of output %d; register the operator "
                           "(mnnconvert --custom-ops)",
                           i);
    }
    Shape shape;
    const uint32_t rank = output->shape() == nullptr ? 0 : output->shape()->size();
    if (rank > static_cast<uint32_t>(kMaxRank)) {
      return MICRORT_ERROR(kUnsupported, "output %d: expected at most %d dimensions, found %u", i, kMaxRank,
                           rank);
    }
    for (; shape.rank < static_cast<int>(rank); ++shape.rank) {
      const int32_t code = output->shape()->Get(static_cast<uint32_t>(shape.rank));
      MICRORT_RETURN_IF_ERROR(DeclaredDim(context, code, &shape.dims[shape.rank]));
    }
    MICRORT_RETURN_IF_ERROR(context.SetOutput(i, static_cast<DType>(output->dtype()), shape));
  }
  context.SetTakesLong();
  return Status();
}

Status TakeOutput(PrepareContext& context, const Call& c, int i) {
  const micrort_tensor& output = c.outputs[i];
  const Shape shape = ShapeOf(output);
  if (shape.rank != output.shape.rank || output.dtype <= MICRORT_UNKNOWN || output.dtype >= MICRORT_INT4) {
    return MICRORT_ERROR(kInvalidModel,
                         "output %d: expected a type and a shape of up to %d dimensions, found "
                         "type %d and %d dimensions",
                         i, kMaxRank, static_cast<int>(output.dtype), static_cast<int>(output.shape.rank));
  }
  return context.SetOutput(i, static_cast<DType>(output.dtype), shape, Extents::Bounded(c.open_dims[i]));
}

Status Prepare(PrepareContext& context) {
  const State& s = context.state<State>();
  MICRORT_RETURN_IF_ERROR(CheckCounts(context));
  context.SetAlgorithm("custom");
  if (s.op == nullptr) return TakeDeclaredOutputs(context, *s.options);
  Call c(s);
  c.call.input_count = static_cast<size_t>(context.input_count());
  c.call.output_count = static_cast<size_t>(context.output_count());
  c.call.workers = context.workers();
  for (int i = 0; i < context.input_count(); ++i) {
    if (!context.has_input(i)) continue;
    Describe(context.input(i), context.contents(i) == Contents::kFixed, &c.inputs[i]);
  }
  for (int i = 0; i < context.output_count(); ++i) Describe(context.output(i), false, &c.outputs[i]);
  MICRORT_RETURN_IF_ERROR(c.Explain(s.op->prepare(&c.call), s));
  for (int i = 0; i < context.output_count(); ++i) MICRORT_RETURN_IF_ERROR(TakeOutput(context, c, i));
  context.RequestScratch(c.call.scratch_bytes);
  context.SetWork(c.call.work);
  return Status();
}

// int32_t, of the C interface, is another type than int on some microcontrollers.
using CustomTileFn = void (*)(void* argument, size_t i, int32_t worker);

void RunParallel(const micrort_custom_call* call, size_t count, CustomTileFn body, void* argument) {
  constexpr size_t kMaxParts = INT32_MAX;
  if (count > kMaxParts) {
    Call::Around(call).refused_parts = count;
    return;
  }
  ParallelFor(*static_cast<const Parallel*>(call->threads), count,
              [&](size_t i, int worker) { body(argument, i, worker); });
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  if (s.op == nullptr) {
    return MICRORT_ERROR(kUnsupported,
                         "custom operator %s of domain '%s' cannot run here: it is not registered "
                         "(mnnconvert --custom-ops)",
                         TextOf(s.options->name()), TextOf(s.options->domain()));
  }
  Call c(s);
  c.call.input_count = context.inputs.size();
  c.call.output_count = context.outputs.size();
  for (size_t i = 0; i < context.inputs.size(); ++i) {
    if (context.inputs[i] != nullptr) Describe(*context.inputs[i], true, &c.inputs[i]);
  }
  for (size_t i = 0; i < context.outputs.size(); ++i) {
    Describe(*context.outputs[i], true, &c.outputs[i]);
    c.open_dims[i] = context.outputs[i]->extents.decided_by_run();
  }
  c.call.scratch = context.scratch;
  c.call.parallel_for = RunParallel;
  c.call.threads = context.parallel;
  c.call.workers = context.parallel->workers();
  MICRORT_RETURN_IF_ERROR(c.Explain(s.op->run(&c.call), s));
  if (c.refused_parts != 0)
    return MICRORT_ERROR(kInternal, "%s: a loop of %zu parts: expected at most 2^31",
                         TextOf(s.options->name()), c.refused_parts);
  for (size_t i = 0; i < context.outputs.size(); ++i) {
    if (c.open_dims[i] == 0) continue;
    MICRORT_RETURN_IF_ERROR(context.SetOutputShape(static_cast<int>(i), ShapeOf(c.outputs[i])));
  }
  return Status();
}

}  // namespace
}  // namespace custom_op

MICRORT_OPERATOR(Custom, custom_op, sizeof(State), Parse, Prepare, nullptr, Run, false, Bind)

}  // namespace micrort
