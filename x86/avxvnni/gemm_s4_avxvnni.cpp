#include <immintrin.h>

#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/gemm_s4_impl.h"
#include "x86/avx2/vec8_s4.h"

namespace micrort {

namespace {

struct DotS4 : Vec8S4 {
  using Partial = __m256i;
  static constexpr bool kSplit = true;

  static Partial Zero() { return _mm256_setzero_si256(); }
  static Partial Add(Partial partial, Bytes weights, Bytes row) {
    return _mm256_dpbusd_avx_epi32(partial, weights, row);
  }
  static Sums Finish(Partial partial) { return partial; }
};

}  // namespace

void GemmS4_avxvnni_4x16(const GemmS4Block& t) { GemmS4<DotS4, 2>(t); }

}  // namespace micrort
