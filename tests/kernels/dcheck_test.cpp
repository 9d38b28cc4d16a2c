// Contracts of kernels end a program that breaks them, in builds that check.

#include "kernels/base/dcheck.h"

#include <gtest/gtest.h>

#include "kernels/conv2d/conv2d.h"
#include "kernels/conv_call/conv_call.h"
#include "kernels/copy/strided_copy.h"
#include "kernels/fourier/fourier.h"

namespace micrort {
namespace {

TEST(Dcheck, LooksAtTheConditionWhereItIsOn) {
  int looks = 0;
  MICRORT_DCHECK(++looks > 0);
  EXPECT_EQ(looks, MICRORT_DCHECKS);
}

#if MICRORT_DCHECKS

TEST(DcheckDeathTest, SaysWhereAndWhatDoesNotHold) {
  EXPECT_DEATH(MICRORT_DCHECK(1 + 1 == 3),
               "dcheck_test.cpp:[0-9]+: MICRORT_DCHECK\\(1 \\+ 1 == 3\\) does not hold");
}

TEST(DcheckDeathTest, ContractsOfCopiesAreChecked) {
  const CopyDim backwards = {-1, 4, 4};
  EXPECT_DEATH(PlanCopy(4, {&backwards, 1}), "dim.size >= 0");
}

TEST(DcheckDeathTest, ContractsOfTransformsAreChecked) { EXPECT_DEATH(PlanFourier(0, false), "length > 0"); }

TEST(DcheckDeathTest, ContractsOfConvolutionsAreChecked) {
  Conv2DParams p = {};
  p.batch = p.in_h = p.in_w = p.out_h = p.out_w = p.kernel_h = p.kernel_w = 1;
  p.in_c = p.out_c = 4;
  p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = p.groups = 1;
  p.types.x = p.types.weights = p.types.y = DType::kFloat32;
  const ConvTarget target = {0, 1};
  const ConvCall call = MakeConvCall(p, target, *ChooseConv2D(p, target));
  ConvTensors tensors = {};
  alignas(64) char scratch[128];
  tensors.scratch = scratch + 4;
  EXPECT_DEATH(RunConvCall(call, tensors, Sequential()), "IsAligned\\(tensors.scratch\\)");
  ConvCall odd = call;
  odd.params.groups = 3;
  EXPECT_DEATH(RunConvCall(odd, tensors, Sequential()), "p.in_c % p.groups == 0");
}

#endif

}  // namespace
}  // namespace micrort
