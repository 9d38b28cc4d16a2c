// int4 by int8: pairs of products, at most 2 * 15 * 128 each, add up to 30,720 over a chunk, which int16
// holds.

#include <immintrin.h>

#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/gemm_s4_impl.h"
#include "x86/avx2/vec8_s4.h"

namespace micrort {

namespace {

static_assert(kInt4Chunk / 4 * 2 * 15 * 128 < 32768, "a chunk fits into int16");

struct PairsS4 : Vec8S4 {
  using Partial = __m256i;  // int16, two a column
  static constexpr bool kSplit = true;

  static Partial Zero() { return _mm256_setzero_si256(); }
  static Partial Add(Partial partial, Bytes weights, Bytes row) {
    return _mm256_add_epi16(partial, _mm256_maddubs_epi16(weights, row));
  }
  static Sums Finish(Partial partial) { return _mm256_madd_epi16(partial, _mm256_set1_epi16(1)); }
};

}  // namespace

void GemmS4_avx2_4x16(const GemmS4Block& t) { GemmS4<PairsS4, 2>(t); }

}  // namespace micrort
