#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/winograd/winograd_s8_impl.h"

namespace micrort {
namespace {

// One channel.
struct Words {
  static constexpr size_t kLanes = 1;
  int16_t v;

  static Words Load(const int8_t* p) { return {*p}; }
  void Store(int16_t* p) const { *p = v; }
};

inline Words operator+(Words a, Words b) { return {static_cast<int16_t>(a.v + b.v)}; }
inline Words operator-(Words a, Words b) { return {static_cast<int16_t>(a.v - b.v)}; }

}  // namespace

void WinogradS8Input_scalar_4x8(const WinogradS8Input& tile) { WinogradS8InputTile<Words>(tile); }

void WinogradS8Multiply_scalar_4x8(const WinogradS8Product& block) {
  constexpr size_t kNr = 8;
  for (size_t i = 0; i < block.m; ++i) {
    uint32_t sums[kNr] = {};  // packed weights of an untrusted file may be anything
    for (size_t k = 0; k < block.depth; ++k) {
      const int32_t x = block.a[i * block.depth + k];
      for (size_t j = 0; j < kNr; ++j) sums[j] += static_cast<uint32_t>(x * block.b[k * kNr + j]);
    }
    for (size_t j = 0; j < kNr; ++j) block.products[i * kNr + j] = static_cast<int32_t>(sums[j]);
  }
}

void WinogradS8Output_scalar_4x8(const WinogradS8Output& row) { WinogradS8OutputRow<S32x8, 8>(row); }

}  // namespace micrort
