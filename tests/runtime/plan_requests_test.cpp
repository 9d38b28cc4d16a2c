#include "runtime/plan/plan_requests.h"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

namespace micrort::testing {
namespace {

// A graph of tensors with 64 bytes each, but where a test says otherwise.
class Requests {
 public:
  explicit Requests(size_t tensors) : bytes(tensors, 64) {}

  // Returns what prepare asked for, to be changed.
  PrepareResult& Op(std::vector<int32_t> inputs, std::vector<int32_t> outputs, bool skipped = false) {
    lists_.push_back(std::move(inputs));
    const Span<const int32_t> in(lists_.back().data(), lists_.back().size());
    lists_.push_back(std::move(outputs));
    const Span<const int32_t> out(lists_.back().data(), lists_.back().size());
    prepared_.emplace_back();
    ops_.push_back({in, out, &prepared_.back(), skipped});
    return prepared_.back();
  }
  std::vector<PlanItem> Build() {
    FixedArray<PlanItem> items;
    const PlanGraph graph{{ops_.data(), ops_.size()},
                          {inputs.data(), inputs.size()},
                          {outputs.data(), outputs.size()},
                          {bytes.data(), bytes.size()}};
    EXPECT_TRUE(BuildPlanItems(graph, &items).ok());
    return std::vector<PlanItem>(items.begin(), items.end());
  }

  std::vector<size_t> bytes;
  std::vector<int32_t> inputs;
  std::vector<int32_t> outputs;

 private:
  std::deque<std::vector<int32_t>> lists_;
  std::deque<PrepareResult> prepared_;
  std::vector<PlanOp> ops_;
};

void ExpectLife(const PlanItem& item, int32_t first_op, int32_t last_op) {
  EXPECT_EQ(item.first_op, first_op);
  EXPECT_EQ(item.last_op, last_op);
}

TEST(PlanRequests, Lifetimes) {
  Requests r(5);
  r.inputs = {0, 1};
  r.outputs = {4};
  r.bytes[2] = 100;
  r.Op({0}, {2});
  r.Op({2, -1}, {3}).scratch_bytes = 65;
  r.Op({3, 2}, {4});
  const std::vector<PlanItem> items = r.Build();
  ASSERT_EQ(items.size(), 8u);
  ExpectLife(items[0], 0, 0);
  ExpectLife(items[1], 0, 3);  // never read: the caller may fill it all the same
  ExpectLife(items[2], 0, 2);
  ExpectLife(items[3], 1, 2);
  ExpectLife(items[4], 2, 3);  // graph output: to the end
  ExpectLife(items[6], 1, 1);  // scratch of operator 1
  EXPECT_EQ(items[2].bytes, 128u);
  EXPECT_EQ(items[6].bytes, 128u);
  EXPECT_EQ(items[5].bytes, 0u);
}

TEST(PlanRequests, SkippedOperatorsCountForNothing) {
  Requests r(3);
  r.inputs = {0};
  r.outputs = {2};
  r.bytes[1] = 0;
  r.Op({0}, {2});
  r.Op({0}, {1}, true).scratch_bytes = 64;
  const std::vector<PlanItem> items = r.Build();
  ExpectLife(items[0], 0, 0);
  EXPECT_EQ(items[4].bytes, 0u);
}

// Tensor 0 is the input, 1 the output of an operator that allows in place; the rest differs.
int32_t TakesOver(Requests& r) { return r.Build()[1].takes_over; }

TEST(PlanRequests, InPlace) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1};
  r.Op({0}, {1}).in_place[0] = 0;
  EXPECT_EQ(TakesOver(r), 0);
}

TEST(PlanRequests, NotInPlaceUnlessAllowed) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1};
  r.Op({0}, {1});
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanRequests, NotInPlaceOfOtherSize) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1};
  r.bytes[1] = 60;
  r.Op({0}, {1}).in_place[0] = 0;
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanRequests, NotInPlaceOfConstants) {
  Requests r(2);
  r.outputs = {1};
  r.bytes[0] = 0;
  r.Op({0}, {1}).in_place[0] = 0;
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanRequests, NotInPlaceOfGraphOutputs) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1, 0};
  r.Op({0}, {1}).in_place[0] = 0;
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanRequests, NotInPlaceOfWhatIsReadLater) {
  Requests r(3);
  r.inputs = {0};
  r.outputs = {2};
  r.Op({0}, {1}).in_place[0] = 0;
  r.Op({0, 1}, {2});
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanRequests, NotInPlaceOfAnInputReadTwice) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1};
  r.Op({0, 0}, {1}).in_place[0] = 0;
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanRequests, OneOutputTakesOver) {
  Requests r(3);
  r.inputs = {0};
  r.outputs = {1, 2};
  PrepareResult& prepared = r.Op({0}, {1, 2});
  prepared.in_place[0] = 0;
  prepared.in_place[1] = 0;
  const std::vector<PlanItem> items = r.Build();
  EXPECT_EQ(items[1].takes_over, 0);
  EXPECT_EQ(items[2].takes_over, -1);
}

TEST(PlanRequests, InPlaceOfAbsentInputs) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1};
  r.Op({0, -1}, {1}).in_place[0] = 1;
  EXPECT_EQ(TakesOver(r), -1);
}

}  // namespace
}  // namespace micrort::testing
