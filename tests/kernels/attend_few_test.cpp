#include "kernels/attention/attend_few.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/base/cpu_features.h"
#include "tests/kernels/random.h"

namespace micrort::testing {
namespace {

struct AttendShape {
  int64_t heads, key_heads, queries, keys, depth, value_depth;
};

class AttendFewOf : public ::testing::TestWithParam<AttendShape> {
 protected:
  void SetUp() override {
    const AttendShape& s = GetParam();
    p_.batch = 1;
    p_.heads = s.heads;
    p_.key_heads = s.key_heads;
    p_.queries = s.queries;
    p_.keys = s.keys;
    p_.depth = s.depth;
    p_.value_depth = s.value_depth;
    p_.scale = 0.25f;
    p_.causal = true;
    p_.q = {0, s.queries * s.depth, s.depth};
    p_.k = {0, s.keys * s.depth, s.depth};
    p_.v = {0, s.keys * s.value_depth, s.value_depth};
    p_.y = {0, s.queries * s.value_depth, s.value_depth};
    p_.mask = {0, 0, s.keys};
    Fill(s.heads * s.queries * s.depth, &q_);
    Fill(s.key_heads * s.keys * s.depth, &k_);
    Fill(s.key_heads * s.keys * s.value_depth, &v_);
    Fill(s.queries * s.keys, &mask_);
    // A key that no query sees; the others of a row remain.
    if (s.keys > 2) mask_[1] = -std::numeric_limits<float>::infinity();
  }

  std::vector<float> Run(const AttendFewKernel& kernel, bool is_masked) const {
    std::vector<float> y(static_cast<size_t>(p_.heads * p_.queries * p_.value_depth), 7.0f);
    const AttentionTensors t = {q_.data(), k_.data(), v_.data(), is_masked ? mask_.data() : nullptr,
                                y.data()};
    for (int64_t head = 0; head < p_.key_heads; ++head) kernel.run(p_, t, 0, head);
    return y;
  }

  double ExpectedAt(int64_t head, int64_t query, int64_t e, bool is_masked) const {
    const int64_t key_head = head / (p_.heads / p_.key_heads);
    double sum = 0, weighted = 0;
    for (int64_t s = 0; s <= p_.keys - p_.queries + query; ++s) {
      double dot = 0;
      for (int64_t d = 0; d < p_.depth; ++d)
        dot += static_cast<double>(q_[At(head * p_.q.head + query * p_.q.row + d)]) *
               k_[At(key_head * p_.k.head + s * p_.k.row + d)];
      const double score = dot * p_.scale + (is_masked ? mask_[At(query * p_.keys + s)] : 0.0f);
      sum += std::exp(score);
      weighted += std::exp(score) * v_[At(key_head * p_.v.head + s * p_.v.row + e)];
    }
    return weighted / sum;
  }

  AttentionParams p_ = {};

 private:
  static size_t At(int64_t i) { return static_cast<size_t>(i); }
  void Fill(int64_t count, std::vector<float>* to) {
    to->resize(static_cast<size_t>(count));
    random_.Fill(*to, -2, 2);
  }

  Random random_{5};
  std::vector<float> q_, k_, v_, mask_;
};

TEST_P(AttendFewOf, IsTheWeightedMeanOfTheValuesThatAreSeen) {
  for (const bool is_masked : {false, true}) {
    const std::vector<float> y = Run(AttendFewKernels()[0], is_masked);
    size_t i = 0;
    for (int64_t head = 0; head < p_.heads; ++head) {
      for (int64_t query = 0; query < p_.queries; ++query) {
        for (int64_t e = 0; e < p_.value_depth; ++e)
          ASSERT_NEAR(y[i++], ExpectedAt(head, query, e, is_masked), 2e-5)
              << head << " " << query << " " << e;
      }
    }
  }
}

TEST_P(AttendFewOf, HasTheSameBitsByAllVariants) {
  for (const bool is_masked : {false, true}) {
    const std::vector<float> expected = Run(AttendFewKernels()[0], is_masked);
    for (const AttendFewKernel& kernel : AttendFewKernels()) {
      if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
      EXPECT_EQ(Run(kernel, is_masked), expected) << kernel.name;
    }
  }
}

// One key and many blocks of them; depths that are no multiple of eight lanes; values of one to five vectors.
INSTANTIATE_TEST_SUITE_P(Shapes, AttendFewOf,
                         ::testing::Values(AttendShape{1, 1, 1, 1, 8, 8}, AttendShape{4, 2, 1, 200, 64, 64},
                                           AttendShape{8, 1, 2, 65, 20, 33}, AttendShape{2, 2, 5, 64, 5, 3},
                                           AttendShape{3, 1, 3, 131, 48, 40}));

}  // namespace
}  // namespace micrort::testing
