// Bytes that a model takes, and how tensors share them.

#include <gmock/gmock.h>

#include <vector>

#include "kernels/base/checked_math.h"
#include "micrort/interpreter.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Arena, InPlaceChainNeedsOneTensor) {
  TestSession s(Chain(5, {100}));
  EXPECT_EQ(s->arena_bytes(), 448u);
  EXPECT_EQ(s->arena_lower_bound(), 448u);
  EXPECT_EQ(s->scratch_bytes(), 0u);
  EXPECT_EQ(s->input(0).data, s->output(0).data);
}

// The residual: x is read by two operators, and the scratch of the second has no place among the tensors.
TEST(Arena, BranchWithScratch) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {16});
  const int h = b.Tensor("h", kF32, {16});
  const int y = b.Tensor("y", kF32, {16});
  b.Node(schema::UnaryOptionsT(), {x}, {h});
  b.Node(schema::BinaryOptionsT(), {x, h}, {y});
  b.Output(y);
  TestSession s(b);
  s.SetInput(0, std::vector<float>(16, 3));
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(0), ElementsAre(7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7));
  EXPECT_EQ(s->arena_bytes(), 3 * 64 + 256u);
  EXPECT_EQ(s->arena_lower_bound(), 3 * 64 + 256u);
}

TEST(Arena, RequiredBytesAreExact) {
  const ModelFile file = Chain(4, {33}).Finish();
  const OpResolver resolver = FakeOps();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  for (const int threads : {1, 3}) {
    InterpreterOptions options;
    options.resolver = &resolver;
    options.threads = threads;
    const auto required = Interpreter::RequiredArenaBytes(*model, options);
    ASSERT_TRUE(required.ok());
    std::vector<uint8_t> memory(required.value() + 2 * kAlignment, 0xcd);
    uint8_t* const arena = memory.data() + AlignUp(reinterpret_cast<uintptr_t>(memory.data()), kAlignment) -
                           reinterpret_cast<uintptr_t>(memory.data());
    options.arena = arena;
    options.arena_bytes = required.value();
    auto interpreter = Interpreter::Create(*model, options);
    ASSERT_TRUE(interpreter.ok()) << interpreter.status().message();
    EXPECT_EQ(interpreter->arena_bytes(), required.value());
    EXPECT_TRUE(interpreter->Run().ok());
    for (const uint8_t* p = arena + required.value(); p != memory.data() + memory.size(); ++p) {
      ASSERT_EQ(*p, 0xcd);
    }
    options.arena_bytes = required.value() - 1;
    const Status status = Interpreter::Create(*model, options).status();
    EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
    EXPECT_THAT(status.message(), HasSubstr("expected an arena of " + std::to_string(required.value())));
  }
}

}  // namespace
}  // namespace micrort::testing
