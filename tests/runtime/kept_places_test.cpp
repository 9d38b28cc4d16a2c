// Interpreters whose sizes change look for no places again: those that they have stay, or their order does.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/base/checked_math.h"
#include "runtime/interpreter/inspect.h"
#include "runtime/memory/aligned_memory.h"
#include "runtime/plan/check_plan.h"
#include "runtime/program/plan_items.h"
#include "tests/runtime/growing_cache.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

class KeptPlacesTest : public ::testing::Test {
 protected:
  KeptPlacesTest() : file_(cache_.Build().Finish()), model_(Model::FromBuffer(file_.data(), file_.size())) {}

  Interpreter Create(int64_t rows, InterpreterOptions options = RealOps()) {
    const std::vector<Shape> shapes = cache_.Shapes(rows);
    options.input_shapes = {shapes.data(), shapes.size()};
    auto interpreter = Interpreter::Create(*model_, options);
    EXPECT_THAT(interpreter.status(), IsOk());
    return std::move(interpreter.value());
  }
  size_t RequiredBytes(int64_t rows) {
    const std::vector<Shape> shapes = cache_.Shapes(rows);
    InterpreterOptions options = RealOps();
    options.input_shapes = {shapes.data(), shapes.size()};
    return Interpreter::RequiredArenaBytes(*model_, options).value();
  }
  Status Resize(Interpreter& interpreter, int64_t rows) {
    const std::vector<Shape> shapes = cache_.Shapes(rows);
    return interpreter.Resize({shapes.data(), shapes.size()});
  }
  // Whether code that made no plan finds this one safe.
  static void ExpectSafe(const Interpreter& interpreter) {
    const Subgraph& entry = EntryOf(interpreter);
    FixedArray<PlanItem> items;
    ASSERT_THAT(BuildPlanItems(entry.program(), &items), IsOk());
    EXPECT_THAT(CheckPlan(items, entry.memory().offsets, entry.memory().layout.arena_bytes), IsOk());
  }
  static std::vector<float> Run(Interpreter& interpreter) {
    std::mt19937 random(7);
    for (size_t i = 0; i < interpreter.input_count(); ++i) {
      const TensorView x = interpreter.input(i);
      for (size_t k = 0; k < x.elements(); ++k) x.as<float>()[k] = static_cast<float>(random() % 64) / 32 - 1;
    }
    EXPECT_THAT(interpreter.Run(), IsOk());
    std::vector<float> all;
    for (size_t o = 0; o < interpreter.output_count(); ++o) {
      const TensorView y = interpreter.output(o);
      all.insert(all.end(), y.as<float>(), y.as<float>() + y.elements());
    }
    return all;
  }

  GrowingCache cache_{6};
  ModelFile file_;
  Result<Model> model_;
};

TEST_F(KeptPlacesTest, SizesChangeWithoutASearchAndTheBitsAreThoseOfANewInterpreter) {
  Interpreter interpreter = Create(20);
  EXPECT_GT(SearchesOf(interpreter), 0u);
  for (const int64_t rows : {3, 20, 21, 22, 23, 60, 0, 61, 1, 1, 60, 7, 400}) {
    SCOPED_TRACE(rows);
    ASSERT_THAT(Resize(interpreter, rows), IsOk());
    EXPECT_LE(SearchesOf(interpreter), 7u);  // of rewrites and the algorithms of six products
    ExpectSafe(interpreter);
    Interpreter other = Create(rows);
    EXPECT_EQ(Run(interpreter), Run(other));
  }
}

TEST_F(KeptPlacesTest, SmallerSizesLieWhereTheLargestDid) {
  Interpreter interpreter = Create(200);
  const ProgramMemory& memory = EntryOf(interpreter).memory();
  const std::vector<size_t> offsets(memory.offsets.begin(), memory.offsets.end());
  for (const int64_t rows : {100, 3, 199, 200, 50}) {
    ASSERT_THAT(Resize(interpreter, rows), IsOk());
    const ProgramMemory& now = EntryOf(interpreter).memory();
    EXPECT_EQ(std::vector<size_t>(now.offsets.begin(), now.offsets.end()), offsets) << rows;
    EXPECT_LE(interpreter.arena_bytes(), RequiredBytes(200));
    ExpectSafe(interpreter);
  }
}

TEST(AskForSearch, WhereTheArenaHasDoubledAndIsClearlyAboveTheBound) {
  ProgramMemory memory;
  memory.searched_bytes = 1000;
  memory.layout = {2010, 1500};
  EXPECT_TRUE(AskForSearch(memory));
  memory.layout = {1990, 1500};
  EXPECT_FALSE(AskForSearch(memory));
  memory.layout = {2010, 1700};
  EXPECT_FALSE(AskForSearch(memory));
}

// Where the former places ask for more than there is, others are looked for.
TEST_F(KeptPlacesTest, WhatCreateWouldNeedIsEnough) {
  for (const int64_t rows : {2, 33, 34, 500}) {
    AlignedMemory arena;
    ASSERT_THAT(arena.Allocate(RequiredBytes(rows)), IsOk());
    InterpreterOptions options = RealOps();
    options.arena = arena.data();
    options.arena_bytes = arena.size();
    Interpreter interpreter = Create(1, options);
    ASSERT_THAT(Resize(interpreter, rows), IsOk()) << rows;
    EXPECT_LE(interpreter.arena_bytes(), arena.size());
    Interpreter other = Create(rows);
    EXPECT_EQ(Run(interpreter), Run(other));
    EXPECT_EQ(Resize(interpreter, 10 * rows).code(), StatusCode::kOutOfMemory);
    EXPECT_EQ(Run(interpreter), Run(other));
  }
}

}  // namespace
}  // namespace micrort::testing
