// Dimensions that nothing but operators relates, and branches that run with some sizes only.

#include <gmock/gmock.h>

#include "converter/ir/infer.h"
#include "tests/converter/converted.h"

namespace micrort {
namespace {

using testing::Array;
using testing::Branch;
using testing::Converted;
using testing::Counting;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;

constexpr int kRateType = ::onnx::TensorProto::INT64;

TEST(OnnxBranchSizes, UnrelatedDimensionsMayBeEqual) {
  OnnxBuilder b;
  b.Input("a", {"", ""}).Input("b", {"", ""}).Node("Add", {"a", "b"}, {"y"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({2, 1}), Counting({2, 1})}), "2x1: 2 4");
  EXPECT_EQ(converted.Run({Counting({1, 3}), Counting({1, 3})}), "1x3: 2 4 6");
  EXPECT_THAT(converted.Run({Counting({1, 3}), Counting({1, 2})}), HasSubstr("cannot broadcast 1x3 and 1x2"));
}

// The last dimension is not the first, though some operator has both.
TEST(OnnxBranchSizes, OnlyWhatMustBeEqualIs) {
  OnnxBuilder b;
  b.Input("a", {"", ""}).Input("b", {"", ""}).Node("MatMul", {"a", "b"}, {"y"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({1, 2}), Counting({2, 3})}), "1x3: 9 12 15");
  EXPECT_EQ(converted.Run({Counting({2, 1}), Counting({1, 1})}), "2x1: 1 2");
}

// As detectors of speech are exported: x of one window, a state with the batch in the middle, and a branch
// for each sampling rate, in which the window must become one frame.
OnnxBuilder Frame(int64_t window, const std::string& last_op) {
  OnnxBuilder b;
  b.Weights("w" + std::to_string(window), {1, 1, window}).Integers("channel", {1}, {1});
  b.Integers("last", {1}, {2}).Integers("zero", {}, {0});
  b.Node("Unsqueeze", {"x", "channel"}, {"signal"});
  b.Node("Conv", {"signal", "w" + std::to_string(window)}, {"frames"}).Ints("strides", {window});
  b.Node("Squeeze", {"frames", "last"}, {"frame"}).Node("Gather", {"state", "zero"}, {"row"});
  if (last_op != "If") return b.Node(last_op, {"frame", "row"}, {"result"}).Output("result");
  b.Node("If", {"adds"}, {"result"}).Graph("then_branch", Branch("Add", {"frame", "row"}));
  return b.Graph("else_branch", Branch("Sub", {"frame", "row"})).Output("result");
}

OnnxBuilder SpeechDetector(const std::string& batch, const std::string& length,
                           const std::string& last_op = "Add") {
  OnnxBuilder b;
  b.Input("x", {batch, length}).Input("state", {"2", batch, "1"}).Input("rate", {}, kRateType);
  b.Integers("rate16k", {}, {16000}).Node("Equal", {"rate", "rate16k"}, {"is16k"});
  b.Node("If", {"is16k"}, {"y"});
  return b.Graph("then_branch", Frame(512, last_op)).Graph("else_branch", Frame(256, last_op));
}

io::NamedArray Rate(int64_t rate) { return Array<int64_t>({}, {rate}); }
// A click, for which the filter gives its second weight.
io::NamedArray Click(int64_t length) {
  std::vector<float> samples(static_cast<size_t>(length));
  samples[1] = 8;
  return Array<float>({1, length}, samples);
}

TEST(OnnxBranchSizes, BranchesMayNeedDifferentSizes) {
  OnnxBuilder b = SpeechDetector("", "");
  const io::NamedArray state = Array<float>({2, 1, 1}, {10, 20});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Click(512), state, Rate(16000)}), "1x1: 11");
  EXPECT_EQ(converted.Run({Click(256), state, Rate(8000)}), "1x1: 11");
  EXPECT_THAT(converted.Run({Click(512), state, Rate(8000)}), HasSubstr("else branch: node "));
}

