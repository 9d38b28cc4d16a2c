#include "kernels/pool/pool2d.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/base/half.h"
#include "kernels/reference/pool2d.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;
using testing::ReversedParallel;

Pool2DParams RandomParams(Random& random) {
  Pool2DParams p = {};
  constexpr int64_t kChannels[] = {1, 3, 7, 8, 9, 16, 31, 32, 33, 47, 65, 130, 200};
  p.batch = random.Integer(1, 2);
  p.in_h = random.Integer(1, 9);
  p.in_w = random.Integer(1, 9);
  p.channels = kChannels[random.Integer(0, 12)];
  p.kernel_h = random.Integer(1, 4);
  p.kernel_w = random.Integer(1, 4);
  p.stride_h = random.Integer(1, 3);
  p.stride_w = random.Integer(1, 3);
  p.dilation_h = random.Integer(1, 2);
  p.dilation_w = random.Integer(1, 2);
  p.pad_top = random.Integer(0, 3);
  p.pad_left = random.Integer(0, 3);
  p.pad_bottom = random.Integer(0, 3);
  p.pad_right = random.Integer(0, 3);
  p.count_include_pad = random.Integer(0, 1) == 1;
  const bool ceil_mode = random.Integer(0, 1) == 1;
  p.out_h = PoolOutputSize(p.in_h, p.kernel_h, p.stride_h, p.dilation_h, p.pad_top, p.pad_bottom, ceil_mode);
  p.out_w = PoolOutputSize(p.in_w, p.kernel_w, p.stride_w, p.dilation_w, p.pad_left, p.pad_right, ceil_mode);
  return p;
}

size_t InputSize(const Pool2DParams& p) {
  return static_cast<size_t>(p.batch * p.in_h * p.in_w * p.channels);
}
size_t OutputSize(const Pool2DParams& p) {
  return static_cast<size_t>(p.batch * p.out_h * p.out_w * p.channels);
}

constexpr PoolQuantization kQuantizations[] = {
    {3, -5, 0.7}, {-128, 127, 1.0}, {0, 0, 40.0}, {127, -128, 0.5}};

std::vector<PoolKernel> AllKernels() {
  std::vector<PoolKernel> kernels;
  for (const Span<const PoolKernel> part :
       {PoolF32Kernels(), PoolF16Kernels(), PoolS8Kernels(), PoolU8Kernels(), PoolS16Kernels()}) {
    kernels.insert(kernels.end(), part.begin(), part.end());
  }
  return kernels;
}

// A build may have no portable one.
PoolKernel WeakestKernel(PoolFunction function) {
  const std::vector<PoolKernel> kernels = AllKernels();
  return *std::find_if(kernels.begin(), kernels.end(),
                       [&](const PoolKernel& kernel) { return kernel.function == function; });
}

void PoolImage(const Pool2DParams& p, const PoolKernel& kernel, const PoolQuantization& q, const void* in,
               void* out, const Parallel& parallel) {
  GuardedBuffer<float> scratch(Pool2DScratchBytes(p, kernel.function) / sizeof(float));
  RunPool2D(p, kernel, q, in, out, scratch.data(), parallel);
  EXPECT_TRUE(scratch.GuardsIntact());
}

template <typename T>
void CheckMax(const PoolKernel& kernel, const Pool2DParams& p, Random& random, double low, double high) {
  GuardedBuffer<T> in(InputSize(p));
  random.Fill(in, low, high);
  std::vector<T> expected(OutputSize(p));
  reference::MaxPool2D(p, in.data(), expected.data());
  GuardedBuffer<T> out(OutputSize(p));
  PoolImage(p, kernel, kQuantizations[0], in.data(), out.data(), ReversedParallel(3));
  EXPECT_TRUE(out.GuardsIntact());
  EXPECT_TRUE(std::equal(out.begin(), out.end(), expected.begin()));
}

