#include "runtime/c_api/c_options.h"

namespace micrort::c_api {

namespace {

Status ReadCallbacks(const micrort_options& given, OwnedObject<Callbacks>* out) {
  if (given.before_step == nullptr && given.after_step == nullptr) return Status();
  out->reset(NewObject<Callbacks>(given));
  if (*out != nullptr) return Status();
  return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(Callbacks));
}

Status ReadTuned(const micrort_options& given, OwnedObject<TunedChoices>* out) {
  if (given.tuned == nullptr) return Status();
  auto choices = TunedChoices::FromText({given.tuned, given.tuned_bytes}, "tuned choices");
  if (!choices.ok()) return choices.status();
  out->reset(NewObject<TunedChoices>(std::move(*choices)));
  if (*out != nullptr) return Status();
  return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(TunedChoices));
}

ModelLimits ReadLimits(const micrort_options& given) {
  ModelLimits limits;
  const auto take = [](uint64_t value, uint64_t* limit) { *limit = value == 0 ? *limit : value; };
  take(given.max_operators, &limits.max_operators);
  take(given.max_tensor_bytes, &limits.max_tensor_bytes);
  take(given.max_memory_bytes, &limits.max_memory_bytes);
  take(given.max_work, &limits.max_work);
  take(given.max_planning_work, &limits.max_planning_work);
  return limits;
}

Status ReadCustomOps(const micrort_options& given, OpResolver* resolver) {
  if (given.custom_op_count != 0 && given.custom_ops == nullptr) return NullArgument();
  if (given.custom_op_count > OpResolver::kMaxCustomOps) {
    return MICRORT_ERROR(kInvalidArgument, "custom_ops: expected at most %zu, found %zu",
                         OpResolver::kMaxCustomOps, given.custom_op_count);
  }
  for (size_t i = 0; i < given.custom_op_count; ++i) {
    MICRORT_RETURN_IF_ERROR(CheckCustomOp(given.custom_ops[i]));
    resolver->AddCustom(*given.custom_ops[i]);
  }
  return Status();
}

}  // namespace

Status ReadShapes(const micrort_shape* shapes, size_t count, FixedArray<Shape>* out) {
  if (count != 0 && shapes == nullptr) return NullArgument();
  MICRORT_RETURN_IF_ERROR(out->Allocate(count));
  for (size_t i = 0; i < count; ++i) {
    if (shapes[i].rank < 0 || shapes[i].rank > kMaxRank) {
      return MICRORT_ERROR(kInvalidArgument, "shape %zu: expected a rank of at most %d, found %d", i,
                           kMaxRank, static_cast<int>(shapes[i].rank));
    }
    (*out)[i].rank = shapes[i].rank;
    std::copy(shapes[i].dims, shapes[i].dims + shapes[i].rank, (*out)[i].dims);
  }
  return Status();
}

Status ReadOptions(const micrort_options* given, const OpResolver& resolver, OptionMemory* memory,
                   InterpreterOptions* options) {
  micrort_options known;
  micrort_options_init(&known);
  if (given != nullptr) {
    if (given->struct_bytes < sizeof given->struct_bytes || given->struct_bytes > sizeof known) {
      return MICRORT_ERROR(kInvalidArgument, "options: expected struct_bytes of at most %zu, found %zu",
                           sizeof known, given->struct_bytes);
    }
    std::memcpy(&known, given, given->struct_bytes);
  }
  options->threads = known.threads;
  options->arena = known.arena;
  options->arena_bytes = known.arena_bytes;
  if (known.isa != nullptr && !ParseIsa(known.isa, &options->features)) {
    return MICRORT_ERROR(kInvalidArgument, "isa: expected one of %s, found '%.40s'", IsaNames(), known.isa);
  }
  MICRORT_RETURN_IF_ERROR(ReadShapes(known.input_shapes, known.input_shape_count, &memory->shapes));
  options->input_shapes = {memory->shapes.data(), memory->shapes.size()};
  MICRORT_RETURN_IF_ERROR(ReadTuned(known, &memory->tuned));
  options->chooser = memory->tuned.get();
  MICRORT_RETURN_IF_ERROR(ReadCallbacks(known, &memory->callbacks));
  options->observer = memory->callbacks.get();
  options->whole_tensors = known.whole_tensors != 0;
  options->keep_inputs = known.keep_inputs != 0;
  options->spin = known.no_spin == 0;
  options->cpus = known.cpus;
  if (known.input_value_count != 0 && known.input_values == nullptr) return NullArgument();
  options->input_values = {known.input_values, known.input_value_count};
  options->limits = ReadLimits(known);
  memory->resolver = resolver;
  options->resolver = &memory->resolver;
  return ReadCustomOps(known, &memory->resolver);
}

}  // namespace micrort::c_api

extern "C" void micrort_options_init(micrort_options* options) {
  *options = micrort_options();
  options->struct_bytes = sizeof *options;
  options->threads = 1;
}
