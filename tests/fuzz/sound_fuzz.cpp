// Sounds, as the example that spots keywords reads them.

#include "examples/keyword/wav.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/scratch.h"

namespace micrort::fuzz {
namespace {

Status Run(const std::string& bytes) {
  constexpr int kRate = 16000;
  const MemoryFile file(bytes);
  auto sound = examples::ReadWav(file.path());
  if (sound.ok()) static_cast<void>(examples::Resampled(*sound, kRate));
  return sound.status();
}

}  // namespace

const Harness kSound = {"sound", Run, MutateBytes};

}  // namespace micrort::fuzz