void CheckAverage(const PoolKernel& kernel, const Pool2DParams& p, Random& random) {
  GuardedBuffer<float> in(InputSize(p));
  random.Fill(in, -1, 1);
  std::vector<double> expected(OutputSize(p));
  reference::AveragePool2D(p, in.data(), expected.data());
  GuardedBuffer<float> out(OutputSize(p));
  PoolImage(p, kernel, kQuantizations[0], in.data(), out.data(), ReversedParallel(3));
  EXPECT_TRUE(out.GuardsIntact());
  for (size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(expected[i], out[i], 2e-6) << i;
  // The same bits on every instruction set and number of workers.
  std::vector<float> scalar(OutputSize(p));
  PoolImage(p, WeakestKernel(kernel.function), kQuantizations[0], in.data(), scalar.data(), Sequential());
  EXPECT_TRUE(std::equal(out.begin(), out.end(), scalar.begin()));
}

// As the floats that halves are, rounded once.
void CheckHalves(const PoolKernel& kernel, const Pool2DParams& p, Random& random) {
  GuardedBuffer<uint16_t> in(InputSize(p));
  std::vector<float> floats(InputSize(p)), expected(OutputSize(p));
  for (size_t i = 0; i < floats.size(); ++i) {
    in.data()[i] = FloatToHalf(random.Float(-1, 1));
    floats[i] = HalfToFloat(in.data()[i]);
  }
  const bool is_max = kernel.function == PoolFunction::kMaxF16;
  const PoolKernel& in_float = WeakestKernel(is_max ? PoolFunction::kMaxF32 : PoolFunction::kAverageF32);
  RunPool2D(p, in_float, kQuantizations[0], floats.data(), expected.data(), nullptr, Sequential());
  GuardedBuffer<uint16_t> out(OutputSize(p));
  PoolImage(p, kernel, kQuantizations[0], in.data(), out.data(), ReversedParallel(3));
  EXPECT_TRUE(out.GuardsIntact());
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out.data()[i], FloatToHalf(expected[i])) << i;
}

void CheckAverageS8(const PoolKernel& kernel, const Pool2DParams& p, Random& random) {
  const PoolQuantization q = kQuantizations[random.Integer(0, 3)];
  GuardedBuffer<int8_t> in(InputSize(p));
  random.Fill(in, -128, 127);
  std::vector<int8_t> expected(OutputSize(p));
  reference::AveragePool2D(p, q, in.data(), expected.data());
  GuardedBuffer<int8_t> out(OutputSize(p));
  PoolImage(p, kernel, q, in.data(), out.data(), ReversedParallel(3));
  EXPECT_TRUE(out.GuardsIntact());
  EXPECT_TRUE(std::equal(out.begin(), out.end(), expected.begin()));
}

// Halves away from zero.
void CheckAverageS16(const PoolKernel& kernel, const Pool2DParams& p, Random& random) {
  GuardedBuffer<int16_t> in(InputSize(p));
  random.Fill(in, INT16_MIN, INT16_MAX);
  const std::vector<float> floats(in.begin(), in.end());
  std::vector<double> expected(OutputSize(p));
  reference::AveragePool2D(p, floats.data(), expected.data());
  GuardedBuffer<int16_t> out(OutputSize(p));
  PoolImage(p, kernel, kQuantizations[0], in.data(), out.data(), ReversedParallel(3));
  EXPECT_TRUE(out.GuardsIntact());
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out.data()[i], std::lround(expected[i])) << i;
}

void Check(const PoolKernel& kernel, const Pool2DParams& p, Random& random) {
  switch (kernel.function) {
    case PoolFunction::kMaxF32:
      return CheckMax<float>(kernel, p, random, -1, 1);
    case PoolFunction::kMaxS8:
      return CheckMax<int8_t>(kernel, p, random, -128, 127);
    case PoolFunction::kMaxU8:
      return CheckMax<uint8_t>(kernel, p, random, 0, 255);
    case PoolFunction::kAverageF32:
      return CheckAverage(kernel, p, random);
    case PoolFunction::kAverageS8:
      return CheckAverageS8(kernel, p, random);
    case PoolFunction::kMaxS16:
      return CheckMax<int16_t>(kernel, p, random, INT16_MIN, INT16_MAX);
    case PoolFunction::kAverageS16:
      return CheckAverageS16(kernel, p, random);
    case PoolFunction::kMaxF16:
    case PoolFunction::kAverageF16:
      return CheckHalves(kernel, p, random);
  }
}

