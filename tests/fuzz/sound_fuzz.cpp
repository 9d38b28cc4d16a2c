// Sounds, as the example that spots keywords reads them.

#include <sys/mman.h>
#include <unistd.h>

#include <memory>

#include "examples/keyword/wav.h"
#include "tests/fuzz/harness.h"

namespace micrort::fuzz {
namespace {

Status Run(const std::string& bytes) {
  constexpr int kRate = 16000;
  const int file = memfd_create("sound", MFD_CLOEXEC);
  const bool is_written = write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  auto sound = examples::ReadWav("/proc/self/fd/" + std::to_string(file));
  close(file);
  if (!is_written) return MICRORT_ERROR(kIo, "no memory for a file");
  if (sound.ok()) static_cast<void>(examples::Resampled(*sound, kRate));
  return sound.status();
}

}  // namespace

const Harness kSound = {"sound", Run, MutateBytes};

}  // namespace micrort::fuzz
