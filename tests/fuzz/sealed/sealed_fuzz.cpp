// Files of micrort-seal, for those who have the keys.

#include <cstring>

#include "converter/emit/aligned_bytes.h"
#include "sealed/seal.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/load_and_run.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

// The same in every process, or a corpus would be of no use: a secret key is 32 bytes of any value.
constexpr sealed::Key kSecretKey = {1, 2, 3};

Status Run(const std::string& bytes) {
  AlignedBytes file(bytes.data(), bytes.size());
  const micrort_seal_keys keys = {nullptr, kSecretKey.data()};
  void* model = nullptr;
  size_t model_bytes = 0;
  char message[200];
  const micrort_status status =
      micrort_unseal(file.data(), file.size(), &keys, &model, &model_bytes, message, sizeof message);
  if (status != MICRORT_OK) return Refused(message);
  return LoadAndRun(static_cast<const uint8_t*>(model), model_bytes);
}

}  // namespace

std::vector<std::string> SealedSeeds() {
  std::vector<std::string> seeds;
  for (const std::string& model : ModelSeeds()) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(model.data());
    auto file = sealed::Seal({bytes, model.size()}, nullptr, &kSecretKey);
    if (file.ok()) seeds.emplace_back(file->begin(), file->end());
  }
  return seeds;
}

const Harness kSealed = {"sealed", Run, MutateBytes};

}  // namespace micrort::fuzz
