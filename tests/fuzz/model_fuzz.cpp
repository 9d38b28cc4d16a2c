// Model files: loaded, planned and run.

#include "converter/emit/aligned_bytes.h"
#include "runtime/model/operator_options.h"
#include "schema/micrort_generated.h"
#include "tests/fuzz/flatbuffer_mutator.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/load_and_run.h"
#include "tests/fuzz/model_mutator.h"

namespace micrort::fuzz {
namespace {

bool IsSound(const uint8_t* bytes, size_t size) {
  ::flatbuffers::Verifier verifier(bytes, size);
  return verifier.VerifyBuffer<schema::Model>(nullptr);
}

bool IsSoundFile(const std::string& bytes) {
  const AlignedBytes file(bytes.data(), bytes.size());
  return IsSound(file.data(), file.size());
}

// Operators of `other` come over.
std::string Cross(const std::string& bytes, const std::string& other, Random& random) {
  if (!IsSoundFile(bytes)) return MutateBytes(bytes, random);
  return MutateModel(bytes, IsSoundFile(other) ? other : "", random);
}

std::string Mutate(const std::string& bytes, Random& random) {
  static const FlatbufferFormat kFormat = {MICRORT_FUZZ_SCHEMAS "/micrort.bfbs", IsSound};
  if (Below(2, random) == 0) return MutateFlatbuffer(kFormat, bytes, random);
  return Cross(bytes, "", random);
}

Status Run(const std::string& bytes) {
  const AlignedBytes file(bytes.data(), bytes.size());
  return LoadAndRun(file.data(), file.size());
}

}  // namespace

const Harness kModel = {"model", Run, Mutate, Cross};

}  // namespace micrort::fuzz
