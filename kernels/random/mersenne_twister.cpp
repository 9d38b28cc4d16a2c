#include "kernels/random/mersenne_twister.h"

#include <cmath>

namespace micrort {

void MersenneTwister::Seed(uint32_t seed) {
  state_[0] = seed;
  for (int i = 1; i < kWords; ++i) {
    state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + static_cast<uint32_t>(i);
  }
  next_ = kWords;
  has_spare_ = false;
  spare_ = 0;
}

void MersenneTwister::Refill() {
  constexpr int kShift = 397;
  for (int i = 0; i < kWords; ++i) {
    const uint32_t mixed = (state_[i] & 0x80000000u) | (state_[(i + 1) % kWords] & 0x7fffffffu);
    const uint32_t twist = (mixed & 1u) != 0 ? 0x9908b0dfu : 0u;
    state_[i] = state_[(i + kShift) % kWords] ^ (mixed >> 1) ^ twist;
  }
  next_ = 0;
}

uint32_t MersenneTwister::Next() {
  if (next_ == kWords) Refill();
  uint32_t y = state_[next_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

double MersenneTwister::Uniform() {
  const uint32_t high = Next() >> 5;
  const uint32_t low = Next() >> 6;
  return (static_cast<double>(high) * 0x1p26 + static_cast<double>(low)) * 0x1p-53;
}

double MersenneTwister::Normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2 * Uniform() - 1;
    y = 2 * Uniform() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const double factor = std::sqrt(-2 * std::log(square) / square);
  spare_ = factor * x;
  has_spare_ = true;
  return factor * y;
}

}  // namespace micrort
