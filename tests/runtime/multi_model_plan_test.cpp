#include "micrort/multi_model_plan.h"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

#include "kernels/base/checked_math.h"
#include "tests/runtime/state_models.h"
#include "tests/runtime/test_session.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using ::testing::Each;

// Models whose interpreters lie in one arena.
class SharedArena {
 public:
  SharedArena(MultiModelPlan::Use use, const OpResolver& resolver, const ModelBuilder& first,
              const ModelBuilder& second)
      : plan_(use) {
    InterpreterOptions options;
    options.resolver = &resolver;
    std::vector<MultiModelPlan::Part> parts;
    for (const ModelBuilder* b : {&first, &second}) {
      files_.push_back(b->Finish());
      models_.push_back(std::move(*Model::FromBuffer(files_.back().data(), files_.back().size())));
      parts.push_back(*plan_.Add(models_.back(), options));
    }
    memory_.resize(plan_.arena_bytes() + kAlignment);
    auto* const arena = reinterpret_cast<uint8_t*>(
        AlignUp(reinterpret_cast<uintptr_t>(memory_.data()), uintptr_t{kAlignment}));
    for (size_t i = 0; i < parts.size(); ++i) {
      options.arena = arena + parts[i].offset;
      options.arena_bytes = parts[i].bytes;
      auto interpreter = Interpreter::Create(models_[i], options);
      EXPECT_TRUE(interpreter.ok()) << interpreter.status().message();
      interpreters_.push_back(std::move(*interpreter));
    }
  }

  size_t arena_bytes() const { return plan_.arena_bytes(); }
  Interpreter& operator[](size_t i) { return interpreters_[i]; }

 private:
  MultiModelPlan plan_;
  std::vector<ModelFile> files_;
  std::vector<Model> models_;
  std::vector<uint8_t> memory_;
  std::vector<Interpreter> interpreters_;
};

void Fill(const TensorView& tensor, float value) {
  std::fill_n(tensor.as<float>(), tensor.elements(), value);
}
std::vector<float> Values(const TensorView& tensor) {
  return std::vector<float>(tensor.as<float>(), tensor.as<float>() + tensor.elements());
}

TEST(MultiModelPlan, ModelsUsedOneAtATimeTakeTheMemoryOfTheLargest) {
  SharedArena models(MultiModelPlan::Use::kOneAtATime, FakeOps(), Chain(5, {100}), Chain(2, {10}));
  EXPECT_EQ(models.arena_bytes(), 448u);
  for (int turn = 0; turn < 2; ++turn) {
    Fill(models[0].input(0), 1);
    ASSERT_THAT(models[0].Run(), IsOk());
    EXPECT_THAT(Values(models[0].output(0)), Each(6));
    Fill(models[1].input(0), 3);
    ASSERT_THAT(models[1].Run(), IsOk());
    EXPECT_THAT(Values(models[1].output(0)), Each(5));
  }
}

TEST(MultiModelPlan, ModelsUsedAtTheSameTimeKeepWhatTheyHold) {
  SharedArena models(MultiModelPlan::Use::kAtTheSameTime, FakeOps(), Chain(5, {100}), Chain(2, {10}));
  EXPECT_EQ(models.arena_bytes(), 448u + 64u);
  Fill(models[0].input(0), 1);
  Fill(models[1].input(0), 3);
  ASSERT_THAT(models[0].Run(), IsOk());
  ASSERT_THAT(models[1].Run(), IsOk());
  EXPECT_THAT(Values(models[0].output(0)), Each(6));
  EXPECT_THAT(Values(models[1].output(0)), Each(5));
}

TEST(MultiModelPlan, ValuesBetweenRunsArePutAside) {
  SharedArena models(MultiModelPlan::Use::kOneAtATime, AllOps(), Accumulator({3}), Chain(2, {100}));
  std::vector<uint8_t> aside(models[0].StateBytes());
  models[0].ResetState();
  for (int turn = 1; turn <= 3; ++turn) {
    Fill(models[0].input(0), 2);
    ASSERT_THAT(models[0].Run(), IsOk());
    EXPECT_THAT(Values(models[0].output(0)), Each(-2 * turn));
    ASSERT_THAT(models[0].SaveState(aside.data(), aside.size()), IsOk());
    Fill(models[1].input(0), 3);
    ASSERT_THAT(models[1].Run(), IsOk());
    ASSERT_THAT(models[0].RestoreState(aside.data(), aside.size()), IsOk());
  }
}

TEST(MultiModelPlan, RefusesWhatHasNoArena) {
  const ModelFile file = Chain(1, {4}).Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  const OpResolver nothing;
  InterpreterOptions options;
  options.resolver = &nothing;
  MultiModelPlan plan(MultiModelPlan::Use::kAtTheSameTime);
  EXPECT_EQ(plan.Add(*model, options).status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(plan.arena_bytes(), 0u);
}

TEST(MultiModelPlan, RefusesArenasThatFillTheAddressSpace) {
  if (sizeof(size_t) < 8) GTEST_SKIP() << "one of them is more than an address space";
  const ModelFile file = Chain(1, {1 << 30, 1 << 29}).Finish();  // 2^61 bytes
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  const OpResolver resolver = FakeOps();
  InterpreterOptions options;
  options.resolver = &resolver;
  options.limits.max_tensor_bytes = options.limits.max_memory_bytes = ~uint64_t{0};
  options.limits.max_work = options.limits.max_planning_work = ~uint64_t{0};
  MultiModelPlan plan(MultiModelPlan::Use::kAtTheSameTime);
  Status status;
  for (int i = 0; i < 8 && status.ok(); ++i) {
    const auto part = plan.Add(*model, options);
    EXPECT_EQ(part.ok(), i < 7) << i;
    status = part.status();
  }
  EXPECT_THAT(status, IsError(StatusCode::kOutOfMemory, ::testing::HasSubstr("exceed the address space")));
}

}  // namespace
}  // namespace micrort::testing
