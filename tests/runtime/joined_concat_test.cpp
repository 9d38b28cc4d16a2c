// Concats whose inputs are written into their output by the convolutions that compute them.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/runtime/bottleneck_model.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

// y of 16 + 32 channels by two convolutions of 8. They are of 1x1, which take little scratch beside these.
struct TwoParts {
  static constexpr int32_t kSize = 20, kLeft = 16, kRight = 32;
  static constexpr size_t kBytes = size_t{kSize} * kSize * (kLeft + kRight) * sizeof(float);

  ModelBuilder b;
  int x, left, right, y;

  explicit TwoParts(int axis = 3, int32_t right_channels = kRight) {
    x = b.Input("x", kF32, Image(8));
    left = b.Tensor("left", kF32, Image(kLeft));
    right = b.Tensor("right", kF32, Image(right_channels));
    y = b.Tensor(
        "y", kF32,
        axis == 1 ? std::vector<int32_t>{1, 2 * kSize, kSize, kLeft} : Image(kLeft + right_channels));
    b.Node(schema::Conv2DOptionsT(), {x, Weights("w1", kLeft)}, {left}, "left");
    b.Node(schema::Conv2DOptionsT(), {x, Weights("w2", right_channels)}, {right}, "right");
    schema::ConcatOptionsT concat;
    concat.axis = axis;
    b.Node(concat, {left, right}, {y}, "concat");
    b.Output(y);
  }

  static std::vector<int32_t> Image(int32_t channels) { return {1, kSize, kSize, channels}; }
  int Weights(const char* name, int32_t columns) {
    return b.Constant<float>(name, {columns, 1, 1, 8}, Wave(static_cast<size_t>(columns) * 8, 1));
  }
};

// What an observer sees of a run: the outputs of the steps, and whether each is whole in memory.
class Outputs final : public OpObserver {
 public:
  void AfterOp(const OpInfo& op) override {
    names.push_back(std::string(op.outputs[0].name) + (op.outputs[0].data == nullptr ? "" : " whole"));
  }
  std::vector<std::string> names;
};

struct Outcome {
  std::vector<float> y;
  size_t arena_bytes;
};
Outcome RunModel(const TwoParts& model, int threads = 1, bool whole = false) {
  TestSession s(model.b, Bottleneck::Options(threads, whole));
  std::vector<float> y = Bottleneck::RunOnWave(s);
  return {y, s->arena_bytes()};
}

// Whole nodes have both parts and y at once.
bool IsJoined(const TwoParts& model) { return RunModel(model).arena_bytes < 2 * TwoParts::kBytes; }

TEST(JoinedConcat, GivesTheBitsOfACopyWithoutItsMemory) {
  for (const int threads : {1, 2}) {
    for (const int axis : {3, -1}) {
      const Outcome whole = RunModel(TwoParts(axis), threads, true),
                    joined = RunModel(TwoParts(axis), threads);
      EXPECT_EQ(whole.y, joined.y);
      EXPECT_GE(whole.arena_bytes, 2 * TwoParts::kBytes);
      EXPECT_LT(joined.arena_bytes, 2 * TwoParts::kBytes);
    }
  }
}

TEST(JoinedConcat, ObserversSeePartsWithoutData) {
  for (const bool whole : {false, true}) {
    Outputs seen;
    TestSession s(TwoParts().b, Bottleneck::Options(1, whole, &seen));
    Bottleneck::RunOnWave(s);
    using Names = std::vector<std::string>;
    EXPECT_EQ(seen.names, whole ? Names({"left whole", "right whole", "y whole"}) : Names({"left", "right"}));
  }
}

TEST(JoinedConcat, RunAllocatesNothing) { ExpectRunAllocatesNothing(TwoParts().b); }

TEST(JoinedConcat, DoesWithoutTheOffsetsInTheFile) {
  TwoParts planned;
  std::vector<int64_t> offsets(planned.b.graph().tensors.size(), -1);
  offsets[static_cast<size_t>(planned.x)] = 2 * TwoParts::kBytes;
  offsets[static_cast<size_t>(planned.left)] = 0;
  offsets[static_cast<size_t>(planned.right)] =
      TwoParts::kSize * TwoParts::kSize * TwoParts::kLeft * sizeof(float);
  offsets[static_cast<size_t>(planned.y)] = TwoParts::kBytes;
  planned.b.Plan(offsets, 3 * TwoParts::kBytes);
  const Outcome found = RunModel(planned), expected = RunModel(TwoParts());
  EXPECT_EQ(found.y, expected.y);
  EXPECT_EQ(found.arena_bytes, expected.arena_bytes);
}

