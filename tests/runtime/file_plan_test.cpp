// Memory plans made offline: used as they are, or refused.

#include <gmock/gmock.h>

#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two copies: x, h and y, where x and y may share memory.
ModelBuilder Copies() {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {2});
  const int h = b.Tensor("h", kF32, {2});
  const int y = b.Tensor("y", kF32, {2});
  b.Node(schema::SoftmaxOptionsT(), {x}, {h});
  b.Node(schema::SoftmaxOptionsT(), {h}, {y});
  b.Output(y);
  return b;
}

TEST(FilePlan, IsUsed) {
  for (const int64_t offset : {0, 64}) {
    alignas(64) uint8_t arena[128];
    InterpreterOptions options;
    options.arena = arena;
    options.arena_bytes = sizeof arena;
    ModelBuilder b = Copies();
    b.Plan({offset, 64 - offset, offset}, 128);
    TestSession s(b, options);
    ASSERT_TRUE(s.status().ok()) << s.status().message();
    EXPECT_EQ(s->input(0).data, arena + offset);
    EXPECT_EQ(s->output(0).data, arena + offset);
    s.SetInput(0, {1, 2});
    ASSERT_TRUE(s->Run().ok());
    EXPECT_THAT(s.Output(0), ElementsAre(1, 2));
  }
}

TEST(FilePlan, GivesWayToASmallerOne) {
  ModelBuilder b = Copies();
  b.Plan({128, 64, 0}, 192);
  TestSession s(b);
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  EXPECT_EQ(s->arena_bytes(), 128u);
}

TEST(FilePlan, MayHaveInPlacePairs) {
  ModelBuilder b = Chain(2, {2});
  b.Plan({0, 0, 0}, 64);
  TestSession s(b);
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  EXPECT_EQ(s->arena_bytes(), 64u);
}

TEST(FilePlan, ScratchGoesIntoGaps) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {2});
  const int y = b.Tensor("y", kF32, {2});
  b.Node(schema::BinaryOptionsT(), {x, x}, {y});
  b.Output(y);
  b.Plan({0, 320}, 384);
  EXPECT_EQ(TestSession(b)->arena_bytes(), 384u);
  b.Plan({0, 64}, 128);
  TestSession s(b);
  EXPECT_EQ(s->arena_bytes(), 384u);
  EXPECT_EQ(s->scratch_bytes(), 256u);
}

TEST(FilePlan, TensorsWithoutAPlaceGetOne) {
  ModelBuilder b = Chain(2, {2});
  b.Plan({0, -1, 0}, 64);
  TestSession s(b);
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  s.SetInput(0, {1, 2});
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(0), ElementsAre(3, 4));
}

TEST(FilePlan, OverlapsAreRefused) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {2});
  const int h = b.Tensor("h", kF32, {2});
  const int y = b.Tensor("y", kF32, {2});
  b.Node(schema::UnaryOptionsT(), {x}, {h});
  b.Node(schema::BinaryOptionsT(), {x, h}, {y});
  b.Output(y);
  b.Plan({0, 0, 64}, 128);  // x is still read by the second operator
  EXPECT_EQ(TestSession(b).status().code(), StatusCode::kInvalidModel);
  b.Plan({0, 64, 64}, 128);  // Binary does not work in place
  EXPECT_EQ(TestSession(b).status().code(), StatusCode::kInvalidModel);
  EXPECT_THAT(TestSession(b).status().message(), HasSubstr("memory plan"));
  b.Plan({0, 64, 128}, 192);
  EXPECT_TRUE(TestSession(b).status().ok());
}

}  // namespace
}  // namespace micrort::testing
