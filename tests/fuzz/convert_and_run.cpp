#include "tests/fuzz/convert_and_run.h"

#include "tests/fuzz/load_and_run.h"

namespace micrort::fuzz {

ConvertOptions OptionsFor(frontend::SourceFormat format) {
  ConvertOptions options;
  options.format = format;
  options.limits = TightLimits();
  const bool has_domains =
      format != frontend::SourceFormat::kCaffe && format != frontend::SourceFormat::kTorchscript;
  if (has_domains) options.custom_domains = {kZeroOut.domain};
  return options;
}

Status ConvertAndRun(const std::string& bytes, const ConvertOptions& options) {
  ConvertResult result;
  const Span<const uint8_t> span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  MICRORT_RETURN_IF_ERROR(ConvertBytes("model", span, options, &result));
  const Status run = LoadAndRun(result.file.data(), result.file.size());
  return run.code() == StatusCode::kOutOfMemory ? run : Status();
}

}  // namespace micrort::fuzz
