// What is planned for CPUs that are not the one at hand.

#include <gtest/gtest.h>

#include <cstring>

#include "kernels/base/target.h"
#include "kernels/elementwise/binary.h"
#include "kernels/elementwise/unary.h"

namespace micrort::testing {
namespace {

constexpr const char* kTargets[] = {"scalar",     "sse41", "avx2",      "avx512",     "neon", "i8mm",
                                    "armv7-neon", "wasm",  "cortex-m4", "cortex-m55", "fp16"};

ElementFormat Format(DType dtype) {
  ElementFormat format = {};
  format.dtype = dtype;
  format.quantized = dtype == DType::kInt8;
  format.quantization.scale = 0.05f;
  return format;
}

TEST(ElementwiseTargets, HaveBinaryKernels) {
  for (const char* name : kTargets) {
    CpuFeatures features = 0;
    ASSERT_TRUE(ParseTarget(name, &features));
    BinaryParams params = {};
    params.kind = BinaryKind::kMul;
    params.a = params.b = params.y = Format(DType::kFloat32);
    BinaryTask task;
    EXPECT_TRUE(PlanBinary(params, features, &task)) << name;
    EXPECT_STRNE(task.algorithm, "") << name;
    params.kind = BinaryKind::kShiftLeft;
    EXPECT_FALSE(PlanBinary(params, features, &task)) << name;
  }
}

TEST(ElementwiseTargets, HaveUnaryKernelsAndTheSameTables) {
  UnaryParams params = {};
  params.op.kind = UnaryKind::kTanh;
  params.x = params.y = Format(DType::kInt8);
  UnaryTask here;
  ASSERT_TRUE(PlanUnary(params, AvailableFeatures(0), &here));
  for (const char* name : kTargets) {
    CpuFeatures features = 0;
    ASSERT_TRUE(ParseTarget(name, &features));
    UnaryTask task;
    params.x = params.y = Format(DType::kInt8);
    ASSERT_TRUE(PlanUnary(params, features, &task)) << name;
    EXPECT_EQ(std::memcmp(task.table, here.table, sizeof here.table), 0) << name;
    params.x = params.y = Format(DType::kFloat32);
    EXPECT_TRUE(PlanUnary(params, features, &task)) << name;
  }
}

}  // namespace
}  // namespace micrort::testing
