#include "kernels/normalize/normalize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/reference/normalize.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;
using testing::ReversedParallel;

// [outer][rows][kept][inner]
const size_t kSizes[][4] = {{1, 1, 1, 1},  {3, 1, 1, 5},     {7, 1, 1, 32}, {2, 1, 1, 197},
                            {2, 1, 3, 20}, {200, 1, 1, 192}, {2, 9, 5, 1},  {1, 49, 100, 1},
                            {2, 6, 3, 7},  {1, 10, 9, 24},   {3, 5, 1, 11}, {1, 3, 2, 300}};

enum class Parameters { kAbsent, kPerElement, kPerKept, kPerInner };

NormalizeSteps StepsOf(Parameters parameters, size_t inner) {
  switch (parameters) {
    case Parameters::kPerElement:
      return {inner, 1};
    case Parameters::kPerKept:
      return {1, 0};
    case Parameters::kPerInner:
      return {0, 1};
    default:
      return {0, 0};
  }
}

// The values that a kernel takes from `values` by `steps`, for each of [kept][inner].
std::vector<float> Expanded(const std::vector<float>& values, const NormalizeSteps& steps, size_t kept,
                            size_t inner) {
  std::vector<float> expanded;
  for (size_t k = 0; k < kept; ++k) {
    for (size_t i = 0; i < inner; ++i) expanded.push_back(values[k * steps.kept + i * steps.inner]);
  }
  return expanded;
}

class NormalizeCases {
 public:
  NormalizeCases(const size_t (&size)[4], bool centered, Parameters parameters) {
    plan_ = {size[0], size[1], size[2], size[3], StepsOf(parameters, size[3]), StepsOf(parameters, size[3])};
    elements_ = size[0] * size[1] * size[2] * size[3];
    reference_ = {size[0], size[1], size[2], size[3], 1e-5, centered};
    absent_ = parameters == Parameters::kAbsent;
    Random random(static_cast<uint32_t>(elements_));
    x_.resize(elements_);
    random.Fill(x_, -1, 3);
    scale_.assign(plan_.columns(), 1);
    bias_.assign(plan_.columns(), 0);
    if (absent_) return;
    random.Fill(scale_, 0.5, 2);
    random.Fill(bias_, -1, 1);
  }

  void ExpectEachKernelMatches() {
    std::vector<double> expected(elements_);
    const auto scale = Expanded(scale_, plan_.scale, plan_.kept, plan_.inner);
    const auto bias = Expanded(bias_, plan_.bias, plan_.kept, plan_.inner);
    reference::Normalize(reference_, x_.data(), scale.data(), bias.data(), expected.data());
    std::vector<float> first;
    for (const NormalizeF32Kernel& kernel : NormalizeF32Kernels()) {
      if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
      GuardedBuffer<float> y(elements_, 0, 1);
      Run(kernel, x_.data(), y.data(), ReversedParallel(3));
      EXPECT_TRUE(y.GuardsIntact()) << kernel.name;
      for (size_t i = 0; i < elements_; ++i) {
        const double tolerance = 3e-6 * (std::fabs(expected[i]) + 4);
        ASSERT_NEAR(static_cast<double>(y[i]), expected[i], tolerance) << kernel.name << " at " << i;
      }
      if (first.empty()) first.assign(y.begin(), y.end());
      EXPECT_EQ(std::memcmp(first.data(), y.data(), elements_ * sizeof(float)), 0) << kernel.name;
      std::vector<float> in_place = x_;
      Run(kernel, in_place.data(), in_place.data(), Sequential());
      EXPECT_EQ(in_place, first) << kernel.name;
    }
  }

 private:
  void Run(const NormalizeF32Kernel& kernel, const float* x, float* y, const Parallel& parallel) {
    const NormalizeTask task = {plan_, 1e-5f, reference_.centered, kernel.id,
                                SelectFoldF32(kernel.features).id};
    GuardedBuffer<float> scratch(NormalizeScratchBytes(plan_) / sizeof(float));
    Normalize(task, {x, absent_ ? nullptr : scale_.data(), absent_ ? nullptr : bias_.data(), y},
              scratch.data(), parallel);
    EXPECT_TRUE(scratch.GuardsIntact()) << kernel.name;
  }

