#include "tests/support/random.h"

namespace micrort::testing {

int64_t Random::Integer(int64_t low, int64_t high) {
  return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
}

float Random::Float(float low, float high) {
  return low + (high - low) * static_cast<float>(engine_() >> 8) * 0x1p-24f;
}

void Random::Fill(float* values, size_t count, double low, double high) {
  for (size_t i = 0; i < count; ++i) values[i] = Float(static_cast<float>(low), static_cast<float>(high));
}

void Random::Fill(int8_t* values, size_t count, double low, double high) {
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<int8_t>(Integer(static_cast<int64_t>(low), static_cast<int64_t>(high)));
  }
}

}  // namespace micrort::testing
