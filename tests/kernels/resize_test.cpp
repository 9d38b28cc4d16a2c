#include "kernels/resize/resize.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "kernels/reference/resize.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;
using testing::ReversedParallel;

constexpr int kOutsideValue = 7;

struct ResizeCase {
  ResizeMethod method;
  Shape in;
  ResizeAxis axes[kMaxRank];

  size_t OutputSize() const {
    int64_t n = 1;
    for (int i = 0; i < in.rank; ++i) n *= axes[i].out;
    return static_cast<size_t>(n);
  }
};

ResizeCase CaseOfAnySize(Random& random, ResizeMode mode) {
  ResizeCase c = {};
  c.method = {mode,
              static_cast<ResizeCoordinates>(random.Integer(0, 6)),
              static_cast<ResizeRounding>(random.Integer(0, 3)),
              random.Integer(0, 1) == 0 ? -0.75f : -0.5f,
              random.Integer(0, 1) == 1,
              random.Integer(0, 1) == 1};
  c.in.rank = static_cast<int>(random.Integer(1, 5));
  for (int i = 0; i < c.in.rank; ++i) {
    const int64_t in = random.Integer(1, 6);
    c.in[i] = in;
    c.axes[i] = {in, in, 1.0f};
    if (random.Integer(0, 1) == 0) continue;
    if (random.Integer(0, 1) == 0) {
      const int64_t out = random.Integer(1, 11);
      c.axes[i] = {in, out, static_cast<float>(out) / static_cast<float>(in)};
    } else {
      const float scale = random.Float(1.0f / static_cast<float>(in) + 0.001f, 3.0f);
      const float length = static_cast<float>(in) * scale;
      c.axes[i] = {in, static_cast<int64_t>(length), scale, length};
    }
    c.axes[i].roi_begin = random.Float(-0.2f, 0.4f);
    c.axes[i].roi_end = random.Float(0.3f, 1.2f);
  }
  // An inner dimension that fills vectors and leaves a tail.
  c.in[c.in.rank] = random.Integer(0, 2) == 0 ? 19 : 1;
  c.axes[c.in.rank] = {c.in[c.in.rank], c.in[c.in.rank], 1.0f};
  ++c.in.rank;
  return c;
}

ResizeCase RandomCase(Random& random, ResizeMode mode) {
  constexpr size_t kMostOutputs = 4000;  // each costs the reference up to 4^rank products
  ResizeCase c = CaseOfAnySize(random, mode);
  while (c.OutputSize() > kMostOutputs) c = CaseOfAnySize(random, mode);
  return c;
}

template <typename T>
void ResizeWith(const ResizeCase& c, const BlendF32Kernel& blend, const GuardedBuffer<T>& in,
                GuardedBuffer<T>& out) {
  ResizePlan plan = PlanResize(c.method, c.in, c.axes, sizeof(T));
  const T outside = static_cast<T>(kOutsideValue);
  std::memcpy(plan.outside, &outside, sizeof outside);
  if (plan.count == 0) {
    std::memcpy(out.data(), in.data(), out.size() * sizeof(T));
    return;
  }
  const ReversedParallel parallel(3);
  const size_t bytes = ResizeScratchBytes(plan, parallel.workers());
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  GuardedBuffer<Line> scratch((bytes + 63) / 64);
  RunResize({plan, blend.id}, in.data(), out.data(), scratch.data(), parallel);
  EXPECT_TRUE(out.GuardsIntact());
  EXPECT_TRUE(scratch.GuardsIntact());
}

std::vector<double> Expected(const ResizeCase& c, const std::vector<double>& x) {
  return reference::Resize(c.method, c.in, c.axes, kOutsideValue, x);
}

TEST(Resize, LinearAndCubicMatchTheReference) {
  for (const BlendF32Kernel& kernel : BlendF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    SCOPED_TRACE(kernel.name);
    for (uint32_t seed = 0; seed < 120; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const ResizeCase c =
          RandomCase(random, random.Integer(0, 1) == 0 ? ResizeMode::kLinear : ResizeMode::kCubic);
      GuardedBuffer<float> in(static_cast<size_t>(c.in.elements()));
      random.Fill(in, -1, 1);
      GuardedBuffer<float> out(c.OutputSize());
      GuardedBuffer<float> scalar(c.OutputSize());
      ResizeWith(c, kernel, in, out);
      ResizeWith(c, BlendF32Kernels()[0], in, scalar);
      EXPECT_EQ(0, std::memcmp(out.data(), scalar.data(), out.size() * sizeof(float)));
      const std::vector<double> expected = Expected(c, std::vector<double>(in.begin(), in.end()));
      ASSERT_EQ(expected.size(), out.size());
      for (size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(expected[i], out[i], 2e-5) << i;
    }
  }
}

TEST(Resize, LinearInt8RoundsTheReferenceAndIsTheSameEverywhere) {
  for (uint32_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    ResizeCase c = RandomCase(random, ResizeMode::kLinear);
    c.method.antialias = false;
    GuardedBuffer<int8_t> in(static_cast<size_t>(c.in.elements()));
    random.Fill(in, -128, 127);
    GuardedBuffer<int8_t> scalar(c.OutputSize());
    ResizeWith(c, BlendF32Kernels()[0], in, scalar);
    const std::vector<double> expected = Expected(c, std::vector<double>(in.begin(), in.end()));
    ASSERT_EQ(expected.size(), scalar.size());
    for (size_t i = 0; i < scalar.size(); ++i) ASSERT_NEAR(expected[i], scalar[i], 0.501) << i;
    for (const BlendF32Kernel& kernel : BlendF32Kernels()) {
      if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
      SCOPED_TRACE(kernel.name);
      GuardedBuffer<int8_t> out(c.OutputSize());
      ResizeWith(c, kernel, in, out);
      EXPECT_EQ(0, std::memcmp(out.data(), scalar.data(), out.size()));
    }
  }
}

template <typename T>
void CheckNearest() {
  for (uint32_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const ResizeCase c = RandomCase(random, ResizeMode::kNearest);
    GuardedBuffer<T> in(static_cast<size_t>(c.in.elements()));
    random.Fill(in, -100, 100);
    GuardedBuffer<T> out(c.OutputSize());
    ResizeWith(c, BlendF32Kernels()[0], in, out);
    const std::vector<double> expected = Expected(c, std::vector<double>(in.begin(), in.end()));
    ASSERT_EQ(expected.size(), out.size());
    for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(expected[i], static_cast<double>(out[i])) << i;
  }
}

TEST(Resize, NearestMatchesTheReference) {
  CheckNearest<int8_t>();
  CheckNearest<float>();
  CheckNearest<double>();
}

TEST(Resize, NoWholeIntermediateTensorInScratch) {
  const ResizeMethod method = {ResizeMode::kLinear, ResizeCoordinates::kHalfPixel, ResizeRounding::kFloor, 0,
                               false};
  const ResizeAxis axes[] = {{1, 1, 1.0f}, {100, 200, 2.0f}, {100, 200, 2.0f}, {16, 16, 1.0f}};
  const ResizePlan plan = PlanResize(method, Shape::Of(1, 100, 100, 16), axes, sizeof(float));
  EXPECT_EQ(2, plan.count);
  const size_t bytes = ResizeScratchBytes(plan, 1);
  constexpr size_t kTable = 400 * 2 * 4;  // two taps an output row and column
  constexpr size_t kRow = 100 * 16 * 4;
  EXPECT_EQ(2 * kTable + kRow, bytes);
}

}  // namespace
}  // namespace micrort
