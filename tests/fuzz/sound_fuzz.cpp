// Sounds, as the recognizer of speech and the example that spots keywords read them.

#include "micrort/text/audio.h"
#include "tests/fuzz/harness.h"

namespace micrort::fuzz {
namespace {

Status Run(const std::string& bytes) {
  constexpr int kRate = 16000;
  auto sound = text::ParseWav({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  if (!sound.ok()) return sound.status();
  return text::Resample({sound->samples.data(), sound->samples.size()}, sound->rate, kRate).status();
}

}  // namespace

const Harness kSound = {"sound", Run, MutateBytes};

}  // namespace micrort::fuzz
