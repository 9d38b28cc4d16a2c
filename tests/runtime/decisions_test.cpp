// Programs whose decisions lie in the file.

#include "runtime/program/decisions.h"

#include <gmock/gmock.h>

#include "runtime/interpreter/inspect.h"
#include "tests/runtime/bottleneck_model.h"
#include "tests/runtime/stated_program.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

const Subgraph& EntryOf(TestSession& s) { return micrort::EntryOf(*s.operator->()); }

size_t StepsOf(TestSession& s) {
  size_t count = 0;
  for (const Step& step : EntryOf(s).program().steps) count += step.removed ? 0 : 1;
  return count;
}

// Three convolutions that run by stripes, with a program as `change` leaves it.
struct Decided {
  Bottleneck model{64};
  template <typename Change>
  explicit Decided(Change change) {
    auto stated = std::make_unique<schema::ProgramT>(StatedProgram(model.b, ThisMachine(), {{0, 3}, {}, {}}));
    change(stated.get());
    model.b.graph().programs.push_back(std::move(stated));
  }
};

// Runs it, which must give the bits of a file without a program, and tells whether the file's was used.
bool IsUsed(const Decided& decided, int threads = 1) {
  const Bottleneck plain(64);
  TestSession expected(plain.b, Bottleneck::Options(threads)),
      found(decided.model.b, Bottleneck::Options(threads));
  EXPECT_EQ(Bottleneck::RunOnWave(expected), Bottleneck::RunOnWave(found));
  return EntryOf(found).is_decided();
}

TEST(Decisions, AreAppliedAsStated) {
  const Decided decided([](schema::ProgramT*) {});
  EXPECT_TRUE(IsUsed(decided));
  TestSession by_file(decided.model.b, Bottleneck::Options()),
      by_itself(Bottleneck(64).b, Bottleneck::Options());
  EXPECT_EQ(StepsOf(by_file), 1u);
  EXPECT_EQ(by_file->arena_bytes(), by_itself->arena_bytes());
  EXPECT_EQ(by_file->arena_lower_bound(), by_itself->arena_lower_bound());
  EXPECT_EQ(by_file->scratch_bytes(), by_itself->scratch_bytes());
}

TEST(Decisions, OfEveryRewriteKeepTheBits) {
  EveryRewrite plain, decided;
  for (const int threads : {1, 2})
    decided.State(StatedProgram(plain.b, ThisMachine(threads), EveryRewrite::All()));
  for (const int threads : {1, 2}) {
    TestSession by_itself(plain.b, Bottleneck::Options(threads)),
        by_file(decided.b, Bottleneck::Options(threads));
    EXPECT_EQ(Bottleneck::RunOnWave(by_file), Bottleneck::RunOnWave(by_itself));
    EXPECT_TRUE(EntryOf(by_file).is_decided());
    EXPECT_FALSE(EntryOf(by_itself).is_decided());
    EXPECT_EQ(StepsOf(by_itself), 5u);  // the concat costs nothing
    EXPECT_EQ(StepsOf(by_file), 4u);
  }
}

TEST(Decisions, OfOtherTargetsAreLeftAlone) {
  EXPECT_FALSE(IsUsed(Decided([](schema::ProgramT*) {}), 2));
  EXPECT_FALSE(IsUsed(Decided([](schema::ProgramT* p) { p->target = "nothing"; })));
  EXPECT_FALSE(IsUsed(Decided([](schema::ProgramT* p) { p->target.clear(); })));
}

TEST(Decisions, OfAnotherWidthOfAddressesAreLeftAlone) {
  InterpreterOptions options = Bottleneck::Options();
  options.features = 0;
  const auto is_used = [&options](const char* target) {
    EveryRewrite model;
    model.State(StatedProgram(model.b, {AvailableFeatures(0), 1}, EveryRewrite::All()));
    model.b.graph().programs[0]->target = target;
    TestSession s(model.b, options);
    return EntryOf(s).is_decided();
  };
  EXPECT_EQ(is_used("scalar"), sizeof(void*) == 8);
  EXPECT_FALSE(is_used("cortex-m4"));
}

