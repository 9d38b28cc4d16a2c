#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "kernels/base/fixed_array.h"
#include "micrort/cpus.h"
#include "micrort/micrort.h"
#include "micrort/micrort_c.h"
#include "micrort/version.h"
#include "runtime/memory/objects.h"
#include "schema/micrort_generated.h"

struct micrort_model {
  micrort::Model model;
};

struct micrort_resolver {
  micrort::OpResolver resolver;
};

namespace micrort::c_api {

// Hands steps on to the caller's functions.
class Callbacks final : public OpObserver {
 public:
  explicit Callbacks(const micrort_options& options)
      : before_(options.before_step), after_(options.after_step), user_(options.step_user) {}
  void BeforeOp(const OpInfo& op) override { Call(before_, op); }
  void AfterOp(const OpInfo& op) override { Call(after_, op); }

 private:
  void Call(micrort_step_callback callback, const OpInfo& op) const {
    if (callback != nullptr) callback(user_, reinterpret_cast<const micrort_step*>(&op));
  }

  micrort_step_callback before_, after_;
  void* user_;
};

}  // namespace micrort::c_api

namespace {

using micrort::c_api::Callbacks;

const micrort::OpInfo& InfoOf(const micrort_step* step) {
  return *reinterpret_cast<const micrort::OpInfo*>(step);
}

}  // namespace

struct micrort_interpreter {
  micrort::OwnedObject<micrort::TunedChoices> tuned;  // or null
  micrort::OwnedObject<Callbacks> callbacks;          // or null
  micrort::Interpreter interpreter;
};

namespace {

using micrort::InterpreterOptions;
using micrort::Status;
using micrort::StatusCode;
using micrort::TensorView;

static_assert(MICRORT_DEADLINE_EXCEEDED == static_cast<int>(StatusCode::kDeadlineExceeded),
              "status codes are those of C++");
static_assert(MICRORT_INT4 == static_cast<int>(micrort::DType::kInt4), "element types are those of C++");
static_assert(MICRORT_MAX_RANK == micrort::kMaxRank, "");
#if MICRORT_ERROR_STRINGS
static_assert(MICRORT_MESSAGE_BYTES == Status::kMaxMessage, "");
#endif

// The way of every status out of this file.
class Report {
 public:
  Report(char* message, size_t message_bytes) : message_(message), bytes_(message_bytes) {}

  micrort_status operator()(const Status& status) const {
    if (message_ != nullptr && bytes_ != 0) {
      const size_t n = std::min(std::strlen(status.message()), bytes_ - 1);
      std::memcpy(message_, status.message(), n);
      message_[n] = '\0';
    }
    return static_cast<micrort_status>(status.code());
  }

 private:
  char* message_;
  size_t bytes_;
};

Status NullArgument() { return MICRORT_ERROR(kInvalidArgument, "an argument is null"); }

// Moves the model into a handle on the heap.
Status NewHandle(micrort::Result<micrort::Model> model, micrort_model** handle) {
  if (!model.ok()) return model.status();
  *handle = micrort::NewObject<micrort_model>(std::move(*model));
  if (*handle == nullptr)
    return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(micrort_model));
  return Status();
}

Status ReadShapes(const micrort_shape* shapes, size_t count, micrort::FixedArray<micrort::Shape>* out) {
  if (count != 0 && shapes == nullptr) return NullArgument();
  MICRORT_RETURN_IF_ERROR(out->Allocate(count));
  for (size_t i = 0; i < count; ++i) {
    if (shapes[i].rank < 0 || shapes[i].rank > micrort::kMaxRank) {
      return MICRORT_ERROR(kInvalidArgument, "shape %zu: expected a rank of at most %d, found %d", i,
                           micrort::kMaxRank, static_cast<int>(shapes[i].rank));
    }
    (*out)[i].rank = shapes[i].rank;
    std::copy(shapes[i].dims, shapes[i].dims + shapes[i].rank, (*out)[i].dims);
  }
  return Status();
}

