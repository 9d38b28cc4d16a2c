// Attention that looks back no further than a window, over all keys and over a ring of the last ones.

#include <gmock/gmock.h>

#include <cstring>
#include <limits>
#include <vector>

#include "kernels/attention/attend_few.h"
#include "kernels/attention/cache_rows.h"
#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/status_matchers.h"
#include "tests/support/random.h"

namespace micrort::testing::attention_window {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr int64_t kWidth = 11, kHeads = 4, kGroups = 2;

struct Case {
  int64_t positions, queries, window, ring;

  // Few queries are computed block by block, in the same order over a ring of whole blocks.
  bool is_few() const { return kHeads / kGroups * queries <= kAttendFewRows; }
  bool has_whole_blocks() const { return ring % kAttendFewBlock == 0; }
};
constexpr Case kCases[] = {{5, 1, 5, 8},      {7, 3, 5, 8},     {8, 2, 5, 8},       {9, 1, 5, 8},
                           {13, 3, 5, 8},     {40, 3, 5, 8},    {40, 1, 1, 8},      {64, 1, 64, 64},
                           {65, 1, 64, 64},   {200, 3, 60, 64}, {200, 1, 100, 128}, {300, 5, 100, 128},
                           {301, 1, 90, 128}, {70, 20, 45, 64}, {500, 40, 70, 128}, {131, 9, 3, 16}};

class WindowOf : public ::testing::TestWithParam<Case> {
 protected:
  std::vector<float> Floats(int64_t count) {
    std::vector<float> x(static_cast<size_t>(count));
    random_.Fill(x, -1, 1);
    return x;
  }

  static schema::AttentionOptionsT Options(int64_t window) {
    schema::AttentionOptionsT options;
    options.scale = 0.3f;
    options.causal = true;
    options.window = static_cast<int32_t>(window);
    return options;
  }
  void AddQuery(OpTester* op) const { op->Input(Shape::Of(1, c_.queries, kHeads, kWidth), q_); }

  // A row of each position, as the type stores it.
  void MakeRows(DType type) {
    type_ = type;
    for (std::vector<uint8_t>* rows : {&k_, &v_}) {
      const std::vector<float> floats = Floats(c_.positions * kGroups * kWidth);
      rows->resize(static_cast<size_t>(c_.positions) * row_bytes());
      if (type == DType::kFloat32) {
        std::memcpy(rows->data(), floats.data(), rows->size());
      } else {
        WriteCacheRows(PlanCacheRows(type, kWidth, 0), floats.data(), c_.positions * kGroups, rows->data(),
                       Sequential());
      }
    }
  }
  int64_t elements() const { return kWidth + CacheScaleElements(type_); }
  size_t row_bytes() const { return static_cast<size_t>(kGroups * elements()) * SizeOf(type_); }

  void AddRows(const std::vector<uint8_t>& rows, OpTester* op) const {
    const auto count = static_cast<int64_t>(rows.size() / row_bytes());
    op->Input(Shape::Of(1, count, kGroups, elements()), rows).InputType(type_);
  }

  // All keys, and a mask that hides those before the window.
  std::vector<float> Plain() {
    std::vector<float> mask(static_cast<size_t>(c_.queries * c_.positions));
    for (int64_t t = 0; t < c_.queries; ++t) {
      for (int64_t s = 0; s + c_.window <= c_.positions - c_.queries + t; ++s)
        mask[static_cast<size_t>(t * c_.positions + s)] = -std::numeric_limits<float>::infinity();
    }
    OpTester op(ops::Attention(), Options(0));
    AddQuery(&op);
    for (const auto* rows : {&k_, &v_}) AddRows(*rows, &op);
    op.Input(Shape::Of(c_.queries, c_.positions), mask);
    return Result(&op);
  }
  std::vector<float> OverAll() {
    OpTester op(ops::Attention(), Options(c_.window));
    AddQuery(&op);
    for (const auto* rows : {&k_, &v_}) AddRows(*rows, &op);
    return Result(&op);
  }
  // What the queries do not see is no number.
  std::vector<float> OverRing() {
    OpTester op(ops::Attention(), Options(c_.window));
    AddQuery(&op);
    const int64_t rows = std::min(c_.positions, c_.ring);
    for (const auto* all : {&k_, &v_}) {
      std::vector<uint8_t> ring(static_cast<size_t>(rows) * row_bytes(), 0xff);
      for (int64_t p = std::max<int64_t>(0, c_.positions - c_.queries - c_.window + 1); p < c_.positions;
           ++p) {
        std::memcpy(ring.data() + static_cast<size_t>(p % rows) * row_bytes(),
                    all->data() + static_cast<size_t>(p) * row_bytes(), row_bytes());
      }
      AddRows(ring, &op);
    }
    op.Absent().Input<int64_t>(Shape::Of(1), {c_.positions});
    return Result(&op);
  }
  static std::vector<float> Result(OpTester* op) {
    EXPECT_THAT(op->Run(), IsOk());
    return op->Output<float>();
  }

