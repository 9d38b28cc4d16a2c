// Model files of what the sources of other formats become.

#include "converter/emit/file_bytes.h"
#include "converter/emit/file_model.h"
#include "kernels/base/target.h"
#include "tests/fuzz/convert_and_run.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {

namespace {

// With the program of a microcontroller, which places tensors in its memories. Portable weights are kept, so
// that the host runs it, too.
ConvertOptions WithMemoryRegions(ConvertOptions options) {
  constexpr uint64_t kFast = 4096, kSlow = 1 << 20;
  options.target.name = "cortex-m4";
  static_cast<void>(ParseTarget("cortex-m4", &options.target.features));
  options.memory_regions = {{"fast", kFast, 0}, {"slow", kSlow, kFast}};
  return options;
}

std::string WholeFileOf(const AlignedBytes& file) {
  std::string bytes;
  emit::FilePieces pieces(file);
  for (Span<const uint8_t> piece = pieces.Next(); !piece.empty(); piece = pieces.Next())
    bytes.append(piece.begin(), piece.end());
  return bytes;
}

}  // namespace

std::vector<std::string> ModelSeeds() {
  std::vector<std::string> files;
  const auto add = [&files](const std::vector<std::string>& sources, const ConvertOptions& options) {
    for (const std::string& source : sources) {
      ConvertResult result;
      const Span<const uint8_t> span(reinterpret_cast<const uint8_t*>(source.data()), source.size());
      if (ConvertBytes("seed", span, options, &result).ok()) files.push_back(WholeFileOf(result.file));
    }
  };
  add(OnnxSeeds(), OptionsFor(frontend::SourceFormat::kOnnx));
  add(TfliteSeeds(), OptionsFor(frontend::SourceFormat::kTflite));
  {
    const emit::SmallFileLimits limits;
    add({OnnxSeeds()[0]}, OptionsFor(frontend::SourceFormat::kOnnx));
  }
  add({OnnxSeeds()[0]}, WithMemoryRegions(OptionsFor(frontend::SourceFormat::kOnnx)));
  return files;
}

}  // namespace micrort::fuzz
