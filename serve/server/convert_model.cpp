#include "serve/server/convert_model.h"

#include <iterator>

#include "serve/repository/model_folder.h"
#include "serve/server/child_process.h"

#if MICRORT_SERVE_CONVERTS
#include <cstdlib>
#include <string>

#include "converter/convert.h"
#endif

namespace micrort::serve {
#if MICRORT_SERVE_CONVERTS
namespace {

// The program's first argument where it converts: path, most memory and most work of the model follow.
constexpr char kConvert[] = "--convert-one-model";

ErrorKind KindOf(int exit_code) { return exit_code == 1 ? ErrorKind::kInternal : ErrorKind::kInvalid; }

Error ConvertModel(const std::string& path, const ModelLimits& limits, const LoadLimit& limit,
                   ModelBytes* bytes) {
  ChildResult result;
  const Error error = RunThisProgram(
      {kConvert, path, std::to_string(limits.max_memory_bytes), std::to_string(limits.max_work)}, limit,
      &result);
  if (!error.ok()) return error.WithPrefix(path);
  if (result.exit_code != 0) {
    const auto* text = reinterpret_cast<const char*>(result.output.bytes.data());
    return {KindOf(result.exit_code), std::string(text, result.output.bytes.size())};
  }
  *bytes = std::move(result.output);
  return {};
}

Error ConvertHere(char** arguments, Span<const uint8_t>* file, ConvertResult* result) {
  ConvertOptions options;
  options.limits.max_memory_bytes = std::strtoull(arguments[1], nullptr, 10);
  options.limits.max_work = std::strtoull(arguments[2], nullptr, 10);
  const Status status = Convert(arguments[0], options, result);
  *file = {result->file.data(), result->file.size()};
  if (status.ok()) return {};
  std::string missing;
  for (const auto& op : result->unsupported) missing += ' ' + op.op;
  const Error error = Error::From(status);
  return missing.empty() ? error : Error(error.kind(), error.message() + ":" + missing);
}

}  // namespace

void AllowSources(RepositoryOptions* options) {
  options->sources.assign(std::begin(kConvertibleFiles), std::end(kConvertibleFiles));
  options->convert = [limits = options->context.limits](const std::string& path, const LoadLimit& limit,
                                                        ModelBytes* bytes) {
    return ConvertModel(path, limits, limit, bytes);
  };
}

bool ConvertsHere(int argc, char** argv, int* exit_code) {
  if (argc != 5 || std::string(argv[1]) != kConvert) return false;
  BecomeChild();
  ConvertResult result;
  Span<const uint8_t> file;
  const Error error = ConvertHere(argv + 2, &file, &result);
  const std::string& message = error.message();
  const bool is_written =
      error.ok() ? WriteOutput(file)
                 : WriteOutput({reinterpret_cast<const uint8_t*>(message.data()), message.size()});
  *exit_code = !is_written || error.kind() == ErrorKind::kInternal ? 1 : error.ok() ? 0 : 2;
  return true;
}
#else
void AllowSources(RepositoryOptions* options) {
  options->sources.assign(std::begin(kConvertibleFiles), std::end(kConvertibleFiles));
  options->convert = [](const std::string&, const LoadLimit&, ModelBytes*) {
    return Invalid("this server was built without the converter (MICRORT_BUILD_CONVERTER)");
  };
}
bool ConvertsHere(int, char**, int*) { return false; }
#endif

}  // namespace micrort::serve