  const Case c_ = GetParam();
  Random random_{7};
  std::vector<float> q_ = Floats(c_.queries * kHeads * kWidth);
  DType type_ = DType::kFloat32;
  std::vector<uint8_t> k_, v_;
};

TEST_P(WindowOf, SeesWhatAMaskWouldShow) {
  for (const DType type : {DType::kFloat32, DType::kFloat16, DType::kInt8}) {
    SCOPED_TRACE(Name(type));
    MakeRows(type);
    const std::vector<float> plain = Plain(), all = OverAll(), ring = OverRing();
    if (c_.is_few()) {
      EXPECT_EQ(all, plain);
    } else {
      EXPECT_THAT(all, Pointwise(FloatNear(2e-6f), plain));
    }
    if (!c_.is_few() || c_.has_whole_blocks()) {
      EXPECT_EQ(ring, all);
    } else {
      EXPECT_THAT(ring, Pointwise(FloatNear(2e-6f), all));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, WindowOf, ::testing::ValuesIn(kCases), [](const auto& info) {
  const Case& c = info.param;
  return std::to_string(c.positions) + "_" + std::to_string(c.queries) + "_" + std::to_string(c.window) +
         "_" + std::to_string(c.ring);
});

struct Refused {
  const char* error;
  int32_t window;
  bool causal, masked;
  std::vector<int64_t> positions;
};

TEST(AttentionWindow, IsRefused) {
  const Refused cases[] = {
      {"a window of -1: expected a positive one, of causal", -1, true, false, {}},
      {"a window of 2: expected a positive one, of causal", 2, false, false, {}},
      {"a mask beside a window", 2, true, true, {}},
      {"expected a window and one int64 that counts positions, found a window of 0", 0, true, false, {4}},
      {"counts positions, found a window of 2 and int64 of shape 2", 2, true, false, {4, 4}},
      {"a ring with 4 rows of 3 positions does not hold", 2, true, false, {3}},
      {"a ring with 4 rows of -9223372036854775808 positions", 2, true, false, {INT64_MIN}},
      {"does not hold what 2 queries see of a window of 4", 4, true, false, {5}},
      {"does not hold what 2 queries see of a window of 2147483647", INT32_MAX, true, false, {INT64_MAX}},
  };
  for (const Refused& c : cases) {
    schema::AttentionOptionsT options;
    options.window = c.window;
    options.causal = c.causal;
    OpTester op(ops::Attention(), options);
    op.Input<float>(Shape::Of(1, 2, 1, 1), {1, 2});
    for (int i = 0; i < 2; ++i) op.Input<float>(Shape::Of(1, 4, 1, 1), {1, 2, 3, 4});
    if (c.masked) {
      op.Input<float>(Shape::Of(2, 4), std::vector<float>(8));
    } else {
      op.Absent();
    }
    if (!c.positions.empty()) op.Input(Shape::Of(static_cast<int64_t>(c.positions.size())), c.positions);
    const Status status = op.Run();
    EXPECT_THAT(status.message(), HasSubstr(c.error));
    EXPECT_FALSE(status.ok()) << c.error;
  }
}

// The largest count that there is.
TEST(AttentionWindow, CountsFar) {
  schema::AttentionOptionsT options;
  options.window = 1;
  options.causal = true;
  OpTester op(ops::Attention(), options);
  op.Input<float>(Shape::Of(1, 1, 1, 1), {1});
  for (int i = 0; i < 2; ++i) op.Input<float>(Shape::Of(1, 4, 1, 1), {1, 2, 3, 4});
  op.Absent().Input<int64_t>(Shape::Of(1), {INT64_MAX});
  ASSERT_THAT(op.Run(), IsOk());
  EXPECT_EQ(op.Output<float>(), std::vector<float>{3});  // the last position is a multiple of 4, and 2
}

}  // namespace
}  // namespace micrort::testing::attention_window
