// A harness under libFuzzer: fuzz_HARNESS [libFuzzer's arguments].

#include <algorithm>
#include <cstring>

#include "tests/fuzz/harness.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace micrort::fuzz {
namespace {

constexpr const Harness& kHarness = MICRORT_FUZZ_HARNESS;

std::string Text(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

size_t Copy(const std::string& bytes, uint8_t* out, size_t max_size) {
  const size_t kept = std::min(bytes.size(), max_size);
  std::memcpy(out, bytes.data(), kept);
  return kept;
}

// One change in four is libFuzzer's own: it remembers what the code compares with.
size_t Mutate(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  constexpr size_t kOwn = 4;
  Random random(seed);
  if (Below(kOwn, random) == 0) return LLVMFuzzerMutate(data, size, max_size);
  return Copy(kHarness.mutate(Text(data, size), random), data, max_size);
}

size_t Cross(const std::string& a, const std::string& b, uint8_t* out, size_t max_size, unsigned seed) {
  Random random(seed);
  return Copy(kHarness.cross == nullptr ? kHarness.mutate(a, random) : kHarness.cross(a, b, random), out,
              max_size);
}

}  // namespace
}  // namespace micrort::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return micrort::fuzz::Mutate(data, size, max_size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                            uint8_t* out, size_t max_size, unsigned seed) {
  using micrort::fuzz::Text;
  return micrort::fuzz::Cross(Text(a, a_size), Text(b, b_size), out, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static_cast<void>(micrort::fuzz::kHarness.run(micrort::fuzz::Text(data, size)));
  return 0;
}
