#pragma once
// A model that is run while somebody watches, beside one that nobody watches.

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "runtime/interpreter/inspect.h"

namespace micrort::testing {

// Notes the steps of one run, and whether any work is done beside them.
class StepLog final : public OpObserver {
 public:
  void BeforeOp(const OpInfo& op) override {
    EXPECT_EQ(running_, -1);
    running_ = op.index;
  }
  void AfterOp(const OpInfo& op) override {
    EXPECT_EQ(running_, op.index);
    running_ = -1;
    steps.push_back(op.index);
    for (const OpSource& source : op.sources) sources.emplace_back(source.node);
  }
  void Clear() {
    steps.clear();
    sources.clear();
  }

  std::vector<int> steps;
  std::vector<std::string> sources;  // nodes of all steps

 private:
  int running_ = -1;
};

// Once each, in the order of the program, with all the nodes that they stand for.
inline void ExpectEachStepOnce(const Subgraph& entry, const StepLog& log) {
  std::vector<int> steps;
  std::vector<std::string> sources;
  for (const Step& step : entry.program().steps) {
    if (step.removed) continue;
    steps.push_back(step.node);
    for (int32_t n = step.node; n < step.node_end; ++n) {
      sources.emplace_back(Text(entry.graph().nodes[static_cast<size_t>(n)].source->name()));
    }
  }
  EXPECT_EQ(log.steps, steps);
  EXPECT_EQ(log.sources, sources);
}

// Zeros in integers, which are indices at times.
inline void FillInputsWithSteps(Interpreter& interpreter) {
  for (size_t i = 0; i < interpreter.input_count(); ++i) {
    const TensorView input = interpreter.input(i);
    if (input.bytes() != 0) std::memset(input.data, 0, input.bytes());
    if (input.dtype != DType::kFloat32) continue;
    for (size_t k = 0; k < input.elements(); ++k) input.as<float>()[k] = 0.25f * static_cast<float>(k % 7);
  }
}

inline void ExpectSameOutputs(const Interpreter& a, const Interpreter& b) {
  for (size_t i = 0; i < a.output_count(); ++i) {
    const TensorView x = a.output(i), y = b.output(i);
    ASSERT_EQ(x.shape, y.shape) << x.name;
    EXPECT_TRUE(x.bytes() == 0 || std::memcmp(x.data, y.data, x.bytes()) == 0) << x.name;
  }
}

// Program, arena and outputs are those of a run that nobody watches, and so is what an arena of the caller
// needs.
inline void ExpectWatchingChangesNothing(const Model& model, InterpreterOptions options = {}) {
  auto plain = Interpreter::Create(model, options);
  auto plain_bytes = Interpreter::RequiredArenaBytes(model, options);
  StepLog log;
  options.observer = &log;
  auto watched = Interpreter::Create(model, options);
  auto watched_bytes = Interpreter::RequiredArenaBytes(model, options);
  ASSERT_TRUE(plain.ok()) << plain.status().message();
  ASSERT_TRUE(watched.ok()) << watched.status().message();
  ASSERT_TRUE(plain_bytes.ok() && watched_bytes.ok());
  EXPECT_EQ(*watched_bytes, *plain_bytes);
  EXPECT_EQ(watched->arena_bytes(), plain->arena_bytes());
  EXPECT_EQ(watched->scratch_bytes(), plain->scratch_bytes());
  EXPECT_EQ(SearchesOf(*watched), SearchesOf(*plain));
  for (int run = 0; run < 2; ++run) {
    SCOPED_TRACE(::testing::Message() << "run " << run);
    log.Clear();
    FillInputsWithSteps(*plain);
    FillInputsWithSteps(*watched);
    ASSERT_TRUE(plain->Run().ok());
    const Status status = watched->Run();
    ASSERT_TRUE(status.ok()) << status.message();
    ExpectEachStepOnce(EntryOf(*plain), log);
    ExpectSameOutputs(*plain, *watched);
  }
}

}  // namespace micrort::testing
