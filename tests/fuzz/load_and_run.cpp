#include "tests/fuzz/load_and_run.h"

#include <cstring>

#include "micrort/micrort.h"

namespace micrort::fuzz {

ModelLimits TightLimits() {
  ModelLimits limits;
  limits.max_operators = 1024;
  limits.max_tensor_bytes = uint64_t{4} << 20;
  limits.max_memory_bytes = uint64_t{16} << 20;
  limits.max_work = 20'000'000'000;
  limits.max_planning_work = 1'000'000'000;
  return limits;
}

Status LoadAndRun(const uint8_t* bytes, size_t size) {
  auto model = Model::FromBuffer(bytes, size);
  if (!model.ok()) return model.status();
  InterpreterOptions options;
  options.limits = TightLimits();
  // Conversions take more than what they give.
  options.limits.max_work = 2'000'000'000;
  OpResolver resolver = AllOps();
  options.resolver = &resolver.AddCustom(kZeroOut);
  auto interpreter = Interpreter::Create(*model, options);
  if (!interpreter.ok()) return interpreter.status();
  for (size_t i = 0; i < interpreter->input_count(); ++i) {
    const TensorView input = interpreter->input(i);
    if (input.data != nullptr) std::memset(input.data, 1, input.bytes());
  }
  return interpreter->Run();
}

}  // namespace micrort::fuzz
