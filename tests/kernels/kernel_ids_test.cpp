// Numbers of kernels and of algorithms with kernels.

#include "kernels/base/kernel_ids.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

#include "kernels/attention/attend_few.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv2d/algorithm_variants.h"
#include "kernels/copy/transpose_tile.h"
#include "kernels/dwconv/dwconv_f16.h"
#include "kernels/dwconv/dwconv_f32.h"
#include "kernels/dwconv/dwconv_s16.h"
#include "kernels/dwconv/dwconv_s8.h"
#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/binary_fixed.h"
#include "kernels/elementwise/binary_s16.h"
#include "kernels/elementwise/binary_s8.h"
#include "kernels/elementwise/convert_f32.h"
#include "kernels/elementwise/prelu_f32.h"
#include "kernels/elementwise/softmax_f32.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/elementwise/unary_s16.h"
#include "kernels/gemm/dequantize_weights.h"
#include "kernels/gemm/gemm_f16.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/gemm_s16.h"
#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/gemm/requantize.h"
#include "kernels/grouped_conv/grouped_f32.h"
#include "kernels/int4_gemm/int4_gemm.h"
#include "kernels/layer_s16/dot_s16.h"
#include "kernels/layer_s16/finish_s16.h"
#include "kernels/normalize/normalize_f32.h"
#include "kernels/pool/pool.h"
#include "kernels/recurrent/recurrent.h"
#include "kernels/reduce/fold_f32.h"
#include "kernels/reduce/min_max_f32.h"
#include "kernels/resize/blend_f32.h"
#include "kernels/winograd/winograd_f16.h"
#include "kernels/winograd/winograd_f32.h"
#include "kernels/winograd/winograd_s8.h"
#include "tests/kernels/conv_operands.h"

namespace micrort::testing {
namespace {

template <typename Row>
void CheckFamily(Span<const Row> rows, std::set<KernelId>* seen) {
  for (const Row& row : rows) {
    EXPECT_NE(row.id, KernelId::none) << row.name;
    EXPECT_TRUE(seen->insert(row.id).second) << row.name;
    EXPECT_EQ(&VariantOf(rows, row.id), &row) << row.name;
  }
  EXPECT_EQ(&VariantOf(rows, KernelId::none), &rows[0]);
}

TEST(KernelIds, NameOneVariantEach) {
  std::set<KernelId> seen;
#if MICRORT_KERNELS_fp16
  CheckFamily(GemmF16Kernels(), &seen);
  CheckFamily(DwConvF16Kernels(), &seen);
  CheckFamily(WinogradF16Kernels(), &seen);
#endif
  CheckFamily(GemmF32Kernels(), &seen);
  CheckFamily(GemmS8Kernels(), &seen);
  CheckFamily(GemmS4Kernels(), &seen);
  CheckFamily(RequantizeKernels(), &seen);
  CheckFamily(DequantizeWeightsKernels(), &seen);
  CheckFamily(DwConvF32Kernels(), &seen);
  CheckFamily(DwConvS8Kernels(), &seen);
  CheckFamily(WinogradF32Kernels(), &seen);
  CheckFamily(WinogradS8Kernels(), &seen);
  CheckFamily(UnaryF32Kernels(), &seen);
  CheckFamily(PReluF32Kernels(), &seen);
  CheckFamily(GroupedF32Kernels(), &seen);
  CheckFamily(BinaryF32Kernels(), &seen);
  CheckFamily(BinaryFixedKernels(), &seen);
  CheckFamily(BinaryS8Kernels(), &seen);
  CheckFamily(BinaryS16Kernels(), &seen);
  CheckFamily(UnaryS16Kernels(), &seen);
  CheckFamily(ConvertF32Kernels(), &seen);
  CheckFamily(SoftmaxF32Kernels(), &seen);
  CheckFamily(AttendFewKernels(), &seen);
  CheckFamily(NormalizeF32Kernels(), &seen);
  CheckFamily(FoldF32Kernels(), &seen);
  CheckFamily(MinMaxF32Kernels(), &seen);
  CheckFamily(BlendF32Kernels(), &seen);
  CheckFamily(TransposeTileKernels(), &seen);
  CheckFamily(PoolF32Kernels(), &seen);
  CheckFamily(PoolF16Kernels(), &seen);
  CheckFamily(PoolS8Kernels(), &seen);
  CheckFamily(PoolU8Kernels(), &seen);
  CheckFamily(PoolS16Kernels(), &seen);
  CheckFamily(DotS16Kernels(), &seen);
  CheckFamily(GemmS16Kernels(), &seen);
  CheckFamily(DwConvS16Kernels(), &seen);
  CheckFamily(FinishS16Kernels(), &seen);
}

TEST(AlgorithmVariants, NamesLeadToTheNumbersThatPlansHave) {
  ConvShape filter = {1, 16, 16, 16, 16, 3, 1, 1, 1};
  ConvShape depthwise = filter;
  depthwise.groups = 16;
  ConvShape product = {1, 64, 64, 64, 64};
  ConvShape transposed = filter;
  std::set<Conv2DAlgorithmId> met;
  for (const ConvShape& shape : {filter, depthwise, product, transposed}) {
    for (const bool is_transposed : {false, true}) {
      for (const DType weights : {DType::kFloat32, DType::kInt8}) {
        for (const DType x : {DType::kFloat32, DType::kInt8, DType::kInt16}) {
          Conv2DParams p = MakeParams(shape);
          p.transposed = is_transposed;
          p.types.x = p.types.y = x;
          p.types.weights = weights;
          for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
            if (!algorithm->applicable(p)) continue;
            met.insert(IdOf(*algorithm));
            for (const CpuFeatures features : FeatureSets()) {
              const ConvTarget target = {features, 1};
              EXPECT_EQ(FindVariant(algorithm->name(p, target)),
                        VariantOf(*algorithm, algorithm->plan(p, target).kernel))
                  << algorithm->name(p, target);
            }
          }
        }
      }
    }
  }
  EXPECT_GE(met.size(), 17u);
}

TEST(AlgorithmVariants, ProductsOfInt4HaveNumbers) {
  Conv2DParams p = MakeParams({1, 1, 1, 64, 64});
  p.types.weights = DType::kInt4;
  p.types.grouped = true;
  for (const CpuFeatures features : FeatureSets()) {
    const ConvTarget target = {features, 1};
    EXPECT_EQ(FindVariant(kInt4Gemm.name(p, target)), VariantOf(kInt4Gemm, kInt4Gemm.plan(p, target).kernel));
  }
}

TEST(AlgorithmVariants, RecurrentLayersHaveNumbers) {
  RecurrentParams p = {};
  p.hidden = 21;
  for (const CpuFeatures features : FeatureSets()) {
    const RecurrentPlan plan = PlanRecurrent(p, features);
    EXPECT_EQ(FindVariant(RecurrentAlgorithm(plan)), VariantOf(kRecurrentAlgorithmId, plan.kernel));
  }
}

TEST(AlgorithmVariants, WhatNothingIsNamedHasNone) {
  for (const char* name : {"", "/", "winograd_4x4_f32", "winograd_4x4_f32/", "winograd_4x4_f32/avx2_6x1",
                           "winograd_4x4_f3/avx2_6x16", "implicit_gemm_s8/avx512_6x64", "x/avx2_6x16"}) {
    EXPECT_EQ(FindVariant(name), 0) << name;
  }
}

}  // namespace
}  // namespace micrort::testing
