#include "kernels/gemm/dequantize_weights.h"

#include <gtest/gtest.h>

#include <cstring>

#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "kernels/gemm/gemm_f32.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

// Calls test(kernel, rows, nr) for every micro-kernel that this CPU runs.
template <typename Test>
void ForEachKernelAndSize(std::initializer_list<size_t> all_rows, Test test) {
  for (const DequantizeWeightsKernel& kernel : DequantizeWeightsKernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (const size_t times : {1, 2, 4}) {
      for (const size_t rows : all_rows) {
        SCOPED_TRACE(::testing::Message() << kernel.name << " rows " << rows << " times " << times);
        test(kernel, rows, times * kernel.lanes);
      }
    }
  }
}

TEST(DequantizeWeights, Int8) {
  ForEachKernelAndSize({1, 2, 7, 64}, [](const DequantizeWeightsKernel& kernel, size_t rows, size_t nr) {
    Random random(static_cast<uint32_t>(rows * nr));
    GuardedBuffer<int8_t> b(rows * nr, 0, 1);
    GuardedBuffer<float> scales(nr), out(rows * nr);
    random.Fill(b, -128, 127);
    random.Fill(scales, 0.001, 1);
    kernel.s8(b.data(), scales.data(), rows, nr, out.data());
    for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<float>(b[i]) * scales[i % nr]) << i;
    EXPECT_TRUE(out.GuardsIntact());
  });
}

// Scale is float or uint16_t.
template <typename Scale>
void ExpectInt4() {
  constexpr bool kHalves = sizeof(Scale) == sizeof(uint16_t);
  ForEachKernelAndSize({2, 6, 32, 34, 96}, [](const DequantizeWeightsKernel& kernel, size_t rows, size_t nr) {
    Random random(static_cast<uint32_t>(rows * nr));
    std::vector<uint8_t> runs, bytes(rows / 2 * nr);
    std::vector<float> scales((rows + kInt4Run - 1) / kInt4Run * nr);
    random.Fill(bytes, 0, 255);
    random.Fill(scales, 0.001, 1);
    std::vector<Scale> stored(scales.begin(), scales.end());
    for (size_t i = 0; kHalves && i < scales.size(); ++i) {
      stored[i] = static_cast<Scale>(FloatToHalf(scales[i]));
      scales[i] = HalfToFloat(FloatToHalf(scales[i]));
    }
    for (size_t k = 0; k < rows; k += kInt4Run) {
      const auto* from = reinterpret_cast<const uint8_t*>(stored.data() + k / kInt4Run * nr);
      runs.insert(runs.end(), from, from + nr * sizeof(Scale));
      const size_t pairs = std::min(kInt4Run, rows - k) / 2;
      runs.insert(runs.end(), bytes.begin() + static_cast<ptrdiff_t>(k / 2 * nr),
                  bytes.begin() + static_cast<ptrdiff_t>((k / 2 + pairs) * nr));
    }
    GuardedBuffer<float> out(rows * nr);
    DequantizeWeightsS4Of(kernel.id)(runs.data(), rows, nr, kHalves, out.data());
    for (size_t k = 0; k < rows; ++k) {
      for (size_t j = 0; j < nr; ++j) {
        const int q = ReadInt4(&bytes[k / 2 * nr + j], static_cast<int64_t>(k % 2));
        ASSERT_EQ(out[k * nr + j], static_cast<float>(q) * scales[k / kInt4Run * nr + j]) << k << ", " << j;
      }
    }
    EXPECT_TRUE(out.GuardsIntact());
  });
}

TEST(DequantizeWeights, Int4) { ExpectInt4<float>(); }
TEST(DequantizeWeights, Int4WithHalfScales) { ExpectInt4<uint16_t>(); }

TEST(DequantizeWeights, EveryTileOfAMatrixProductHasAKernel) {
  for (const GemmF32Kernel& gemm : GemmF32Kernels()) {
    const bool is_here = (gemm.features & ~ArchitectureFeatures()) == 0;
    for (const CpuFeatures features : {gemm.features, is_here ? ArchitectureFeatures() : gemm.features}) {
      const DequantizeWeightsKernel& kernel = SelectDequantizeWeights(features, gemm.nr);
      EXPECT_EQ(kernel.features & features, kernel.features);
      EXPECT_TRUE(gemm.nr == kernel.lanes || gemm.nr == 2 * kernel.lanes || gemm.nr == 4 * kernel.lanes);
    }
  }
}

}  // namespace
}  // namespace micrort::testing
