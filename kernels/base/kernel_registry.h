#pragma once
// Kernel registries: lists of the variants of a family, made from kernels/<family>/<family>.inc,
// and the choice among them. Everything but the addresses of micro-kernels is data: a build that plans for
// other devices (MICRORT_ALL_TARGETS) holds the variants of all of them, and computes with its own.

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"
#include "kernels/base/target.h"

namespace micrort {

// What each instruction set of such a list requires, by the name that folders, variants and --isa have for
// it.
namespace isa {
constexpr CpuFeatures scalar = kCpuScalar;
constexpr CpuFeatures sse41 = kCpuSse41;
constexpr CpuFeatures avx2 = kCpuAvx2;
constexpr CpuFeatures avxvnni = kCpuAvx2 | kCpuAvxVnni;
constexpr CpuFeatures avx512 = kCpuAvx2 | kCpuAvx512;
constexpr CpuFeatures avx512vnni = avx512 | kCpuAvx512Vnni;
constexpr CpuFeatures neon = kCpuNeon;                // the same for ARMv7 and AArch64
constexpr CpuFeatures neon32 = kCpuNeon | kCpu32Bit;  // of ARMv7 alone
constexpr CpuFeatures neon64 = kCpuNeon | kCpu64Bit;  // of AArch64 alone, as all below
constexpr CpuFeatures fp16 = neon64 | kCpuFp16;
constexpr CpuFeatures dotprod = neon64 | kCpuDotProd;
constexpr CpuFeatures i8mm = neon64 | kCpuI8mm;
constexpr CpuFeatures dsp = kCpu32Bit | kCpuMicrocontroller | kCpuDsp;  // Cortex-M4, M7, M33 and M55
constexpr CpuFeatures mve = dsp | kCpuMve;                              // Cortex-M55 and M85
constexpr CpuFeatures simd128 = kCpu32Bit | kCpuSimd128;                // WebAssembly
}  // namespace isa

// The build defines MICRORT_KERNELS_<set> for each of these sets: 0 where there is nothing of it, 1 where its
// micro-kernels are built, 2 where its variants are only described.
//
// MICRORT_VARIANT(set, x...): x and a comma; nothing in builds that know nothing of the set.
// MICRORT_RUN(set, F): &F, or null where the set is only described.
#define MICRORT_VARIANT(set, ...) MICRORT_CONCAT(MICRORT_VARIANT_, MICRORT_KERNELS_##set)(__VA_ARGS__)
#define MICRORT_VARIANT_0(...)
#define MICRORT_VARIANT_1(...) __VA_ARGS__,
#define MICRORT_VARIANT_2(...) __VA_ARGS__,
#define MICRORT_RUN(set, function) MICRORT_CONCAT(MICRORT_RUN_, MICRORT_KERNELS_##set)(function)
#define MICRORT_RUN_1(function) &function
#define MICRORT_RUN_2(function) nullptr

// What every CPU of the build has. A build may say that this is more than nothing (MICRORT_ISA_SCALAR=OFF),
// and then leaves out variants that are weaker than one that runs on every CPU.
#if !defined(MICRORT_SURE_SETS)
#define MICRORT_SURE_SETS isa::scalar
#endif
constexpr CpuFeatures kSureFeatures = MICRORT_SURE_SETS;

// Whether, of two variants of a registry, one runs wherever the other one does. Registries of several
// functions have an overload.
template <typename Row>
constexpr bool SameFunction(const Row&, const Row&) {
  return true;
}

template <typename Row>
constexpr bool IsNeeded(const Row& row, const Row* rows, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const bool is_sure = (rows[i].features & kSureFeatures) == rows[i].features;
    const bool is_stronger =
        rows[i].features != row.features && (rows[i].features & row.features) == row.features;
    if (is_sure && is_stronger && SameFunction(rows[i], row)) return false;
  }
  return true;
}

template <typename Row, size_t N>
constexpr size_t CountNeeded(const Row (&rows)[N]) {
  size_t count = 0;
  for (const Row& row : rows) count += IsNeeded(row, rows, N) ? 1 : 0;
  return count;
}

// The variants of a list that are needed, in the same order. A list that nothing else uses is not in the
// program, nor are the micro-kernels that only it names:
//   constexpr NeededKernels<GemmS8Kernel, CountNeeded(kAll)> kKernels(kAll);
template <typename Row, size_t N>
class NeededKernels {
 public:
  template <size_t M>
  constexpr explicit NeededKernels(const Row (&rows)[M]) {
    size_t count = 0;
    for (const Row& row : rows) {
      if (IsNeeded(row, rows, M)) rows_[count++] = row;
    }
  }
  constexpr const Row& operator[](size_t i) const { return rows_[i]; }
  constexpr const Row* begin() const { return rows_; }
  constexpr const Row* end() const { return rows_ + N; }
  constexpr operator Span<const Row>() const { return {rows_, N}; }

 private:
  Row rows_[N] = {};
};
#define MICRORT_NEEDED(Row, all) NeededKernels<Row, CountNeeded(all)>(all)

// What an algorithm is called with a variant of its registry: lists of them have the registry's order.
struct VariantName {
  const char* name;
  CpuFeatures features;
};

// Index of the last row whose required `features` are all available. Rows are ordered weakest first; row 0
// requires nothing.
template <typename Row>
size_t SelectVariant(Span<const Row> rows, CpuFeatures available) {
  size_t best = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if ((rows[i].features & available) == rows[i].features) best = i;
  }
  return best;
}

// The row with an id that this build knows; row 0 for KernelId::none.
template <typename Row>
const Row& VariantOf(Span<const Row> rows, KernelId id) {
  size_t at = rows.size() - 1;
  while (at > 0 && rows[at].id != id) --at;
  return rows[at];
}

}  // namespace micrort
