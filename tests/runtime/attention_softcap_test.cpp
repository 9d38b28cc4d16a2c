// Attention whose scores are capped, and whose softmax has a sink in each head.

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/attention/cache_rows.h"
#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/status_matchers.h"
#include "tests/support/random.h"

namespace micrort::testing::attention_softcap {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kWidth = 11, kHeads = 4, kGroups = 2;
constexpr float kScale = 2;

struct Case {
  int64_t queries, keys;
  bool causal, masked, sinks;
  float softcap;
};

// Few queries of a causal one are computed block by block, others by matrix products.
class SoftcapOf : public ::testing::TestWithParam<Case> {
 protected:
  std::vector<float> Floats(int64_t count) {
    std::vector<float> x(static_cast<size_t>(count));
    random_.Fill(x, -1, 1);
    return x;
  }
  double ScoreOf(int64_t head, int64_t query, int64_t key) const {
    double dot = 0;
    for (int64_t d = 0; d < kWidth; ++d)
      dot += double{At(q_, query, kHeads, head, d)} * At(k_, key, kGroups, head / 2, d);
    const double score = c_.softcap == 0 ? kScale * dot : c_.softcap * std::tanh(kScale * dot / c_.softcap);
    return score + (c_.masked ? mask_[static_cast<size_t>(query * c_.keys + key)] : 0.0f);
  }
  double ExpectedAt(int64_t head, int64_t query, int64_t d) const {
    double sum = c_.sinks ? std::exp(double{sinks_[static_cast<size_t>(head)]}) : 0.0, weighted = 0;
    const int64_t seen = c_.causal ? c_.keys - c_.queries + query + 1 : c_.keys;
    for (int64_t key = 0; key < seen; ++key) {
      const double weight = std::exp(ScoreOf(head, query, key));
      sum += weight;
      weighted += weight * At(v_, key, kGroups, head / 2, d);
    }
    return weighted / sum;
  }
  static float At(const std::vector<float>& x, int64_t token, int64_t heads, int64_t head, int64_t d) {
    return x[static_cast<size_t>((token * heads + head) * kWidth + d)];
  }

  // Over rows of the type, to which keys and values are rounded.
  std::vector<float> Run(DType type) {
    schema::AttentionOptionsT options;
    options.scale = kScale;
    options.causal = c_.causal;
    options.softcap = c_.softcap;
    OpTester op(ops::Attention(), options);
    op.Input(Shape::Of(1, c_.queries, kHeads, kWidth), q_);
    for (std::vector<float>* x : {&k_, &v_}) {
      if (type == DType::kFloat32) {
        op.Input(Shape::Of(1, c_.keys, kGroups, kWidth), *x);
        continue;
      }
      const CacheRows rows = PlanCacheRows(type, kWidth, 0);
      std::vector<uint8_t> bytes(static_cast<size_t>(c_.keys * kGroups * rows.elements()) * SizeOf(type));
      WriteCacheRows(rows, x->data(), c_.keys * kGroups, bytes.data(), Sequential());
      ReadCacheRows(rows, bytes.data(), rows.elements(), c_.keys * kGroups, x->data());
      op.Input(Shape::Of(1, c_.keys, kGroups, rows.elements()), bytes).InputType(type);
    }
    if (c_.masked) {
      op.Input(Shape::Of(c_.queries, c_.keys), mask_);
    } else {
      op.Absent();
    }
    op.Absent();
    if (c_.sinks) op.Input(Shape::Of(kHeads), sinks_);
    EXPECT_THAT(op.Run(), IsOk());
    return op.Output<float>();
  }

  const Case c_ = GetParam();
  Random random_{3};
  std::vector<float> q_ = Floats(c_.queries * kHeads * kWidth), k_ = Floats(c_.keys * kGroups * kWidth),
                     v_ = Floats(c_.keys * kGroups * kWidth), mask_ = Floats(c_.queries * c_.keys);
  const std::vector<float> sinks_ = {0.5f, -3, 4, -std::numeric_limits<float>::infinity()};
};

TEST_P(SoftcapOf, IsTheWeightedMeanOfTheValues) {
  for (const DType type : {DType::kFloat32, DType::kFloat16, DType::kInt8}) {
    const std::vector<float> y = Run(type);
    for (int64_t query = 0; query < c_.queries; ++query) {
      for (int64_t head = 0; head < kHeads; ++head) {
        for (int64_t d = 0; d < kWidth; ++d)
          ASSERT_NEAR(At(y, query, kHeads, head, d), ExpectedAt(head, query, d), 2e-5)
              << Name(type) << " " << query << " " << head << " " << d;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, SoftcapOf,
    ::testing::Values(Case{1, 70, true, false, false, 3}, Case{1, 9, false, true, true, 0},
                      Case{3, 131, true, false, true, 2.5f}, Case{2, 8, true, true, true, 50},
                      Case{20, 33, true, false, false, 4}, Case{20, 131, false, true, true, 1.5f},
                      Case{40, 40, true, false, true, 0}, Case{3, 5, false, false, true, 2}));

TEST(AttentionSoftcap, RefusesOthers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float softcap : {-1.0f, kInfinity, std::nanf("")}) {
    schema::AttentionOptionsT options;
    options.softcap = softcap;
    OpTester op(ops::Attention(), options);
    for (int i = 0; i < 3; ++i) op.Input<float>(Shape::Of(1, 2, 1, 1), {1, 2});
    EXPECT_THAT(op.Run(),
                IsError(StatusCode::kInvalidModel, HasSubstr("a softcap that is no positive number")));
  }
  OpTester op(ops::Attention(), schema::AttentionOptionsT());
  for (int i = 0; i < 3; ++i) op.Input<float>(Shape::Of(1, 2, 1, 1), {1, 2});
  op.Absent().Absent().Input<float>(Shape::Of(2), {1, 2});
  EXPECT_THAT(op.Run(),
              IsError(StatusCode::kInvalidModel, HasSubstr("expected a sink of float32 for each of 1")));
}

}  // namespace
}  // namespace micrort::testing::attention_softcap