  NormalizePlan plan_;
  reference::NormalizeCase reference_;
  size_t elements_;
  bool absent_;
  std::vector<float> x_, scale_, bias_;
};

TEST(NormalizeF32, KernelsMatchReferenceAndEachOther) {
  for (const auto& size : kSizes) {
    for (const bool centered : {true, false}) {
      for (const auto parameters :
           {Parameters::kAbsent, Parameters::kPerElement, Parameters::kPerKept, Parameters::kPerInner}) {
        SCOPED_TRACE(::testing::Message()
                     << size[0] << "x" << size[1] << "x" << size[2] << "x" << size[3] << " centered "
                     << centered << " parameters " << static_cast<int>(parameters));
        NormalizeCases(size, centered, parameters).ExpectEachKernelMatches();
      }
    }
  }
}

struct PlanCase {
  Shape x;
  std::vector<int> axes;
  Shape scale;
  size_t outer, rows, kept, inner;
  size_t scale_kept, scale_inner;
};

TEST(PlanNormalize, MergesDimensions) {
  const PlanCase cases[] = {
      {Shape::Of(2, 3, 4), {2}, Shape::Of(4), 6, 1, 1, 4, 0, 1},
      {Shape::Of(2, 3, 4), {1, 2}, Shape::Of(3, 4), 2, 1, 1, 12, 0, 1},
      {Shape::Of(2, 3, 4, 5), {2, 3}, Shape::Of(3, 1, 1), 2, 1, 3, 20, 1, 0},
      {Shape::Of(2, 4, 5, 3), {1, 2}, Shape::Of(3), 2, 20, 3, 1, 1, 0},
      {Shape::Of(2, 4, 5, 3, 6), {1, 2, 4}, Shape::Of(3, 6), 2, 20, 3, 6, 6, 1},
      {Shape::Of(2, 3, 4), {0, 2}, Shape::Of(3, 1), 1, 2, 3, 4, 1, 0},
      {Shape::Of(2, 1, 3, 1, 4), {1, 3, 4}, Shape::Of(1), 6, 1, 1, 4, 0, 0},
      {Shape::Of(2, 3), {}, Shape(), 6, 1, 1, 1, 0, 0},
  };
  for (const PlanCase& c : cases) {
    bool is_normalized[kMaxRank] = {};
    for (const int axis : c.axes) is_normalized[axis] = true;
    NormalizePlan plan;
    ASSERT_TRUE(PlanNormalize(c.x, is_normalized, &c.scale, nullptr, &plan)) << ShapeString(c.x).c_str();
    EXPECT_EQ(plan.outer, c.outer);
    EXPECT_EQ(plan.rows, c.rows);
    EXPECT_EQ(plan.kept, c.kept);
    EXPECT_EQ(plan.inner, c.inner);
    EXPECT_EQ(plan.scale.kept, c.scale_kept);
    EXPECT_EQ(plan.scale.inner, c.scale_inner);
  }
}

TEST(PlanNormalize, RefusesWhatHasNoSuchForm) {
  const struct {
    Shape x;
    std::vector<int> axes;
    Shape scale;
  } cases[] = {
      {Shape::Of(2, 3, 4, 5), {0, 2}, Shape()},             // something is kept after the second run
      {Shape::Of(2, 3, 4, 5), {1, 2}, Shape::Of(3, 4, 5)},  // varies along rows
      {Shape::Of(2, 3, 4), {1}, Shape::Of(2, 1, 1)},        // varies along outer
      {Shape::Of(2, 3, 4), {1, 2}, Shape::Of(3, 1)},        // varies along a part of inner
      {Shape::Of(2, 3, 4), {2}, Shape::Of(3)},              // does not broadcast
      {Shape::Of(4), {0}, Shape::Of(1, 4)},
  };
  for (const auto& c : cases) {
    bool is_normalized[kMaxRank] = {};
    for (const int axis : c.axes) is_normalized[axis] = true;
    NormalizePlan plan;
    EXPECT_FALSE(PlanNormalize(c.x, is_normalized, &c.scale, nullptr, &plan)) << ShapeString(c.x).c_str();
  }
}

}  // namespace
}  // namespace micrort
