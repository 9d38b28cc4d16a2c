#include <arm_neon.h>

#include "arm/neon/vec4_s4.h"
#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/gemm_s4_impl.h"

namespace micrort {

namespace {

struct DotS4 : Vec4S4 {
  using Partial = int32x4_t;

  static Partial Zero() { return vdupq_n_s32(0); }
  static Partial Add(Partial partial, Bytes weights, Bytes row) { return vdotq_s32(partial, weights, row); }
  static Sums Finish(Partial partial) { return partial; }
};

}  // namespace

void GemmS4_dotprod_4x8(const GemmS4Block& t) { GemmS4<DotS4, 2>(t); }

}  // namespace micrort
