#include "kernels/attention/attend_few.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/attention/cache_rows.h"
#include "kernels/base/cpu_features.h"
#include "tests/support/random.h"

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
    p_.rows = DType::kFloat32;
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
    std::vector<float> y = Unwritten();
    const AttentionTensors t = Tensors(k_.data(), v_.data(), is_masked, &y);
    for (int64_t head = 0; head < p_.key_heads; ++head) kernel.run(p_, t, 0, head);
    return y;
  }
  // Over rows of a cache.
  std::vector<float> RunNarrow(const AttendFewNarrowKernel& kernel, DType type, bool is_masked) const {
    AttentionParams p = p_;
    p.rows = type;
    const std::vector<uint8_t> k = Narrow(type, k_, p.depth, &p.k), v = Narrow(type, v_, p.value_depth, &p.v);
    std::vector<float> y = Unwritten(), block(At(AttendFewBlockFloats(p)));
    const AttentionTensors t = Tensors(k.data(), v.data(), is_masked, &y);
    for (int64_t head = 0; head < p.key_heads; ++head) kernel.run(p, t, 0, head, block.data());
    return y;
  }
  // The same, masked, with a call for each head of queries.
  std::vector<float> RunHeadsAlone(const AttendFewNarrowKernel& kernel, DType type) const {
    AttentionParams p = p_;
    p.rows = type;
    p.heads = p.key_heads = 1;
    const std::vector<uint8_t> k = Narrow(type, k_, p.depth, &p.k), v = Narrow(type, v_, p.value_depth, &p.v);
    std::vector<float> y = Unwritten(), block(At(AttendFewBlockFloats(p)));
    for (int64_t head = 0; head < p_.heads; ++head) {
      const int64_t key_head = head / (p_.heads / p_.key_heads);
      AttentionTensors t = Tensors(k.data() + At(key_head * p.k.head) * SizeOf(type),
                                   v.data() + At(key_head * p.v.head) * SizeOf(type), true, &y);
      t.q += head * p.q.head;
      t.y += head * p.y.head;
      kernel.run(p, t, 0, 0, block.data());
    }
    return y;
  }
  // Keys and values as a cache of the type gives them back.
  void RoundTo(DType type) {
    for (const auto& [x, width] : {std::pair(&k_, p_.depth), std::pair(&v_, p_.value_depth)}) {
      AttentionStrides strides = {0, 0, 0};
      const std::vector<uint8_t> rows = Narrow(type, *x, width, &strides);
      const CacheRows plan = PlanCacheRows(type, width, 0);
      ReadCacheRows(plan, rows.data(), plan.elements(), static_cast<int64_t>(x->size()) / width, x->data());
    }
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

  void Cap(float softcap, const float* sinks) {
    p_.softcap = softcap;
    p_.sinks = true;
    sinks_ = sinks;
  }

  AttentionParams p_ = {};

 private:
  std::vector<float> Unwritten() const {
    return std::vector<float>(At(p_.heads * p_.queries * p_.value_depth), 7.0f);
  }
  AttentionTensors Tensors(const void* k, const void* v, bool is_masked, std::vector<float>* y) const {
    return {q_.data(), k, v, is_masked ? mask_.data() : nullptr, y->data(), 0, sinks_};
  }
  std::vector<uint8_t> Narrow(DType type, const std::vector<float>& x, int64_t width,
                              AttentionStrides* strides) const {
    const CacheRows rows = PlanCacheRows(type, width, 0);
    const auto count = static_cast<int64_t>(x.size()) / width;
    std::vector<uint8_t> bytes(At(count * rows.elements()) * SizeOf(type));
    WriteCacheRows(rows, x.data(), count, bytes.data(), Sequential());
    *strides = {0, p_.keys * rows.elements(), rows.elements()};
    return bytes;
  }
  static size_t At(int64_t i) { return static_cast<size_t>(i); }
  void Fill(int64_t count, std::vector<float>* to) {
    to->resize(static_cast<size_t>(count));
    random_.Fill(*to, -2, 2);
  }

  Random random_{5};
  std::vector<float> q_, k_, v_, mask_;
  const float* sinks_ = nullptr;
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

// A row of int8 multiplies its scale into the sums over it, where floats have been multiplied before they are
// summed up: both round otherwise.
TEST_P(AttendFewOf, ReadsRowsOfACacheAsTheFloatsThatTheyStandFor) {
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    for (const bool is_masked : {false, true}) {
      const std::vector<float> found = RunNarrow(AttendFewNarrowKernels(type)[0], type, is_masked);
      RoundTo(type);
      const std::vector<float> expected = Run(AttendFewKernels()[0], is_masked);
      if (type == DType::kFloat16) {
        EXPECT_EQ(found, expected) << is_masked;
      } else {
        EXPECT_THAT(found, ::testing::Pointwise(::testing::FloatNear(1e-5f), expected));
      }
    }
  }
}

