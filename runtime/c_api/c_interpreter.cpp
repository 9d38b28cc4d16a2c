// Interpreters: their life, their figures, and runs.

#include "runtime/c_api/c_options.h"

namespace {

using micrort::InterpreterOptions;
using micrort::Status;
using micrort::c_api::NullArgument;
using micrort::c_api::OptionMemory;
using micrort::c_api::ReadOptions;
using micrort::c_api::Report;

Status RequiredArenaBytes(const micrort_model& model, const micrort::OpResolver& resolver,
                          const micrort_options* options, size_t* bytes) {
  OptionMemory memory;
  InterpreterOptions read;
  MICRORT_RETURN_IF_ERROR(ReadOptions(options, resolver, &memory, &read));
  MICRORT_ASSIGN_OR_RETURN(*bytes, micrort::Interpreter::RequiredArenaBytes(model.model, read));
  return Status();
}

Status Create(const micrort_model& model, const micrort::OpResolver& resolver, const micrort_options* options,
              micrort_interpreter** interpreter) {
  *interpreter = nullptr;
  OptionMemory memory;
  InterpreterOptions read;
  MICRORT_RETURN_IF_ERROR(ReadOptions(options, resolver, &memory, &read));
  MICRORT_ASSIGN_OR_RETURN(micrort::Interpreter created, micrort::Interpreter::Create(model.model, read));
  *interpreter = micrort::NewObject<micrort_interpreter>(std::move(memory.tuned), std::move(memory.callbacks),
                                                         std::move(created));
  if (*interpreter != nullptr) return Status();
  return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(micrort_interpreter));
}

}  // namespace

extern "C" {

micrort_status micrort_required_arena_bytes_with(const micrort_model* model, const micrort_resolver* resolver,
                                                 const micrort_options* options, size_t* bytes, char* message,
                                                 size_t message_bytes) {
  const Report report(message, message_bytes);
  if (model == nullptr || resolver == nullptr || bytes == nullptr) return report(NullArgument());
  return report(RequiredArenaBytes(*model, resolver->resolver, options, bytes));
}

micrort_status micrort_required_arena_bytes(const micrort_model* model, const micrort_options* options,
                                            size_t* bytes, char* message, size_t message_bytes) {
  const Report report(message, message_bytes);
  if (model == nullptr || bytes == nullptr) return report(NullArgument());
  return report(RequiredArenaBytes(*model, micrort::AllOps(), options, bytes));
}

micrort_status micrort_interpreter_create_with(const micrort_model* model, const micrort_resolver* resolver,
                                               const micrort_options* options,
                                               micrort_interpreter** interpreter, char* message,
                                               size_t message_bytes) {
  const Report report(message, message_bytes);
  if (model == nullptr || resolver == nullptr || interpreter == nullptr) return report(NullArgument());
  return report(Create(*model, resolver->resolver, options, interpreter));
}

micrort_status micrort_interpreter_create(const micrort_model* model, const micrort_options* options,
                                          micrort_interpreter** interpreter, char* message,
                                          size_t message_bytes) {
  const Report report(message, message_bytes);
  if (model == nullptr || interpreter == nullptr) return report(NullArgument());
  return report(Create(*model, micrort::AllOps(), options, interpreter));
}

void micrort_interpreter_destroy(micrort_interpreter* interpreter) { micrort::DeleteObject(interpreter); }

size_t micrort_interpreter_arena_bytes(const micrort_interpreter* interpreter) {
  return interpreter->interpreter.arena_bytes();
}

size_t micrort_interpreter_scratch_bytes(const micrort_interpreter* interpreter) {
  return interpreter->interpreter.scratch_bytes();
}

size_t micrort_interpreter_arena_lower_bound(const micrort_interpreter* interpreter) {
  return interpreter->interpreter.arena_lower_bound();
}

size_t micrort_interpreter_packed_in_place_bytes(const micrort_interpreter* interpreter) {
  return interpreter->interpreter.packed_in_place_bytes();
}

const char* micrort_interpreter_isa(const micrort_interpreter* interpreter) {
  return micrort::IsaName(interpreter->interpreter.features());
}

micrort_status micrort_interpreter_resize(micrort_interpreter* interpreter, const micrort_shape* shapes,
                                          size_t count, char* message, size_t message_bytes) {
  return micrort_interpreter_resize_with_values(interpreter, shapes, nullptr, count, message, message_bytes);
}

micrort_status micrort_interpreter_resize_with_values(micrort_interpreter* interpreter,
                                                      const micrort_shape* shapes, const void* const* values,
                                                      size_t count, char* message, size_t message_bytes) {
  const Report report(message, message_bytes);
  micrort::FixedArray<micrort::Shape> read;
  if (Status s = micrort::c_api::ReadShapes(shapes, count, &read); !s.ok()) return report(s);
  return report(
      interpreter->interpreter.Resize({read.data(), read.size()}, {values, values == nullptr ? 0 : count}));
}

micrort_status micrort_interpreter_run(micrort_interpreter* interpreter, char* message,
                                       size_t message_bytes) {
  return Report(message, message_bytes)(interpreter->interpreter.Run());
}

micrort_status micrort_interpreter_run_for(micrort_interpreter* interpreter, uint64_t microseconds,
                                           char* message, size_t message_bytes) {
  return Report(message, message_bytes)(interpreter->interpreter.RunFor(microseconds));
}

void micrort_interpreter_cancel(micrort_interpreter* interpreter) { interpreter->interpreter.Cancel(); }

}  // extern "C"
