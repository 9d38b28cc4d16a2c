#include "kernels/gemm/pack_b.h"

#include "kernels/base/part.h"
#include "kernels/gemm/pack_float_panels.h"
#include "kernels/gemm/pack_narrow.h"
#include "kernels/gemm/transposed_panels.h"

namespace micrort {

MICRORT_PART(PackNarrowBF32);
MICRORT_PART(PackInt4BF32);

namespace {

struct ReadFloat {
  using Element = float;
  float operator()(float x, float) const { return x; }
};

}  // namespace

void PackBF32(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out) {
  if (b.type == DType::kInt4) return PackInt4BF32(b, depth, columns, nr, out);
  if (b.type != DType::kFloat32) return PackNarrowBF32(b, depth, columns, nr, out);
  const bool adjacent = b.taps == nullptr && b.depth_stride == 1;
  const TransposedPanels transposed(b.data, b.column_stride * static_cast<int64_t>(sizeof(float)), adjacent,
                                    depth, columns, nr);
  PackFloatPanels<ReadFloat>(b, depth, columns, nr, out,
                             [&](size_t first, float* panel) { return transposed.Pack(first, panel); });
}

}  // namespace micrort
