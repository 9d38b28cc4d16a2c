#include "runtime/plan/in_place_candidates.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;

// Item i lives from operator i - 1, which writes it, to operator i, which reads it.
std::vector<PlanItem> Buffers(const std::vector<size_t>& bytes) {
  std::vector<PlanItem> items;
  for (const size_t b : bytes) {
    const auto i = static_cast<int32_t>(items.size());
    PlanItem item;
    item.bytes = b;
    item.first_op = std::max(i - 1, 0);
    item.last_op = i;
    items.push_back(item);
  }
  return items;
}

std::vector<bool> Taken(const std::vector<PlanItem>& items, std::vector<InPlaceChoice> choices) {
  EXPECT_TRUE(ChooseInPlace({items.data(), items.size()}, {choices.data(), choices.size()}).ok());
  std::vector<bool> taken;
  for (const InPlaceChoice& choice : choices) taken.push_back(choice.taken);
  return taken;
}

TEST(InPlaceCandidates, AreTakenWhereMostBytesAreAlive) {
  EXPECT_THAT(Taken(Buffers({64, 640, 640, 320}), {{1, 640}}), ElementsAre(true));
}

TEST(InPlaceCandidates, AreLeftWhereOthersNeedAsMuch) {
  EXPECT_THAT(Taken(Buffers({640, 640, 640, 64}), {{1, 640}}), ElementsAre(false));  // operator 0 needs 1280
  EXPECT_THAT(Taken(Buffers({576, 640, 640, 64}), {{1, 640}}), ElementsAre(false));  // just a little less
  EXPECT_THAT(Taken(Buffers({512, 640, 640, 64}), {{1, 640}}), ElementsAre(true));
}

TEST(InPlaceCandidates, OfSeveralAllThatStandOut) {
  const std::vector<PlanItem> items = Buffers({64, 640, 640, 64, 512, 512, 128, 128});
  EXPECT_THAT(Taken(items, {{1, 640}, {4, 512}, {6, 128}}), ElementsAre(true, true, false));
}

// What it needs more of scratch is not saved.
TEST(InPlaceCandidates, AreMeasuredByWhatTheySave) {
  EXPECT_THAT(Taken(Buffers({64, 640, 640, 64}), {{1, 0}}), ElementsAre(false));
  EXPECT_THAT(Taken(Buffers({64, 640, 640, 64}), {{1, 64}}), ElementsAre(false));
}

TEST(InPlaceCandidates, ThatHaveToBeTakenAre) {
  std::vector<InPlaceChoice> choices = {{1, 640}};
  choices[0].taken = true;
  EXPECT_THAT(Taken(Buffers({640, 640, 640, 64}), choices), ElementsAre(true));
}

TEST(InPlaceCandidates, OfAGraphWithoutItems) { EXPECT_THAT(Taken({}, {}), ElementsAre()); }

}  // namespace
}  // namespace micrort::testing
