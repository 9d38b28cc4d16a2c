// Element-wise steps that run as one.

#include <gmock/gmock.h>

#include <cstring>

#include "tests/runtime/bottleneck_model.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;

class FusedSteps final : public OpObserver {
 public:
  void AfterOp(const OpInfo& op) override {
    std::string joined;
    for (const OpSource& source : op.sources)
      joined += (joined.empty() ? "" : "+") + std::string(source.node);
    names.push_back(joined);
    algorithms.push_back(op.algorithm);
  }
  std::vector<std::string> names, algorithms;
};

// y = |(x * sigmoid(x) + bias) * scale - x| over [1, size, size, 4], of nodes sigmoid, swish, add, scale,
// subtract and abs.
struct Tail {
  const int32_t size;
  ModelBuilder b;
  int x, swish, y;

  explicit Tail(int32_t pixels) : size(pixels) {
    x = b.Input("x", kF32, Image());
    const int bias = b.Constant<float>("bias", {4}, {0.5f, -1, 2, 0.25f});
    const int scale = b.Constant<float>("scale", {1}, {1.5f});
    swish = Binary(schema::BinaryKind::Mul, x, Unary(schema::UnaryKind::Sigmoid, x, "sigmoid"), "swish");
    const int added = Binary(schema::BinaryKind::Add, bias, swish, "add");
    const int scaled = Binary(schema::BinaryKind::Mul, added, scale, "scale");
    y = Unary(schema::UnaryKind::Abs, Binary(schema::BinaryKind::Sub, scaled, x, "subtract"), "abs");
    b.Output(y);
  }

  std::vector<int32_t> Image() const { return {1, size, size, 4}; }
  size_t image_bytes() const {
    return sizeof(float) * 4 * static_cast<size_t>(size) * static_cast<size_t>(size);
  }
  int Unary(schema::UnaryKind kind, int in, const std::string& name) {
    schema::UnaryOptionsT options;
    options.kind = kind;
    const int out = b.Tensor(name + "_out", kF32, Image());
    b.Node(options, {in}, {out}, name);
    return out;
  }
  int Binary(schema::BinaryKind kind, int left, int right, const std::string& name) {
    schema::BinaryOptionsT options;
    options.kind = kind;
    const int out = b.Tensor(name + "_out", kF32, Image());
    b.Node(options, {left, right}, {out}, name);
    return out;
  }
};

std::vector<std::string> StepsOf(const ModelBuilder& b) {
  FusedSteps observer;
  TestSession s(b, Bottleneck::Options(1, false, &observer));
  Bottleneck::RunOnWave(s);
  return observer.names;
}

TEST(FusedElementwise, GivesTheBitsOfWholeNodes) {
  for (const int32_t pixels : {64, 93}) {
    const Tail model(pixels);
    for (const int threads : {1, 3}) {
      TestSession whole(model.b, Bottleneck::Options(threads, true)),
          fused(model.b, Bottleneck::Options(threads));
      EXPECT_EQ(Bottleneck::RunOnWave(whole), Bottleneck::RunOnWave(fused));
      EXPECT_LE(fused->arena_bytes(), whole->arena_bytes());
    }
  }
}

TEST(FusedElementwise, IsOneStepToAnObserver) {
  FusedSteps whole, fused;
  const Tail model(64);
  TestSession first(model.b, Bottleneck::Options(1, true, &whole)),
      second(model.b, Bottleneck::Options(1, false, &fused));
  EXPECT_EQ(Bottleneck::RunOnWave(first), Bottleneck::RunOnWave(second));
  EXPECT_THAT(whole.names, ElementsAre("sigmoid", "swish", "add", "scale", "subtract", "abs"));
  EXPECT_THAT(fused.names, ElementsAre("sigmoid+swish+add+scale+subtract+abs"));
  EXPECT_THAT(fused.algorithms, ElementsAre("fused_elementwise"));
}

TEST(FusedElementwise, IsOneStepWhateverItsSize) {
  EXPECT_EQ(StepsOf(Tail(64).b).size(), 1u);
  EXPECT_EQ(StepsOf(Tail(1).b).size(), 1u);
}

