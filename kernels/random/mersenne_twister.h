#pragma once
// The Mersenne Twister MT19937 (Matsumoto and Nishimura), seeded and read as NumPy's RandomState does it, so
// that the same seed gives the same numbers on every platform, and those of models' recorded results.

#include <cstddef>
#include <cstdint>

namespace micrort {

// Plain data; valid after Seed().
class MersenneTwister {
 public:
  void Seed(uint32_t seed);
  // In [0, 1), of 53 random bits.
  double Uniform();
  // Mean 0, deviation 1; by the polar method, two at a time.
  double Normal();

 private:
  static constexpr int kWords = 624;

  uint32_t Next();
  void Refill();

  uint32_t state_[kWords];
  int next_;  // word of state_
  bool has_spare_;
  double spare_;
};

}  // namespace micrort
