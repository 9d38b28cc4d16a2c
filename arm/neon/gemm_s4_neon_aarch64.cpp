// int4 by int8 without dot products: those of a chunk, 15 * 128 each, add up to 15,360, which int16 holds.

#include <arm_neon.h>

#include "arm/neon/vec4_s4.h"
#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/gemm_s4_impl.h"

namespace micrort {

namespace {

static_assert(kInt4Chunk / 4 * 15 * 128 < 32768, "a chunk fits into int16");

struct WideningS4 : Vec4S4 {
  struct Partial {
    int16x8_t first, last;  // two columns each
  };

  static Partial Zero() { return {vdupq_n_s16(0), vdupq_n_s16(0)}; }
  static Partial Add(Partial partial, Bytes weights, Bytes row) {
    return {vmlal_s8(partial.first, vget_low_s8(weights), vget_low_s8(row)),
            vmlal_high_s8(partial.last, weights, row)};
  }
  static Sums Finish(Partial partial) {
    return vpaddq_s32(vpaddlq_s16(partial.first), vpaddlq_s16(partial.last));
  }
};

}  // namespace

void GemmS4_neon64_4x8(const GemmS4Block& t) { GemmS4<WideningS4, 2>(t); }

}  // namespace micrort
