#include "tests/fuzz/convert_and_run.h"

#include <cstring>

#include "micrort/custom_op.h"
#include "micrort/micrort.h"

// Of examples/custom_op.
extern "C" const micrort_custom_op kZeroOut;

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

ConvertOptions OptionsFor(frontend::SourceFormat format) {
  ConvertOptions options;
  options.format = format;
  options.limits = TightLimits();
  const bool has_domains =
      format != frontend::SourceFormat::kCaffe && format != frontend::SourceFormat::kTorchscript;
  if (has_domains) options.custom_domains = {kZeroOut.domain};
  return options;
}

Status LoadAndRun(const uint8_t* bytes, size_t size) {
  auto model = Model::FromBuffer(bytes, size);
  if (!model.ok()) return model.status();
  InterpreterOptions options;
  options.limits = TightLimits();
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

Status ConvertAndRun(const std::string& bytes, const ConvertOptions& options) {
  ConvertResult result;
  const Span<const uint8_t> span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  MICRORT_RETURN_IF_ERROR(ConvertBytes("model", span, options, &result));
  const Status run = LoadAndRun(result.file.data(), result.file.size());
  return run.code() == StatusCode::kOutOfMemory ? run : Status();
}

}  // namespace micrort::fuzz