// What options refer to.
struct OptionMemory {
  micrort::FixedArray<micrort::Shape> shapes;
  micrort::OwnedObject<micrort::TunedChoices> tuned;
  micrort::OwnedObject<Callbacks> callbacks;
  micrort::OpResolver resolver;
};

Status ReadCallbacks(const micrort_options& given, micrort::OwnedObject<Callbacks>* out) {
  if (given.before_step == nullptr && given.after_step == nullptr) return Status();
  out->reset(micrort::NewObject<Callbacks>(given));
  if (*out != nullptr) return Status();
  return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(Callbacks));
}

Status ReadTuned(const micrort_options& given, micrort::OwnedObject<micrort::TunedChoices>* out) {
  if (given.tuned == nullptr) return Status();
  auto choices = micrort::TunedChoices::FromText({given.tuned, given.tuned_bytes}, "tuned choices");
  if (!choices.ok()) return choices.status();
  out->reset(micrort::NewObject<micrort::TunedChoices>(std::move(*choices)));
  if (*out != nullptr) return Status();
  return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(micrort::TunedChoices));
}

micrort::ModelLimits ReadLimits(const micrort_options& given) {
  micrort::ModelLimits limits;
  const auto take = [](uint64_t value, uint64_t* limit) { *limit = value == 0 ? *limit : value; };
  take(given.max_operators, &limits.max_operators);
  take(given.max_tensor_bytes, &limits.max_tensor_bytes);
  take(given.max_memory_bytes, &limits.max_memory_bytes);
  take(given.max_work, &limits.max_work);
  take(given.max_planning_work, &limits.max_planning_work);
  return limits;
}

Status ReadCustomOps(const micrort_options& given, micrort::OpResolver* resolver) {
  if (given.custom_op_count != 0 && given.custom_ops == nullptr) return NullArgument();
  if (given.custom_op_count > micrort::OpResolver::kMaxCustomOps) {
    return MICRORT_ERROR(kInvalidArgument, "custom_ops: expected at most %zu, found %zu",
                         micrort::OpResolver::kMaxCustomOps, given.custom_op_count);
  }
  for (size_t i = 0; i < given.custom_op_count; ++i) {
    MICRORT_RETURN_IF_ERROR(micrort::CheckCustomOp(given.custom_ops[i]));
    resolver->AddCustom(*given.custom_ops[i]);
  }
  return Status();
}

