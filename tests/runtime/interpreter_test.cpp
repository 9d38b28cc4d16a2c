#include "micrort/interpreter.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/runtime/bottleneck_model.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Interpreter, Runs) {
  TestSession s(Chain(3, {2}));
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  EXPECT_EQ(s->input_count(), 1u);
  EXPECT_EQ(s->output_count(), 1u);
  EXPECT_STREQ(s->input(0).name, "x");
  EXPECT_STREQ(s->output(0).name, "t2");
  EXPECT_EQ(s->output(0).shape, Shape::Of(2));
  s.SetInput(0, {1, 2});
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(0), ElementsAre(4, 5));
}

TEST(Interpreter, ViewsOutOfRangeAreEmpty) {
  TestSession s(Chain(1, {2}));
  EXPECT_EQ(s->input(1).data, nullptr);
  EXPECT_EQ(s->output(7).data, nullptr);
}

TEST(Interpreter, InputThatIsAnOutputStays) {
  ModelBuilder b = Chain(1, {2});
  b.Output(0);
  TestSession s(b);
  s.SetInput(0, {1, 2});
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(0), ElementsAre(2, 3));
  EXPECT_THAT(s.Output(1), ElementsAre(1, 2));
}

// What is computed in place, and convolutions in stripes, whose first input would be written over.
TEST(Interpreter, KeepsInputsWhereAsked) {
  const ModelBuilder chain = Chain(3, {1, 64, 64, 16});
  const Bottleneck bottleneck(64);
  for (const ModelBuilder* model : {&chain, &bottleneck.b}) {
    for (const bool whole : {false, true}) {
      InterpreterOptions options = Bottleneck::Options(1, whole);
      options.resolver = &AllOps();
      const std::vector<float> x = Wave(64 * 64 * 16, 0.5f);
      TestSession plain(*model, options);
      plain.SetInput(0, x);
      ASSERT_TRUE(plain->Run().ok());
      const std::vector<float> expected = plain.Output(0);
      options.keep_inputs = true;
      TestSession kept(*model, options);
      ASSERT_TRUE(kept.status().ok()) << kept.status().message();
      EXPECT_GE(kept->arena_bytes(), plain->arena_bytes());
      kept.SetInput(0, x);
      for (int run = 0; run < 2; ++run) {
        ASSERT_TRUE(kept->Run().ok());
        EXPECT_EQ(kept.Output(0), expected);
        const float* input = kept->input(0).as<float>();
        EXPECT_EQ(std::vector<float>(input, input + x.size()), x);
      }
    }
  }
}

TEST(Interpreter, ConstantOutput) {
  ModelBuilder b = Chain(1, {2});
  b.Output(b.Constant<float>("c", {3}, {7, 8, 9}));
  TestSession s(b);
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(1), ElementsAre(7, 8, 9));
}

TEST(Interpreter, ModelWithoutOperators) {
  ModelBuilder b;
  b.Output(b.Input("x", kF32, {4}));
  TestSession s(b);
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  s.SetInput(0, {1, 2, 3, 4});
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(0), ElementsAre(1, 2, 3, 4));
}

TEST(Interpreter, EmptyTensorsRun) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {0, 4});
  const int y = b.Tensor("y", kF32, {0, 4});
  b.Node(schema::SoftmaxOptionsT(), {x}, {y});
  b.Output(y);
  TestSession s(b);
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  EXPECT_TRUE(s->Run().ok());
  EXPECT_NE(s->output(0).data, nullptr);
  EXPECT_EQ(s->arena_bytes(), 0u);
}

TEST(Interpreter, ListsAllMissingOperators) {
  ModelBuilder b = Chain(2, {2});
  b.Node(schema::TileOptionsT(), {0}, {b.Tensor("tiled", kF32, {4})});
  TestSession s(b, [] {
    static const OpResolver none;
    InterpreterOptions options;
    options.resolver = &none;
    return options;
  }());
  EXPECT_EQ(s.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(s.status().message(), HasSubstr("resolver lacks: Unary (2 nodes), Tile (1 nodes)"));
}

Status CreatePicky(int axis) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {2});
  const int y = b.Tensor("y", kF32, {2});
  schema::SoftmaxOptionsT options;
  options.axis = axis;
  b.Node(options, {x}, {y}, "probabilities");
  b.Output(y);
  return TestSession(b).status();
}