// Where a branch does not fit, nothing is known yet of the graphs inside it.
TEST(OnnxBranchSizes, BranchesInsideMayNeedDifferentSizes) {
  OnnxBuilder b = SpeechDetector("", "", "If");
  b.Input("adds", {}, ::onnx::TensorProto::BOOL);
  const io::NamedArray state = Array<float>({2, 1, 1}, {10, 20});
  const io::NamedArray adds = Array<uint8_t>({}, {1}), subtracts = Array<uint8_t>({}, {0});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Click(512), state, Rate(16000), adds}), "1x1: 11");
  EXPECT_EQ(converted.Run({Click(512), state, Rate(16000), subtracts}), "1x1: -9");
  EXPECT_EQ(converted.Run({Click(256), state, Rate(8000), subtracts}), "1x1: -9");
}

// Nine layers of stride 2 make one element of 224 or 481, and four of 2048.
TEST(OnnxBranchSizes, OneElementOfSmallInputsIsNotOneOfAll) {
  OnnxBuilder b;
  b.Input("x", {"batch", "length"}).Integers("channel", {1}, {1}).Weights("w", {1, 1, 1});
  b.Node("Unsqueeze", {"x", "channel"}, {"0"});
  constexpr int kLayers = 9;
  for (int i = 0; i < kLayers; ++i) {
    const std::string y = i + 1 == kLayers ? "y" : std::to_string(i + 1);
    b.Node("Conv", {std::to_string(i), "w"}, {y}).Ints("strides", {2});
  }
  Converted converted(b);
  EXPECT_THAT(converted.Run({Click(224)}), HasSubstr("1x1x1: "));
  EXPECT_THAT(converted.Run({Click(2048)}), HasSubstr("1x1x4: "));
}

// As exporters write squeeze(-1): its branches have different ranks, of which what follows takes one. Sizes
// in that one are those of the model.
TEST(OnnxBranchSizes, BranchOfTheRankThatIsUsedTellsSizes) {
  OnnxBuilder b;
  b.Input("x", {"batch", "length"}).Integers("channel", {1}, {1}).Weights("w", {1, 1, 512});
  b.Integers("last", {}, {2})
      .Integers("one", {}, {1})
      .Integers("axes", {2}, {1, 2})
      .Integers("zero", {1}, {0});
  b.Node("Unsqueeze", {"x", "channel"}, {"signal"});
  b.Node("Conv", {"signal", "w"}, {"frames"}).Ints("strides", {512});
  b.Node("Shape", {"frames"}, {"s"}).Node("Gather", {"s", "last"}, {"count"});
  b.Node("Equal", {"count", "one"}, {"is_one"}).Node("If", {"is_one"}, {"frame"});
  b.Graph("then_branch", Branch("Squeeze", {"frames", "axes"}));
  b.Graph("else_branch", Branch("Identity", {"frames"}));
  b.Node("Unsqueeze", {"frame", "zero"}, {"row"}).Floats("two", {2, 1}, {1, 2});
  b.Node("MatMul", {"row", "two"}, {"y"});
  Converted converted(b);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_EQ(converted.model().input(0).shape[0], 2);
  EXPECT_THAT(converted.Run({Counting({2, 512})}), HasSubstr("1x1: "));
  EXPECT_THAT(converted.Run({Counting({2, 1024})}), HasSubstr("the file says 2"));
  EXPECT_THAT(
      converted.result().notes,
      ::testing::Contains(HasSubstr("its branches give 'frame' 1 and 3 dimensions; the file is for 1")));
}

// Windows of 512 samples need longer sounds than images are wide.
TEST(OnnxBranchSizes, SoundsHaveAnyNumberOfWindows) {
  OnnxBuilder b;
  b.Input("x", {"batch", "length"}).Integers("channel", {1}, {1}).Weights("w", {1, 1, 512});
  b.Node("Unsqueeze", {"x", "channel"}, {"signal"})
      .Node("Conv", {"signal", "w"}, {"y"})
      .Ints("strides", {160});
  Converted converted(b);
  EXPECT_THAT(converted.Run({Click(512)}), HasSubstr("1x1x1: "));
  EXPECT_THAT(converted.Run({Click(1152)}), HasSubstr("1x1x5: "));
}