TEST(JoinedConcat, NeedsPartsThatNobodyElseReads) {
  EXPECT_TRUE(IsJoined(TwoParts()));
  TwoParts read;
  read.b.Output(read.left);
  EXPECT_FALSE(IsJoined(read));
  TwoParts twice(3, TwoParts::kLeft);
  auto& inputs = twice.b.graph().operators[2]->inputs;
  inputs[1] = inputs[0];
  TestSession s(twice.b, Bottleneck::Options());
  const std::vector<float> y = Bottleneck::RunOnWave(s);
  for (size_t i = 0; i < y.size(); ++i) {
    const bool is_left = i % (2 * TwoParts::kLeft) < TwoParts::kLeft;
    ASSERT_EQ(y[i], is_left ? y[i + TwoParts::kLeft] : y[i - TwoParts::kLeft]);
  }
}

TEST(JoinedConcat, NeedsChannelsAsItsAxis) {
  const TwoParts model(1, TwoParts::kLeft);
  EXPECT_EQ(RunModel(model).y, RunModel(model, 1, true).y);
  EXPECT_EQ(RunModel(model).arena_bytes, RunModel(model, 1, true).arena_bytes);
}

TEST(JoinedConcat, NeedsConvolutionsWithoutResidual) {
  TwoParts model;
  const int more =
      model.b.Constant<float>("more", TwoParts::Image(TwoParts::kLeft),
                              Wave(size_t{TwoParts::kSize} * TwoParts::kSize * TwoParts::kLeft, 2));
  model.b.graph().operators[0]->inputs = {model.x, model.b.graph().operators[0]->inputs[1], -1, more};
  EXPECT_FALSE(IsJoined(model));
  EXPECT_EQ(RunModel(model).y, RunModel(model, 1, true).y);
}

TEST(JoinedConcat, LeavesFilesWithAScratchLimitAlone) {
  for (const size_t op : {0, 2}) {
    TwoParts model;
    model.b.graph().operators[op]->max_scratch = 1 << 20;
    EXPECT_FALSE(IsJoined(model)) << op;
  }
}

// Where `right` comes from a wide tensor, y would have to live beside that.
TEST(JoinedConcat, IsNotWorthMoreMemory) {
  ModelBuilder b;
  const auto image = [](int32_t channels) { return TwoParts::Image(channels); };
  const int x = b.Input("x", kF32, image(40)), left = b.Tensor("left", kF32, image(32)),
            wide = b.Tensor("wide", kF32, image(96)), right = b.Tensor("right", kF32, image(32)),
            y = b.Tensor("y", kF32, image(64));
  const auto weights = [&b](const char* name, int32_t columns, int32_t channels) {
    const auto count = static_cast<size_t>(columns) * static_cast<size_t>(channels);
    return b.Constant<float>(name, {columns, 1, 1, channels}, Wave(count, 1));
  };
  b.Node(schema::Conv2DOptionsT(), {x, weights("w1", 32, 40)}, {left}, "left");
  b.Node(schema::Conv2DOptionsT(), {x, weights("w2", 96, 40)}, {wide}, "wide");
  b.Node(schema::Conv2DOptionsT(), {wide, weights("w3", 32, 96)}, {right}, "right");
  schema::ConcatOptionsT concat;
  concat.axis = 3;
  b.Node(concat, {left, right}, {y}, "concat");
  b.Output(y);
  TestSession s(b, Bottleneck::Options());
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  const size_t channel = size_t{TwoParts::kSize} * TwoParts::kSize * sizeof(float);
  constexpr size_t kScratch = 16;  // in channels
  EXPECT_LT(s->arena_bytes(), (40 + 32 + 96 + kScratch) * channel);
}

}  // namespace
}  // namespace micrort::testing