// How many queries share keys decides how these are read, and changes no bit.
TEST_P(AttendFewOf, GivesEachHeadWhatItGetsAlone) {
  const AttendShape& s = GetParam();
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    for (const AttendFewNarrowKernel& kernel : AttendFewNarrowKernels(type)) {
      if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
      const std::vector<float> all = RunNarrow(kernel, type, true);
      EXPECT_EQ(RunHeadsAlone(kernel, type), all) << kernel.name << " of " << s.heads;
    }
  }
}

TEST_P(AttendFewOf, HasTheSameBitsOverCachesByAllVariants) {
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    const std::vector<float> expected = RunNarrow(AttendFewNarrowKernels(type)[0], type, true);
    for (const AttendFewNarrowKernel& kernel : AttendFewNarrowKernels(type)) {
      if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
      EXPECT_EQ(RunNarrow(kernel, type, true), expected) << kernel.name;
    }
  }
}

TEST_P(AttendFewOf, HasTheSameBitsOfCappedScoresAndSinksByAllVariants) {
  std::vector<float> sinks(static_cast<size_t>(p_.heads));
  Random(8).Fill(sinks, -2, 2);
  Cap(1.5f, sinks.data());
  const std::vector<float> expected = Run(AttendFewKernels()[0], true),
                           of_halves =
                               RunNarrow(AttendFewNarrowKernels(DType::kFloat16)[0], DType::kFloat16, true);
  for (size_t i = 0; i < AttendFewKernels().size(); ++i) {
    const AttendFewKernel& kernel = AttendFewKernels()[i];
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    EXPECT_EQ(Run(kernel, true), expected) << kernel.name;
    EXPECT_EQ(RunNarrow(AttendFewNarrowKernels(DType::kFloat16)[i], DType::kFloat16, true), of_halves)
        << kernel.name;
  }
}

TEST(AttendFewNarrow, HasTheVariantsOfFloats) {
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    const Span<const AttendFewKernel> floats = AttendFewKernels();
    const Span<const AttendFewNarrowKernel> narrow = AttendFewNarrowKernels(type);
    ASSERT_EQ(narrow.size(), floats.size());
    for (size_t i = 0; i < floats.size(); ++i) {
      EXPECT_EQ(narrow[i].id, floats[i].id);
      EXPECT_EQ(narrow[i].features, floats[i].features);
    }
  }
}

// One key and many blocks of them; depths that are no multiple of eight lanes; values of one to five vectors.
INSTANTIATE_TEST_SUITE_P(Shapes, AttendFewOf,
                         ::testing::Values(AttendShape{1, 1, 1, 1, 8, 8}, AttendShape{4, 2, 1, 200, 64, 64},
                                           AttendShape{8, 1, 2, 65, 20, 33}, AttendShape{2, 2, 5, 64, 5, 3},
                                           AttendShape{2, 2, 1, 97, 40, 24},
                                           AttendShape{3, 1, 3, 131, 48, 40}));

}  // namespace
}  // namespace micrort::testing