TEST(OnnxBranchSizes, BranchThatCannotRunAtGivenSizesIsAnErrorOnlyIfTaken) {
  OnnxBuilder b = SpeechDetector("1", "512");
  const io::NamedArray state = Array<float>({2, 1, 1}, {10, 20});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Click(512), state, Rate(16000)}), "1x1: 11");
  const std::string error = converted.Run({Click(512), state, Rate(8000)});
  EXPECT_THAT(error, HasSubstr("else branch: node 'else_branch: "));
  EXPECT_THAT(error, HasSubstr("(Squeeze, opset 13)"));
}

// What a branch requires of a size is no proof that the branch never runs.
TEST(OnnxBranchSizes, BranchesMayFixAnOpenDimension) {
  OnnxBuilder b;
  b.Input("x", {"2", ""}).Input("adds", {}, ::onnx::TensorProto::BOOL).Floats("w", {2, 1}, {1, 2});
  b.Node("If", {"adds"}, {"y"}).Graph("then_branch", Branch("MatMul", {"x", "w"}));
  b.Graph("else_branch", Branch("MatMul", {"x", "w"}));
  EXPECT_EQ(Converted(b).Run({Counting({2, 2}), Array<uint8_t>({}, {1})}), "2x1: 5 11");
}

TEST(OnnxBranchSizes, OneBranchHasToRun) {
  OnnxBuilder b = SpeechDetector("1", "100");
  EXPECT_THAT(Import(b.Output("y")).text(), HasSubstr("then_branch: node "));
}

// No two squares and four make seven.
OnnxBuilder SquaresBeside(const std::string& size) {
  OnnxBuilder b;
  b.Input("x", {"n", "m"}).Input("c", {}, ::onnx::TensorProto::BOOL).Input("k", {size});
  b.Integers("four", {1}, {4}).Integers("zero", {1}, {0}).Floats("one", {1}, {1});
  b.Node("Shape", {"x"}, {"s"}).Node("Mul", {"s", "s"}, {"squares"});
  b.Node("ReduceSum", {"squares", "zero"}, {"sum"}).Node("Add", {"sum", "four"}, {"count"});
  b.Node("Expand", {"one", "count"}, {"row"}).Node("If", {"c"}, {"y"});
  return b.Graph("then_branch", Branch("Add", {"row", "k"}))
      .Graph("else_branch", Branch("Sub", {"row", "k"}));
}

TEST(OnnxBranchSizes, AMessageNamesTheNodeInABranchAndNoSizeThatWasTried) {
  OnnxBuilder b = SquaresBeside("7");
  EXPECT_THAT(
      Converted(b).status().message(),
      HasSubstr("node 'y' (If, opset 13): then_branch: node 'Add_result' (Add, opset 13): no sizes of "
                "open dimensions were found that it runs with; shapes of its inputs are "
                "[m*m + n*n + 4], [7]"));
}

// Of a body that was complete before.
TEST(OnnxBranchSizes, AMessageNamesTheNodeInABodyAndNoSizeThatWasTried) {
  OnnxBuilder b = SquaresBeside("v");
  testing::Imported imported = Import(b.Output("y"));
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ir::Value& k = imported.graph().value(imported.graph().inputs[2]);
  k.shape = {7};
  k.dim_names.clear();
  EXPECT_THAT(ir::InferShapes(imported.graph()).message(),
              HasSubstr("node 'y' (If, opset 13): node 'Add_result' (Add, opset 13) in a body: no sizes of "
                        "open dimensions were found that it runs with; shapes of its inputs are "
                        "[m*m + n*n + 4], [7]"));
}

}  // namespace
}  // namespace micrort
