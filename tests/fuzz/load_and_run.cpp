#include "tests/fuzz/load_and_run.h"

#include <algorithm>
#include <cstring>

#include "micrort/micrort.h"

namespace micrort::fuzz {
namespace {

uint64_t work_limit = kNoWorkLimit;

// Reads every byte of the outputs; comparing their sum is what MemorySanitizer takes for a use of them.
Status ReadOutputs(const Interpreter& interpreter) {
  constexpr uint64_t kMost = uint64_t{255} << 32;
  uint64_t sum = 0;
  for (size_t i = 0; i < interpreter.output_count(); ++i) {
    const TensorView output = interpreter.output(i);
    const auto* bytes = static_cast<const uint8_t*>(output.data);
    for (size_t k = 0; bytes != nullptr && k < output.bytes(); ++k) sum += bytes[k];
  }
  return sum <= kMost ? Status() : MICRORT_ERROR(kInternal, "outputs of more bytes than the limits allow");
}

}  // namespace

void LimitWork(uint64_t work) { work_limit = work; }

ModelLimits TightLimits() {
  ModelLimits limits;
  limits.max_operators = 1024;
  limits.max_tensor_bytes = uint64_t{1} << 20;
  limits.max_memory_bytes = uint64_t{4} << 20;
  limits.max_work = std::min<uint64_t>(20'000'000'000, work_limit);
  limits.max_planning_work = std::min<uint64_t>(200'000'000, work_limit);
  return limits;
}

Status LoadAndRun(const uint8_t* bytes, size_t size) {
  auto model = Model::FromBuffer(bytes, size);
  if (!model.ok()) return model.status();
  InterpreterOptions options;
  options.limits = TightLimits();
  // Conversions take more than what they give.
  options.limits.max_work = std::min<uint64_t>(300'000'000, work_limit);
  OpResolver resolver = AllOps();
  options.resolver = &resolver.AddCustom(kZeroOut);
  auto interpreter = Interpreter::Create(*model, options);
  if (!interpreter.ok()) return interpreter.status();
  for (size_t i = 0; i < interpreter->input_count(); ++i) {
    const TensorView input = interpreter->input(i);
    if (input.data != nullptr) std::memset(input.data, 1, input.bytes());
  }
  MICRORT_RETURN_IF_ERROR(interpreter->Run());
  return ReadOutputs(*interpreter);
}

}  // namespace micrort::fuzz
