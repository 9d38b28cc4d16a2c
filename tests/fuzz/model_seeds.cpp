// Model files of what the sources of other formats become.

#include "tests/fuzz/convert_and_run.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {

std::vector<std::string> ModelSeeds() {
  std::vector<std::string> files;
  const auto add = [&files](const std::vector<std::string>& sources, frontend::SourceFormat format) {
    for (const std::string& source : sources) {
      ConvertResult result;
      const Span<const uint8_t> span(reinterpret_cast<const uint8_t*>(source.data()), source.size());
      if (ConvertBytes("seed", span, OptionsFor(format), &result).ok())
        files.emplace_back(result.file.begin(), result.file.end());
    }
  };
  add(OnnxSeeds(), frontend::SourceFormat::kOnnx);
  add(TfliteSeeds(), frontend::SourceFormat::kTflite);
  return files;
}

}  // namespace micrort::fuzz
