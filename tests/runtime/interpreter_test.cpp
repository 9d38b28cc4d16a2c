#include "micrort/interpreter.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/checked_math.h"
#include "micrort/model.h"
#include "tests/runtime/fake_ops.h"
#include "tests/runtime/model_builder.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A model with the interpreter that runs it, by the fake operators.
class Session {
 public:
  explicit Session(const ModelBuilder& b, InterpreterOptions options = {})
      : file_(b.Finish()), model_(Model::FromBuffer(file_.data(), file_.size())), resolver_(FakeOps()) {
    EXPECT_TRUE(model_.ok()) << model_.status().message();
    if (options.resolver == nullptr) options.resolver = &resolver_;
    created_.emplace(Interpreter::Create(*model_, options));
  }

  const Status& status() const { return created_->status(); }
  Interpreter& operator*() { return created_->value(); }
  Interpreter* operator->() { return &created_->value(); }
  const Model& model() { return *model_; }

  void SetInput(size_t i, const std::vector<float>& values) {
    ASSERT_EQ(created_->value().input(i).elements(), values.size());
    std::copy(values.begin(), values.end(), created_->value().input(i).as<float>());
  }
  std::vector<float> Output(size_t i) {
    const TensorView y = created_->value().output(i);
    return std::vector<float>(y.as<float>(), y.as<float>() + y.elements());
  }

 private:
  ModelFile file_;
  Result<Model> model_;
  OpResolver resolver_;
  std::optional<Result<Interpreter>> created_;
};

constexpr DType kF32 = DType::kFloat32;

// y = x + 1, `n` times.
ModelBuilder Chain(int n, std::vector<int32_t> shape) {
  ModelBuilder b;
  int last = b.Input("x", kF32, shape);
  for (int i = 0; i < n; ++i) {
    const int next = b.Tensor("t" + std::to_string(i), kF32, shape);
    b.Node(schema::UnaryOptionsT(), {last}, {next}, "plus" + std::to_string(i));
    last = next;
  }
  b.Output(last);
  return b;
}

TEST(Interpreter, Runs) {
  Session s(Chain(3, {2}));
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
  Session s(Chain(1, {2}));
  EXPECT_EQ(s->input(1).data, nullptr);
  EXPECT_EQ(s->output(7).data, nullptr);
}

TEST(Interpreter, InPlaceChainNeedsOneTensor) {
  Session s(Chain(5, {100}));
  EXPECT_EQ(s->arena_bytes(), 448u);
  EXPECT_EQ(s->arena_lower_bound(), 448u);
  EXPECT_EQ(s->scratch_bytes(), 0u);
  EXPECT_EQ(s->input(0).data, s->output(0).data);
}

TEST(Interpreter, InputThatIsAnOutputStays) {
  ModelBuilder b = Chain(1, {2});
  b.Output(0);
  Session s(b);
  s.SetInput(0, {1, 2});
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(0), ElementsAre(2, 3));
  EXPECT_THAT(s.Output(1), ElementsAre(1, 2));
}

TEST(Interpreter, ConstantOutput) {
  ModelBuilder b = Chain(1, {2});
  b.Output(b.Constant<float>("c", {3}, {7, 8, 9}));
  Session s(b);
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(1), ElementsAre(7, 8, 9));
}

TEST(Interpreter, ModelWithoutOperators) {
  ModelBuilder b;
  b.Output(b.Input("x", kF32, {4}));
  Session s(b);
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  s.SetInput(0, {1, 2, 3, 4});
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(0), ElementsAre(1, 2, 3, 4));
}

// The residual: x is read by two operators, and the scratch of the second has no place among the tensors.
TEST(Interpreter, BranchWithScratch) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {16});
  const int h = b.Tensor("h", kF32, {16});
  const int y = b.Tensor("y", kF32, {16});
  b.Node(schema::UnaryOptionsT(), {x}, {h});
  b.Node(schema::BinaryOptionsT(), {x, h}, {y});
  b.Output(y);
  Session s(b);
  s.SetInput(0, std::vector<float>(16, 3));
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(0), ElementsAre(7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7));
  EXPECT_EQ(s->arena_bytes(), 3 * 64 + 256u);
  EXPECT_EQ(s->arena_lower_bound(), 3 * 64 + 256u);
}