TEST(Decisions, OfOtherInputShapesAreLeftAlone) {
  EXPECT_FALSE(IsUsed(Decided([](schema::ProgramT* p) { p->input_shapes[1] = 63; })));
  EXPECT_FALSE(IsUsed(Decided([](schema::ProgramT* p) { p->input_shapes.pop_back(); })));
  EXPECT_FALSE(IsUsed(Decided([](schema::ProgramT* p) { p->input_shapes.push_back(1); })));
}

TEST(Decisions, OfTheProgramThatFitsAreTaken) {
  const Bottleneck plain(64);
  Decided decided([](schema::ProgramT* p) { p->target = "nothing"; });
  for (const int threads : {2, 1}) {
    decided.model.b.graph().programs.push_back(
        std::make_unique<schema::ProgramT>(StatedProgram(plain.b, ThisMachine(threads), {{0, 3}, {}, {}})));
  }
  EXPECT_TRUE(IsUsed(decided, 1));
  EXPECT_TRUE(IsUsed(decided, 2));
  EXPECT_FALSE(IsUsed(decided, 3));
}

TEST(Decisions, ThatDoNotFitAreMadeAgain) {
  const auto unused = [](auto change) { EXPECT_FALSE(IsUsed(Decided(change))); };
  unused([](schema::ProgramT* p) { p->stripes = {0, 9}; });
  unused([](schema::ProgramT* p) { p->stripes = {0, UINT32_MAX}; });
  unused([](schema::ProgramT* p) { p->stripes = {7, 2}; });
  unused([](schema::ProgramT* p) { p->stripes.insert(p->stripes.end(), {0, 2}); });
  unused([](schema::ProgramT* p) { p->concats = {0}; });
  unused([](schema::ProgramT* p) { p->in_place = {1}; });
  unused([](schema::ProgramT* p) { p->algorithms[0] = 4; });
  unused([](schema::ProgramT* p) { p->algorithms[0] = 255; });
  unused([](schema::ProgramT* p) { p->offsets.assign(p->offsets.size(), 0); });
  unused([](schema::ProgramT* p) { p->scratch_offsets[0] = p->offsets[0]; });
  unused([](schema::ProgramT* p) { p->offsets[0] = UINT32_MAX; });
}

// More memory than all tensors and scratch together is nothing that a plan can need.
TEST(Decisions, TakeNoMemoryThatNothingNeeds) {
  EXPECT_FALSE(IsUsed(Decided([](schema::ProgramT* p) { p->offsets[0] += 1u << 20; })));
}

TEST(Decisions, WholeTensorsAreNotWhatTheyAreAbout) {
  const Decided decided([](schema::ProgramT*) {});
  TestSession s(decided.model.b, Bottleneck::Options(1, true));
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  EXPECT_FALSE(EntryOf(s).is_decided());
  EXPECT_GE(s->arena_bytes(), decided.model.wide_bytes);
}

TEST(Decisions, OfAnotherGraphAreInvalid) {
  const auto message = [](auto change) {
    const ModelFile file = Decided(change).model.b.Finish();
    auto model = Model::FromBuffer(file.data(), file.size());
    return model.ok() ? std::string("valid") : std::string(model.status().message());
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(message([](schema::ProgramT* p) { p->algorithms.pop_back(); }),
              HasSubstr("program 0: expected 3 algorithms, found 2"));
  EXPECT_THAT(message([](schema::ProgramT* p) { p->offsets.clear(); }),
              HasSubstr("expected 8 offsets, found 0"));
  EXPECT_THAT(message([](schema::ProgramT* p) { p->scratch_offsets.push_back(0); }),
              HasSubstr("expected 3 scratch offsets, found 4"));
  EXPECT_THAT(message([](schema::ProgramT* p) { p->stripes.push_back(0); }),
              HasSubstr("expected 2 numbers of stripes, found 3"));
  EXPECT_THAT(message([](schema::ProgramT* p) { p->concats.assign(4, 0); }),
              HasSubstr("expected at most 3 rewrites, one an operator, found 5"));
}

}  // namespace
}  // namespace micrort::testing
