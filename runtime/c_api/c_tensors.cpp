// Tensors of interpreters, of steps and of states; what states keep.

#include "runtime/c_api/handles.h"

namespace micrort::c_api {

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

}  // namespace micrort::c_api

namespace {

using micrort::TensorView;
using micrort::c_api::NullArgument;
using micrort::c_api::Report;
using micrort::c_api::WriteTensor;

const micrort::OpInfo& InfoOf(const micrort_step* step) {
  return *reinterpret_cast<const micrort::OpInfo*>(step);
}

bool IsNamed(const TensorView& view, const char* name) { return std::strcmp(view.name, name) == 0; }

}  // namespace

extern "C" {

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