TEST(Pool2D, EveryRowMatchesTheReference) {
  for (const PoolKernel& kernel : AllKernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    SCOPED_TRACE(kernel.name);
    for (uint32_t seed = 0; seed < 150; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      Check(kernel, RandomParams(random), random);
      if (HasFailure()) return;
    }
  }
}

TEST(Pool2D, WholeImageIsSplitByChannels) {
  Pool2DParams p = {1, 7, 7, 1001, 1, 1, 7, 7, 1, 1, 1, 1, 0, 0, 0, 0, false};
  for (const PoolKernel& kernel : AllKernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    SCOPED_TRACE(kernel.name);
    Random random(1);
    Check(kernel, p, random);
  }
}

TEST(Pool2D, LargeImagesArePooledInStripes) {
  const Pool2DParams average = {2, 67, 41, 33, 1, 1, 67, 41, 1, 1, 1, 1, 0, 0, 0, 0, false};
  Pool2DParams sum = average, small = average, padded = average;
  sum.sum = true;
  small.in_h = small.kernel_h = 3;
  padded.pad_top = 1;
  EXPECT_EQ(Pool2DScratchBytes(average, PoolFunction::kAverageF32), 2u * 8 * 33 * sizeof(float));
  EXPECT_EQ(Pool2DScratchBytes(average, PoolFunction::kAverageS8), 0u);
  EXPECT_EQ(Pool2DScratchBytes(small, PoolFunction::kAverageF32), 0u);
  EXPECT_EQ(Pool2DScratchBytes(padded, PoolFunction::kAverageF32), 0u);
  for (const PoolKernel& kernel : AllKernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    SCOPED_TRACE(kernel.name);
    Random random(1);
    Check(kernel, average, random);
    if (kernel.function != PoolFunction::kAverageF32) continue;
    std::vector<float> in(InputSize(sum), 0.25f), out(OutputSize(sum));
    PoolImage(sum, kernel, kQuantizations[0], in.data(), out.data(), ReversedParallel(3));
    EXPECT_EQ(out, std::vector<float>(out.size(), 67 * 41 * 0.25f));
  }
}

TEST(Pool2D, OutputSizes) {
  EXPECT_EQ(112, PoolOutputSize(224, 3, 2, 1, 1, 1, false));
  EXPECT_EQ(2, PoolOutputSize(4, 3, 2, 1, 0, 0, true));
  EXPECT_EQ(1, PoolOutputSize(4, 3, 2, 1, 0, 0, false));
  EXPECT_EQ(2, PoolOutputSize(4, 3, 1, 1, 0, 0, true));
  // A window that would start in the padding after the input is dropped.
  EXPECT_EQ(2, PoolOutputSize(3, 1, 2, 1, 0, 1, true));
  EXPECT_EQ(1, PoolOutputSize(2, 1, 2, 1, 0, 1, true));
  EXPECT_LE(PoolOutputSize(2, 3, 1, 1, 0, 0, false), 0);
}

TEST(Pool2D, NaNIsNoMaximum) {
  const Pool2DParams p = {1, 1, 3, 1, 1, 1, 1, 3, 1, 1, 1, 1, 0, 0, 0, 0, false};
  const float in[] = {1.0f, std::nanf(""), -2.0f};
  for (const PoolKernel& kernel : AllKernels()) {
    if (kernel.function != PoolFunction::kMaxF32 ||
        (kernel.features & DetectCpuFeatures()) != kernel.features) {
      continue;
    }
    float out = 0;
    PoolImage(p, kernel, kQuantizations[0], in, &out, Sequential());
    EXPECT_EQ(1.0f, out) << kernel.name;
  }
}

}  // namespace
}  // namespace micrort
