#include "bench/machine/bandwidth.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace micrort::bench {

namespace {

constexpr size_t kBytes = size_t{256} << 20;
constexpr size_t kLine = 64;

}  // namespace

Bandwidth::Bandwidth() : block_(std::aligned_alloc(kLine, kBytes)) { std::memset(block_, 1, kBytes); }

Bandwidth::~Bandwidth() { std::free(block_); }

size_t Bandwidth::Read() {
  // Several sums, so that adding is not what limits.
  uint64_t sums[8] = {};
  const auto* words = static_cast<const uint64_t*>(block_);
  for (size_t i = 0; i < kBytes / sizeof(uint64_t); i += 8) {
    for (size_t k = 0; k < 8; ++k) sums[k] += words[i + k];
  }
  for (size_t k = 1; k < 8; ++k) sums[0] += sums[k];
  volatile uint64_t sink = sums[0];
  static_cast<void>(sink);
  return kBytes;
}

}  // namespace micrort::bench
