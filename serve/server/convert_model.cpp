#include "serve/server/convert_model.h"

#if MICRORT_SERVE_CONVERTS
#include "converter/convert.h"
#endif

namespace micrort::serve {
#if MICRORT_SERVE_CONVERTS
namespace {

Error ConvertModel(const std::string& path, ModelBytes* bytes) {
  const auto result = std::make_shared<ConvertResult>();
  const Status status = Convert(path, ConvertOptions(), result.get());
  if (!status.ok()) {
    Error error = Error::From(status);
    std::string missing;
    for (const auto& op : result->unsupported) missing += ' ' + op.op;
    return missing.empty() ? error : Error(error.kind(), error.message() + ":" + missing);
  }
  bytes->bytes = {result->file.data(), result->file.size()};
  bytes->owner = result;
  return {};
}

}  // namespace

void AllowSources(RepositoryOptions* options) {
  options->sources = {"model.onnx", "model.tflite", "model.pb", "model.pt"};
  options->convert = ConvertModel;
}
#else
void AllowSources(RepositoryOptions* options) {
  options->sources = {"model.onnx", "model.tflite", "model.pb", "model.pt"};
  options->convert = [](const std::string&, ModelBytes*) {
    return Invalid("this server was built without the converter (MICRORT_BUILD_CONVERTER)");
  };
}
#endif

}  // namespace micrort::serve