// A caller built against an older, shorter structure leaves the rest at its defaults.
Status ReadOptions(const micrort_options* given, const micrort::OpResolver& resolver, OptionMemory* memory,
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
  if (known.isa != nullptr && !micrort::ParseIsa(known.isa, &options->features)) {
    return MICRORT_ERROR(kInvalidArgument, "isa: expected one of %s, found '%.40s'", micrort::IsaNames(),
                         known.isa);
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

micrort_status WriteTensor(const TensorView& view, size_t index, size_t count, micrort_tensor* tensor) {
  if (tensor == nullptr || index >= count) return MICRORT_INVALID_ARGUMENT;
  *tensor = micrort_tensor();
  tensor->name = view.name;
  tensor->dtype = static_cast<micrort_dtype>(view.dtype);
  tensor->shape.rank = view.shape.rank;
  std::copy(view.shape.dims, view.shape.dims + view.shape.rank, tensor->shape.dims);
  tensor->data = view.data;
  tensor->bytes = view.bytes();
  if (view.quantization.count == 1) {
    tensor->scale = view.quantization.scale();
    tensor->zero_point = view.quantization.zero_point();
  }
  return MICRORT_OK;
}

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

bool IsNamed(const TensorView& view, const char* name) { return std::strcmp(view.name, name) == 0; }

}  // namespace

extern "C" {

void micrort_set_allocator(const micrort_allocator* given) {
  micrort::Allocator allocator;
  if (given != nullptr) allocator = {given->allocate, given->deallocate, given->context};
  micrort::SetAllocator(allocator);
}

const char* micrort_version(void) { return MICRORT_VERSION; }

void micrort_options_init(micrort_options* options) {
  *options = micrort_options();
  options->struct_bytes = sizeof *options;
  options->threads = 1;
}

uint64_t micrort_big_cpus(void) { return micrort::BigCpus(); }
uint64_t micrort_little_cpus(void) { return micrort::LittleCpus(); }
micrort_status micrort_bind_thread(uint64_t cpus) {
  return static_cast<micrort_status>(micrort::BindThread(cpus).code());
}

const char* micrort_status_name(micrort_status status) {
  return micrort::StatusCodeName(static_cast<StatusCode>(status));
}

micrort_status micrort_model_from_file(const char* path, micrort_model** model, char* message,
                                       size_t message_bytes) {
  const Report report(message, message_bytes);
  if (model == nullptr) return report(NullArgument());
  *model = nullptr;
  return report(NewHandle(micrort::Model::FromFile(path), model));
}

micrort_status micrort_model_from_buffer(const void* data, size_t size, micrort_model** model, char* message,
                                         size_t message_bytes) {
  const Report report(message, message_bytes);
  if (model == nullptr) return report(NullArgument());
  *model = nullptr;
  return report(NewHandle(micrort::Model::FromBuffer(data, size), model));
}

void micrort_model_destroy(micrort_model* model) { micrort::DeleteObject(model); }

size_t micrort_model_input_count(const micrort_model* model) { return model->model.input_count(); }

micrort_status micrort_model_input(const micrort_model* model, size_t index, micrort_tensor* tensor) {
  const micrort_status status =
      WriteTensor(model->model.input(index), index, model->model.input_count(), tensor);
  if (status == MICRORT_OK) tensor->bytes = 0;
  return status;
}

int32_t micrort_model_decides_shapes(const micrort_model* model, size_t index) {
  return model->model.decides_shapes(index) ? 1 : 0;
}

size_t micrort_model_file_bytes(const micrort_model* model) { return model->model.file_bytes(); }
size_t micrort_model_weight_bytes(const micrort_model* model) { return model->model.weight_bytes(); }
size_t micrort_model_packed_file_bytes(const micrort_model* model) {
  return model->model.packed_file_bytes();
}
size_t micrort_model_packed_bytes(const micrort_model* model) { return model->model.packed_bytes(); }
size_t micrort_model_state_chunk(const micrort_model* model) { return model->model.state_chunk(); }

const char* micrort_model_metadata(const micrort_model* model, const char* key) {
  const auto* metadata = micrort::schema::GetModel(model->model.file().data())->metadata();
  if (metadata == nullptr) return nullptr;
  for (const micrort::schema::Metadata* entry : *metadata) {
    if (entry->key() == nullptr || entry->value() == nullptr) continue;
    if (std::string_view(entry->key()->c_str(), entry->key()->size()) != key) continue;
    return entry->value()->c_str();
  }
  return nullptr;
}

micrort_resolver* micrort_resolver_create(void) { return micrort::NewObject<micrort_resolver>(); }

void micrort_resolver_add(micrort_resolver* resolver, const micrort_registration* op) {
  resolver->resolver.Add(*reinterpret_cast<const micrort::OpRegistration*>(op));
}

void micrort_resolver_destroy(micrort_resolver* resolver) { micrort::DeleteObject(resolver); }

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

size_t micrort_interpreter_input_count(const micrort_interpreter* interpreter) {
  return interpreter->interpreter.input_count();
}

size_t micrort_interpreter_output_count(const micrort_interpreter* interpreter) {
  return interpreter->interpreter.output_count();
}

micrort_status micrort_interpreter_input(const micrort_interpreter* interpreter, size_t index,
                                         micrort_tensor* tensor) {
  const micrort::Interpreter& i = interpreter->interpreter;
  return WriteTensor(i.input(index), index, i.input_count(), tensor);
}

micrort_status micrort_interpreter_output(const micrort_interpreter* interpreter, size_t index,
                                          micrort_tensor* tensor) {
  const micrort::Interpreter& i = interpreter->interpreter;
  return WriteTensor(i.output(index), index, i.output_count(), tensor);
}

micrort_status micrort_interpreter_find_input(const micrort_interpreter* interpreter, const char* name,
                                              micrort_tensor* tensor) {
  if (name == nullptr) return MICRORT_INVALID_ARGUMENT;
  const micrort::Interpreter& i = interpreter->interpreter;
  size_t at = 0;
  while (at < i.input_count() && !IsNamed(i.input(at), name)) ++at;
  return micrort_interpreter_input(interpreter, at, tensor);
}

micrort_status micrort_interpreter_find_output(const micrort_interpreter* interpreter, const char* name,
                                               micrort_tensor* tensor) {
  if (name == nullptr) return MICRORT_INVALID_ARGUMENT;
  const micrort::Interpreter& i = interpreter->interpreter;
  size_t at = 0;
  while (at < i.output_count() && !IsNamed(i.output(at), name)) ++at;
  return micrort_interpreter_output(interpreter, at, tensor);
}

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
  if (Status s = ReadShapes(shapes, count, &read); !s.ok()) return report(s);
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

size_t micrort_step_operator_count(const micrort_step* step) { return InfoOf(step).sources.size(); }

micrort_status micrort_step_operator(const micrort_step* step, size_t index, micrort_operator* op) {
  const auto& sources = InfoOf(step).sources;
  if (op == nullptr || index >= sources.size()) return MICRORT_INVALID_ARGUMENT;
  const micrort::OpSource& source = sources[index];
  *op = {source.type, source.node, source.algorithm, source.layer, source.multiply_adds};
  return MICRORT_OK;
}

size_t micrort_step_input_count(const micrort_step* step) { return InfoOf(step).inputs.size(); }
size_t micrort_step_output_count(const micrort_step* step) { return InfoOf(step).outputs.size(); }

micrort_status micrort_step_input(const micrort_step* step, size_t index, micrort_tensor* tensor) {
  const auto& inputs = InfoOf(step).inputs;
  if (index >= inputs.size()) return MICRORT_INVALID_ARGUMENT;
  return WriteTensor(inputs[index], index, inputs.size(), tensor);
}

micrort_status micrort_step_output(const micrort_step* step, size_t index, micrort_tensor* tensor) {
  const auto& outputs = InfoOf(step).outputs;
  if (index >= outputs.size()) return MICRORT_INVALID_ARGUMENT;
  return WriteTensor(outputs[index], index, outputs.size(), tensor);
}

size_t micrort_interpreter_state_count(const micrort_interpreter* interpreter) {
  return interpreter->interpreter.state_count();
}

micrort_status micrort_interpreter_state(const micrort_interpreter* interpreter, size_t index,
                                         micrort_tensor* tensor) {
  const micrort::Interpreter& i = interpreter->interpreter;
  return WriteTensor(i.state(index), index, i.state_count(), tensor);
}

void micrort_interpreter_reset_state(micrort_interpreter* interpreter) {
  interpreter->interpreter.ResetState();
}

size_t micrort_interpreter_state_bytes(const micrort_interpreter* interpreter) {
  return interpreter->interpreter.StateBytes();
}

micrort_status micrort_interpreter_save_state(const micrort_interpreter* interpreter, void* to, size_t bytes,
                                              char* message, size_t message_bytes) {
  const Report report(message, message_bytes);
  if (to == nullptr && bytes != 0) return report(NullArgument());
  return report(interpreter->interpreter.SaveState(to, bytes));
}

micrort_status micrort_interpreter_restore_state(micrort_interpreter* interpreter, const void* from,
                                                 size_t bytes, char* message, size_t message_bytes) {
  const Report report(message, message_bytes);
  if (from == nullptr && bytes != 0) return report(NullArgument());
  return report(interpreter->interpreter.RestoreState(from, bytes));
}

size_t micrort_interpreter_state_length(const micrort_interpreter* interpreter) {
  return interpreter->interpreter.StateLength();
}

micrort_status micrort_interpreter_truncate_state(micrort_interpreter* interpreter, size_t length,
                                                  char* message, size_t message_bytes) {
  const Report report(message, message_bytes);
  return report(interpreter->interpreter.TruncateState(length));
}

}  // extern "C"