// What lies between the steps may be read by others, too: it is written, and the rest is computed on.
TEST(FusedElementwise, GivesWhatOthersRead) {
  for (const int32_t pixels : {5, 64}) {
    Tail model(pixels);
    model.b.Output(model.swish);
    EXPECT_THAT(StepsOf(model.b), ElementsAre("sigmoid+swish+add+scale+subtract+abs"));
    TestSession whole(model.b, Bottleneck::Options(1, true)), fused(model.b, Bottleneck::Options());
    EXPECT_EQ(Bottleneck::RunOnWave(whole), Bottleneck::RunOnWave(fused));
    EXPECT_EQ(whole.Output(1), fused.Output(1));
    EXPECT_LE(fused->arena_bytes(), whole->arena_bytes());
  }
}

TEST(FusedElementwise, NeedsALinkBetweenSteps) {
  Tail model(8);
  model.b.Output(model.Unary(schema::UnaryKind::Exp, model.x, "exp"));
  model.b.Output(model.Unary(schema::UnaryKind::Neg, model.x, "neg"));
  EXPECT_THAT(StepsOf(model.b), ElementsAre("sigmoid+swish+add+scale+subtract+abs", "exp", "neg"));
}

// Pixels become floats, are normalized by channel, and what comes out is quantized.
TEST(FusedElementwise, ConvertsTypes) {
  ModelBuilder b;
  const std::vector<int32_t> image = {1, 31, 7, 3};
  const int x = b.Input("x", DType::kUInt8, image), floats = b.Tensor("floats", kF32, image),
            mean = b.Constant<float>("mean", {3}, {100, 110, 120}), moved = b.Tensor("moved", kF32, image),
            scale = b.Constant<float>("scale", {3}, {0.01f, 0.02f, 0.03f}),
            scaled = b.Tensor("scaled", kF32, image), y = b.Tensor("y", DType::kInt8, image);
  b.tensor(y).quantization = std::make_unique<schema::QuantizationT>();
  b.tensor(y).quantization->scales = {0.02f};
  b.tensor(y).quantization->zero_points = {-3};
  b.Node(schema::CastOptionsT(), {x}, {floats}, "cast");
  schema::BinaryOptionsT options;
  options.kind = schema::BinaryKind::Sub;
  b.Node(options, {floats, mean}, {moved}, "subtract");
  options.kind = schema::BinaryKind::Mul;
  b.Node(options, {moved, scale}, {scaled}, "scale");
  b.Node(schema::QuantizeOptionsT(), {scaled}, {y}, "quantize");
  b.Output(y);
  FusedSteps observer;
  TestSession whole(b, Bottleneck::Options(1, true)), fused(b, Bottleneck::Options(1, false, &observer));
  for (TestSession* s : {&whole, &fused}) {
    for (size_t i = 0; i < (*s)->input(0).elements(); ++i)
      (*s)->input(0).as<uint8_t>()[i] = static_cast<uint8_t>(i * 7);
    EXPECT_TRUE((*s)->Run().ok());
  }
  EXPECT_THAT(observer.names, ElementsAre("cast+subtract+scale+quantize"));
  EXPECT_EQ(std::memcmp(whole->output(0).data, fused->output(0).data, 31 * 7 * 3), 0);
}

// The first node may write over x, which nobody else reads.
TEST(FusedElementwise, WorksInPlace) {
  Tail model(64);
  ModelBuilder chain;
  const int x = chain.Input("x", kF32, model.Image());
  schema::UnaryOptionsT options;
  int last = x;
  for (const auto kind : {schema::UnaryKind::Tanh, schema::UnaryKind::Neg, schema::UnaryKind::Exp}) {
    options.kind = kind;
    const int next = chain.Tensor(schema::EnumNameUnaryKind(kind), kF32, model.Image());
    chain.Node(options, {last}, {next}, schema::EnumNameUnaryKind(kind));
    last = next;
  }
  chain.Output(last);
  TestSession whole(chain, Bottleneck::Options(1, true)), fused(chain, Bottleneck::Options());
  EXPECT_EQ(Bottleneck::RunOnWave(whole), Bottleneck::RunOnWave(fused));
  EXPECT_EQ(fused->arena_bytes(), model.image_bytes());
}

TEST(FusedElementwise, RunAllocatesNothing) { ExpectRunAllocatesNothing(Tail(64).b); }

}  // namespace
}  // namespace micrort::testing
