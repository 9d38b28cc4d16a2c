// ONNX models, through all that mnnconvert writes of them: C++, a C array, reports, figures.

#include "converter/emit/c_array.h"
#include "converter/report/summary_json.h"
#include "tests/fuzz/convert_and_run.h"
#include "tests/fuzz/harness.h"

namespace micrort::fuzz {
namespace {

Status Emit(const std::string& bytes, const ConvertOptions& options) {
  ConvertResult result;
  const Span<const uint8_t> model(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  MICRORT_RETURN_IF_ERROR(ConvertBytes("model", model, options, &result));
  bool is_written = !emit::CArray("model", {result.file.data(), result.file.size()}).empty() &&
                    !report::ToJson(result.summary, result.verification, result.expectation).empty();
  if (result.quality)
    is_written =
        is_written && !report::ToHtml(*result.quality).empty() && !report::ToJson(*result.quality).empty();
  if (options.cpp) is_written = is_written && !result.cpp.empty();
  return is_written ? Status() : MICRORT_ERROR(kInternal, "a model of which nothing is written");
}

Status Run(const std::string& bytes) {
  ConvertOptions reported = OptionsFor(frontend::SourceFormat::kOnnx), emitted = reported;
  reported.quant = QuantMode::kInt8;
  reported.verify = VerifyMode::kLayers;
  reported.report = reported.embed_test = true;
  MICRORT_RETURN_IF_ERROR(Emit(bytes, reported));
  emitted.cpp.emplace().class_name = "a::Net";
  const Status status = Emit(bytes, emitted);
  // What C++ is not written for, it says.
  return status.code() == StatusCode::kUnsupported ? Status() : status;
}

std::string Mutate(const std::string& bytes, Random& random) { return kOnnx.mutate(bytes, random); }

}  // namespace

const Harness kEmit = {"emit", Run, Mutate};

}  // namespace micrort::fuzz
