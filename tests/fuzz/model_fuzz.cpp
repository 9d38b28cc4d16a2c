// Model files: loaded, planned and run.

#include "runtime/model/operator_options.h"
#include "schema/micrort_generated.h"
#include "tests/fuzz/convert_and_run.h"
#include "tests/fuzz/flatbuffer_mutator.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/model_mutator.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

std::vector<std::string> Seeds() {
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

bool IsSound(const uint8_t* bytes, size_t size) {
  ::flatbuffers::Verifier verifier(bytes, size);
  return verifier.VerifyBuffer<schema::Model>(nullptr);
}

bool IsSoundFile(const std::string& bytes) {
  const AlignedBytes file(bytes.begin(), bytes.end());
  return IsSound(file.data(), file.size());
}

// Operators of `other` come over; of a seed where there is no other one.
std::string Cross(const std::string& bytes, const std::string& other, Random& random) {
  if (!IsSoundFile(bytes)) return MutateBytes(bytes, random);
  return MutateModel(bytes, IsSoundFile(other) ? other : "", random);
}

std::string Mutate(const std::string& bytes, Random& random) {
  static const FlatbufferFormat kFormat = {MICRORT_FUZZ_SCHEMAS "/micrort.bfbs", IsSound};
  static const std::vector<std::string> seeds = Seeds();
  if (Below(2, random) == 0) return MutateFlatbuffer(kFormat, bytes, random);
  return Cross(bytes, seeds[Below(seeds.size(), random)], random);
}

Status Run(const std::string& bytes) {
  const AlignedBytes file(bytes.begin(), bytes.end());
  return LoadAndRun(file.data(), file.size());
}

}  // namespace

const Harness kModel = {"model", Run, Seeds, Mutate, Cross};

}  // namespace micrort::fuzz