TEST(Interpreter, EmptyTensorsRun) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {0, 4});
  const int y = b.Tensor("y", kF32, {0, 4});
  b.Node(schema::SoftmaxOptionsT(), {x}, {y});
  b.Output(y);
  Session s(b);
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  EXPECT_TRUE(s->Run().ok());
  EXPECT_NE(s->output(0).data, nullptr);
  EXPECT_EQ(s->arena_bytes(), 0u);
}

TEST(Interpreter, ListsAllMissingOperators) {
  ModelBuilder b = Chain(2, {2});
  b.Node(schema::TileOptionsT(), {0}, {b.Tensor("tiled", kF32, {4})});
  Session s(b, [] {
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
  return Session(b).status();
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
  Session s(b);
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
  EXPECT_THAT(Session(b).status().message(),
              HasSubstr("node 'plus0' (Unary): output 't0': expected shape 2, the file says 3"));
  b.tensor(1).shape = {2};
  b.tensor(1).dtype = schema::DType::Int32;
  EXPECT_THAT(Session(b).status().message(), HasSubstr("output 't0': expected float32, the file says int32"));
}

TEST(Interpreter, ChecksOptions) {
  for (const int threads : {0, -1, 65}) {
    InterpreterOptions options;
    options.threads = threads;
    EXPECT_EQ(Session(Chain(1, {2}), options).status().code(), StatusCode::kInvalidArgument) << threads;
  }
  alignas(64) uint8_t arena[1024];
  InterpreterOptions options;
  options.arena = arena + 4;
  options.arena_bytes = 512;
  EXPECT_THAT(Session(Chain(1, {2}), options).status().message(), HasSubstr("aligned to 64"));
}

TEST(Interpreter, MovesKeepWorking) {
  Session s(Chain(2, {1}));
  Interpreter moved = std::move(*s);
  *moved.input(0).as<float>() = 5;
  EXPECT_TRUE(moved.Run().ok());
  EXPECT_EQ(*moved.output(0).as<float>(), 7);
}

// --- Arena ---

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

// --- The plan of the file ---

TEST(FilePlan, IsUsed) {
  ModelBuilder b = Chain(2, {2});
  b.Plan({128, 64, 0}, 192);
  Session s(b);
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  EXPECT_EQ(s->arena_bytes(), 192u);
  s.SetInput(0, {1, 2});
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(s.Output(0), ElementsAre(3, 4));
}

TEST(FilePlan, MayHaveInPlacePairs) {
  ModelBuilder b = Chain(2, {2});
  b.Plan({0, 0, 0}, 64);
  Session s(b);
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
  EXPECT_EQ(Session(b)->arena_bytes(), 384u);
  b.Plan({0, 64}, 128);
  Session s(b);
  EXPECT_EQ(s->arena_bytes(), 384u);
  EXPECT_EQ(s->scratch_bytes(), 256u);
}

TEST(FilePlan, TensorsWithoutAPlaceGetOne) {
  ModelBuilder b = Chain(2, {2});
  b.Plan({0, -1, 0}, 64);
  Session s(b);
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
  EXPECT_EQ(Session(b).status().code(), StatusCode::kInvalidModel);
  b.Plan({0, 64, 64}, 128);  // Binary does not work in place
  EXPECT_EQ(Session(b).status().code(), StatusCode::kInvalidModel);
  EXPECT_THAT(Session(b).status().message(), HasSubstr("memory plan"));
  b.Plan({0, 64, 128}, 192);
  EXPECT_TRUE(Session(b).status().ok());
}

// --- Observers ---

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

TEST(Observer, SeesEachOperator) {
  Recorder recorder;
  InterpreterOptions options;
  options.observer = &recorder;
  Session s(Chain(2, {1}), options);
  s.SetInput(0, {10});
  ASSERT_TRUE(s->Run().ok());
  EXPECT_THAT(recorder.log,
              ElementsAre("before plus0", "after Unary plain t0", "before plus1", "after Unary plain t1"));
  EXPECT_THAT(recorder.values, ElementsAre(11, 12));
}

// --- Several subgraphs ---

TEST(Subgraphs, EachHasItsOwnMemory) {
  ModelBuilder b = Chain(1, {16});
  ModelBuilder other = Chain(3, {32});
  b.model.subgraphs.push_back(std::move(other.model.subgraphs[0]));
  Session s(b);
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  EXPECT_EQ(s->arena_bytes(), 64 + 128u);
}

}  // namespace
}  // namespace micrort::testing
