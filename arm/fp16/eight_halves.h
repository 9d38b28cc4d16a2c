#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

namespace micrort {
namespace {

inline float16x8_t NarrowEight(const float* p) {
  return vcvt_high_f16_f32(vcvt_f16_f32(vld1q_f32(p)), vld1q_f32(p + 4));
}

// Loads and stores eight channels, or the last few of them.
struct EightHalves {
  size_t count;
  float16x8_t Load(const uint16_t* p) const {
    if (count == 8) return vreinterpretq_f16_u16(vld1q_u16(p));
    uint16_t eight[8] = {};
    __builtin_memcpy(eight, p, count * sizeof(uint16_t));
    return vreinterpretq_f16_u16(vld1q_u16(eight));
  }
  float16x8_t Bias(const float* p) const {
    if (count == 8) return NarrowEight(p);
    float eight[8] = {};
    __builtin_memcpy(eight, p, count * sizeof(float));
    return NarrowEight(eight);
  }
  void Store(uint16_t* p, float16x8_t v) const {
    if (count == 8) return vst1q_u16(p, vreinterpretq_u16_f16(v));
    uint16_t eight[8];
    vst1q_u16(eight, vreinterpretq_u16_f16(v));
    __builtin_memcpy(p, eight, count * sizeof(uint16_t));
  }
};

}  // namespace
}  // namespace micrort
