#include "arm/neon/vec8_neon.h"
#include "kernels/gemm/gemm_s8_tiles.h"
#include "kernels/winograd/winograd_s8_impl.h"

namespace micrort {
namespace {

struct Words {
  static constexpr size_t kLanes = 8;
  int16x8_t v;

  static Words Load(const int8_t* p) { return {vmovl_s8(vld1_s8(p))}; }
  void Store(int16_t* p) const { vst1q_s16(p, v); }
};

inline Words operator+(Words a, Words b) { return {vaddq_s16(a.v, b.v)}; }
inline Words operator-(Words a, Words b) { return {vsubq_s16(a.v, b.v)}; }

constexpr int kMr = 4;

// Depth step Lane of the four in `rows`; NV vectors of eight columns.
template <int Lane, int NV>
inline void MultiplyStep(const int16x4_t (&rows)[kMr], const int16_t* b, int32x4_t (&acc)[kMr][2 * NV]) {
#pragma GCC unroll 2
  for (int j = 0; j < NV; ++j) {
    const int16x8_t columns = vld1q_s16(b + 8 * (Lane * NV + j));
#pragma GCC unroll 4
    for (int i = 0; i < kMr; ++i) {
      acc[i][2 * j] = vmlal_lane_s16(acc[i][2 * j], vget_low_s16(columns), rows[i], Lane);
      acc[i][2 * j + 1] = vmlal_lane_s16(acc[i][2 * j + 1], vget_high_s16(columns), rows[i], Lane);
    }
  }
}

template <int NV>
inline void MultiplyTile(size_t depth, const char* const (&a)[kMr], const int16_t* b, int32_t* products) {
  int32x4_t acc[kMr][2 * NV];
#pragma GCC unroll 4
  for (int i = 0; i < kMr; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < 2 * NV; ++j) acc[i][j] = vdupq_n_s32(0);
  }
  for (size_t k = 0; k < depth; k += kWinogradS8Depth, b += kWinogradS8Depth * 8 * NV) {
    int16x4_t rows[kMr];
#pragma GCC unroll 4
    for (int i = 0; i < kMr; ++i) rows[i] = vld1_s16(reinterpret_cast<const int16_t*>(a[i]) + k);
    MultiplyStep<0, NV>(rows, b, acc);
    MultiplyStep<1, NV>(rows, b, acc);
    MultiplyStep<2, NV>(rows, b, acc);
    MultiplyStep<3, NV>(rows, b, acc);
  }
#pragma GCC unroll 4
  for (int i = 0; i < kMr; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < 2 * NV; ++j) vst1q_s32(products + 4 * (i * 2 * NV + j), acc[i][j]);
  }
}

template <int NV>
inline void Multiply(const WinogradS8Product& t) {
  ForGemmS8Tiles<kMr, 8 * NV>(t.m, t.a, t.depth * sizeof(int16_t), t.products,
                              [&](const char* const(&rows)[kMr], int32_t* products) {
                                MultiplyTile<NV>(t.depth, rows, t.b, products);
                              });
}

}  // namespace

#if MICRORT_ARCH_ARM64
void WinogradS8Input_neon_4x16(const WinogradS8Input& tile) { WinogradS8InputTile<Words>(tile); }
void WinogradS8Multiply_neon_4x16(const WinogradS8Product& tile) { Multiply<2>(tile); }
void WinogradS8Output_neon_4x16(const WinogradS8Output& row) { WinogradS8OutputRow<S32x8, 16>(row); }
#else
void WinogradS8Input_neon_4x8(const WinogradS8Input& tile) { WinogradS8InputTile<Words>(tile); }
void WinogradS8Multiply_neon_4x8(const WinogradS8Product& tile) { Multiply<1>(tile); }
void WinogradS8Output_neon_4x8(const WinogradS8Output& row) { WinogradS8OutputRow<S32x8, 8>(row); }
#endif

}  // namespace micrort
