#include "runtime/program/plan_items.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

namespace micrort::testing {
namespace {

// A program over tensors with 64 bytes each, but where a test says otherwise.
class Requests {
 public:
  explicit Requests(size_t tensors) : bytes(tensors, 64) {}

  // Returns the step, to be changed.
  Step& Op(std::vector<int32_t> inputs, std::vector<int32_t> outputs, bool removed = false) {
    lists_.push_back(std::move(inputs));
    const Span<const int32_t> in(lists_.back().data(), lists_.back().size());
    lists_.push_back(std::move(outputs));
    const Span<const int32_t> out(lists_.back().data(), lists_.back().size());
    Step step;
    step.removed = removed;
    step.node = static_cast<int32_t>(steps_.size());
    step.inputs = in;
    step.outputs = out;
    steps_.push_back(step);
    return steps_.back();
  }
  std::vector<PlanItem> Build() {
    Program program;
    EXPECT_TRUE(program.buffers.Allocate(bytes.size()).ok() && program.views.Allocate(bytes.size()).ok());
    EXPECT_TRUE(program.steps.Allocate(steps_.size()).ok());
    for (size_t t = 0; t < bytes.size(); ++t) {
      program.buffers[t] = {bytes[t], bytes[t] != 0};
      program.views[t] = WholeView(static_cast<int32_t>(t), DType::kInt8, Shape::Of(bytes[t]));
    }
    std::copy(steps_.begin(), steps_.end(), program.steps.begin());
    program.inputs = {inputs.data(), inputs.size()};
    program.outputs = {outputs.data(), outputs.size()};
    program.node_count = steps_.size();
    if (part >= 0) {
      program.views[static_cast<size_t>(part)].buffer = whole;
      program.buffers[static_cast<size_t>(part)].in_arena = false;
    }
    FixedArray<PlanItem> items;
    EXPECT_TRUE(BuildPlanItems(program, &items).ok());
    return std::vector<PlanItem>(items.begin(), items.end());
  }

  std::vector<size_t> bytes;
  std::vector<int32_t> inputs;
  std::vector<int32_t> outputs;
  int32_t part = -1, whole = -1;  // a tensor that is a view of another one's buffer

 private:
  std::deque<std::vector<int32_t>> lists_;
  std::deque<Step> steps_;
};

void ExpectLife(const PlanItem& item, int32_t first_op, int32_t last_op) {
  EXPECT_EQ(item.first_op, first_op);
  EXPECT_EQ(item.last_op, last_op);
}

TEST(PlanItems, Lifetimes) {
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

TEST(PlanItems, RemovedStepsCountForNothing) {
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

// Of a whole, all that is written is alive as long as any of it.
TEST(PlanItems, PartsLiveInTheWhole) {
  Requests r(4);
  r.inputs = {0};
  r.outputs = {3};
  r.part = 1;
  r.whole = 3;
  r.Op({0}, {1});
  r.Op({0}, {2});
  r.Op({2}, {3});
  const std::vector<PlanItem> items = r.Build();
  ExpectLife(items[3], 0, 3);
  EXPECT_EQ(items[1].bytes, 0u);
}

// Tensor 0 is the input, 1 the output of a step that allows in place; the rest differs.
int32_t TakesOver(Requests& r) { return r.Build()[1].takes_over; }

TEST(PlanItems, InPlace) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1};
  r.Op({0}, {1}).in_place[0] = 0;
  EXPECT_EQ(TakesOver(r), 0);
}

TEST(PlanItems, NotInPlaceUnlessAllowed) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1};
  r.Op({0}, {1});
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanItems, NotInPlaceOfOtherSize) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1};
  r.bytes[1] = 60;
  r.Op({0}, {1}).in_place[0] = 0;
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanItems, NotInPlaceOfConstants) {
  Requests r(2);
  r.outputs = {1};
  r.bytes[0] = 0;
  r.Op({0}, {1}).in_place[0] = 0;
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanItems, NotInPlaceOfGraphOutputs) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1, 0};
  r.Op({0}, {1}).in_place[0] = 0;
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanItems, NotInPlaceOfWhatIsReadLater) {
  Requests r(3);
  r.inputs = {0};
  r.outputs = {2};
  r.Op({0}, {1}).in_place[0] = 0;
  r.Op({0, 1}, {2});
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanItems, NotInPlaceOfAnInputReadTwice) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1};
  r.Op({0, 0}, {1}).in_place[0] = 0;
  EXPECT_EQ(TakesOver(r), -1);
}

TEST(PlanItems, OneOutputTakesOver) {
  Requests r(3);
  r.inputs = {0};
  r.outputs = {1, 2};
  Step& step = r.Op({0}, {1, 2});
  step.in_place[0] = 0;
  step.in_place[1] = 0;
  const std::vector<PlanItem> items = r.Build();
  EXPECT_EQ(items[1].takes_over, 0);
  EXPECT_EQ(items[2].takes_over, -1);
}

TEST(PlanItems, InPlaceOfAbsentInputs) {
  Requests r(2);
  r.inputs = {0};
  r.outputs = {1};
  r.Op({0, -1}, {1}).in_place[0] = 1;
  EXPECT_EQ(TakesOver(r), -1);
}

}  // namespace
}  // namespace micrort::testing