TEST(Interpreter, ErrorsNameFileNodeAndOperator) {
  EXPECT_EQ(CreatePicky(7).code(), StatusCode::kInvalidModel);
  EXPECT_STREQ(CreatePicky(7).message(), "model: node 'probabilities' (Softmax): axis 7");
  EXPECT_EQ(CreatePicky(8).code(), StatusCode::kUnsupported);
  EXPECT_STREQ(CreatePicky(8).message(), "model: node 'probabilities' (Softmax): axis 8");
}

TEST(Interpreter, RunErrorsNameTheNodeAndTheNextRunMaySucceed) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {2});
  const int y = b.Tensor("y", kF32, {2});
  b.Node(schema::GatherOptionsT(), {x}, {y}, "look-up");
  b.Output(y);
  TestSession s(b);
  s.SetInput(0, {1, -1});
  const Status status = s->Run();
  EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
  EXPECT_STREQ(status.message(), "model: node 'look-up' (Gather): element 1 is negative");
  s.SetInput(0, {1, 1});
  EXPECT_TRUE(s->Run().ok());
}

TEST(Interpreter, OutputsMustBeAsDeclared) {
  ModelBuilder b = Chain(2, {2});
  b.tensor(1).shape = {3};
  EXPECT_THAT(TestSession(b).status().message(),
              HasSubstr("node 'plus0' (Unary): output 't0': expected shape 2, the file says 3"));
  b.tensor(1).shape = {2};
  b.tensor(1).dtype = schema::DType::Int32;
  EXPECT_THAT(TestSession(b).status().message(),
              HasSubstr("output 't0': expected float32, the file says int32"));
}

TEST(Interpreter, ChecksOptions) {
  for (const int threads : {0, -1, 65}) {
    InterpreterOptions options;
    options.threads = threads;
    EXPECT_EQ(TestSession(Chain(1, {2}), options).status().code(), StatusCode::kInvalidArgument) << threads;
  }
  alignas(64) uint8_t arena[1024];
  InterpreterOptions options;
  options.arena = arena + 4;
  options.arena_bytes = 512;
  EXPECT_THAT(TestSession(Chain(1, {2}), options).status().message(), HasSubstr("aligned to 64"));
}

TEST(Interpreter, MovesKeepWorking) {
  TestSession s(Chain(2, {1}));
  Interpreter moved = std::move(*s);
  *moved.input(0).as<float>() = 5;
  EXPECT_TRUE(moved.Run().ok());
  EXPECT_EQ(*moved.output(0).as<float>(), 7);
}

struct Recorder final : OpObserver {
  void BeforeOp(const OpInfo& info) override { log.push_back("before " + std::string(info.node)); }
  void AfterOp(const OpInfo& info) override {
    log.push_back("after " + std::string(info.type) + " " + info.algorithm + " " + info.outputs[0].name);
    EXPECT_EQ(info.inputs.size(), 1u);
    values.push_back(info.outputs[0].as<float>()[0]);
  }
  std::vector<std::string> log;
  std::vector<float> values;
};

// So that a clock that is read first and last tells of the step alone.
TEST(Observer, WaitsForNoDescriptionBehindAStep) {
  struct Times final : OpObserver {
    void BeforeOp(const OpInfo& info) override { described = &info; }
    void AfterOp(const OpInfo& info) override { same += described == &info ? 1 : 0; }
    const OpInfo* described = nullptr;
    int same = 0;
  } times;
  InterpreterOptions options;
  options.observer = &times;
  TestSession s(Chain(2, {1}), options);
  ASSERT_TRUE(s->Run().ok());
  EXPECT_EQ(times.same, 2);
}

TEST(Observer, SeesEachOperator) {
  Recorder recorder;
  InterpreterOptions options;
  options.observer = &recorder;
  TestSession s(Chain(2, {1}), options);
  s.SetInput(0, {10});
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(recorder.log,
              ElementsAre("before plus0", "after Unary plain t0", "before plus1", "after Unary plain t1"));
  EXPECT_THAT(recorder.values, ElementsAre(11, 12));
}

}  // namespace
}  // namespace micrort::testing
