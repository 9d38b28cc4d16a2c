// Sizes that data decide, and open dimensions, with bounds that the user states: memory is planned for these,
// a run says what came out, and ends beyond them.

#include <gmock/gmock.h>

#include "kernels/base/target.h"
#include "tests/converter/converted.h"

namespace micrort::testing::max_size {
namespace {

using ::testing::HasSubstr;

constexpr int kIntegers = ::onnx::TensorProto::INT64;

ConvertOptions WithBounds(std::vector<ir::MaxSize> bounds) {
  ConvertOptions options;
  options.max_sizes = std::move(bounds);
  return options;
}

// `n` is a list of one number that a run computes from x, and "one" is {1}.
OnnxBuilder ComputedCount(const std::vector<std::string>& shape) {
  OnnxBuilder b;
  b.Input("x", shape).Integers("one", {1}, {1}).Integers("zero", {1}, {0});
  b.Node("ReduceMax", {"x"}, {"most"}).Int("keepdims", 0);
  b.Node("Cast", {"most"}, {"count"}).Int("to", kIntegers).Node("Reshape", {"count", "one"}, {"n"});
  return b;
}

io::NamedArray Ending(std::vector<int64_t> shape, float last) {
  io::NamedArray array = Counting(std::move(shape));
  std::memcpy(array.data.data() + array.data.size() - sizeof last, &last, sizeof last);
  return array;
}

struct Decided {
  const char* name;
  std::vector<std::string> shape;
  void (*add)(OnnxBuilder&);  // what makes "t" of "n"
  ir::MaxSize bound;
  float fits;
  const char* output;
  float exceeds;
  const char* error;
};

const Decided kDecided[] = {
    {"Range",
     {"2"},
     [](OnnxBuilder& b) {
       b.Integers("from", {}, {0}).Integers("by", {}, {1});
       b.Node("Range", {"from", "count", "by"}, {"r"}).Node("Cast", {"r"}, {"t"}).Int("to", 1);
     },
     {"r", 4},
     3,
     "3: -0 -1 -2",
     5,
     "output 'r': dimension 0 came to 5, the file states at most 4"},
    {"Tile",
     {"1", "2"},
     [](OnnxBuilder& b) {
       b.Node("Concat", {"n", "one"}, {"repeats"}).Int("axis", 0).Node("Tile", {"x", "repeats"}, {"t"});
     },
     {"t", 4},
     2,
     "2x2: -1 -2 -1 -2",
     5,
     "output 't': dimension 0 came to 5, the file states at most 4"},
    {"Expand",
     {"1", "2"},
     [](OnnxBuilder& b) {
       b.Node("Concat", {"n", "one"}, {"target"}).Int("axis", 0).Node("Expand", {"x", "target"}, {"t"});
     },
     {"t[0]", 4},
     2,
     "2x2: -1 -2 -1 -2",
     5,
     "output 't': dimension 0 came to 5, the file states at most 4"},
    // By the size of an output, which has one element more.
    {"ExpandByAnOutput",
     {"1", "2"},
     [](OnnxBuilder& b) {
       b.Node("Concat", {"n", "one"}, {"target"}).Int("axis", 0).Node("Expand", {"x", "target"}, {"wide"});
       b.Node("Concat", {"wide", "x"}, {"t"}).Int("axis", 0);
     },
     {"y", 5},
     2,
     "3x2: -1 -2 -1 -2 -1 -2",
     5,
     "output 'wide': dimension 0 came to 5, the file states at most 4"},
    {"ConstantOfShape",
     {"1"},
     [](OnnxBuilder& b) {
       b.Node("ConstantOfShape", {"n"}, {"z"}).Node("Add", {"z", "x"}, {"t"});
     },
     {"z", 4},
     2,
     "2: -2 -2",
     5,
     "output 'z': dimension 0 came to 5, the file states at most 4"},
    {"Reshape",
     {"4"},
     [](OnnxBuilder& b) {
       b.Integers("rest", {1}, {-1}).Node("Concat", {"n", "rest"}, {"target"}).Int("axis", 0);
       b.Node("Reshape", {"x", "target"}, {"t"});
     },
     {"t", 4},
     4,
     "4x1: -1 -2 -3 -4",
     5,
     "cannot infer the -1 of 5x? for 4 elements"},
    {"Pad",
     {"2"},
     [](OnnxBuilder& b) {
       b.Node("Concat", {"zero", "n"}, {"pads"}).Int("axis", 0).Node("Pad", {"x", "pads"}, {"t"});
     },
     {"t", 4},
     2,
     "4: -1 -2 -0 -0",
     3,
     "output 't': dimension 0 came to 5, the file states at most 4"},
    {"Resize",
     {"1", "1", "2"},
     [](OnnxBuilder& b) {
       b.Node("Concat", {"one", "one", "n"}, {"sizes"}).Int("axis", 0);
       b.Node("Resize", {"x", "", "", "sizes"}, {"t"});
     },
     {"t[2]", 4},
     3,
     "1x1x3: -1 -1 -3",
     5,
     "output 't': dimension 2 came to 5, the file states at most 4"},
};

class MaxSize : public ::testing::TestWithParam<Decided> {};

TEST_P(MaxSize, BoundsWhatDataDecide) {
  const Decided& d = GetParam();
  OnnxBuilder b = ComputedCount(d.shape);
  d.add(b);
  b.Node("Neg", {"t"}, {"y"});
  std::vector<int64_t> shape;
  for (const std::string& dim : d.shape) shape.push_back(std::stoll(dim));
  Converted converted(b, {"y"}, WithBounds({d.bound}));
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_FALSE(converted.model().decides_shapes(0));
  EXPECT_EQ(converted.Run({Ending(shape, d.fits)}), d.output);
  EXPECT_THAT(converted.Run({Ending(shape, d.exceeds)}), HasSubstr(d.error));
  EXPECT_EQ(converted.Run({Ending(shape, d.fits)}), d.output);
}

INSTANTIATE_TEST_SUITE_P(All, MaxSize, ::testing::ValuesIn(kDecided),
                         [](const auto& info) { return std::string(info.param.name); });

// Durations, and the rows that each of them repeats, as exporters of speech synthesis write it.
TEST(MaxSizeOfSpeech, FramesFollowFromDurations) {
  OnnxBuilder b;
  b.Input("x", {"T", "2"}).Input("durations", {"T"});
  b.Integers("first", {}, {0})
      .Integers("by", {}, {1})
      .Integers("inner", {1}, {1})
      .Integers("outer", {1}, {0});
  b.Node("CumSum", {"durations", "first"}, {"ends"});
  b.Node("ReduceSum", {"durations"}, {"sum"}).Int("keepdims", 0);
  b.Node("Cast", {"sum"}, {"frames"}).Int("to", kIntegers);
  b.Node("Range", {"first", "frames", "by"}, {"places"});
  b.Node("Cast", {"places"}, {"at"}).Int("to", ::onnx::TensorProto::FLOAT);
  b.Node("Unsqueeze", {"at", "inner"}, {"column"}).Node("Unsqueeze", {"ends", "outer"}, {"row"});
  b.Node("GreaterOrEqual", {"column", "row"}, {"behind"});
  b.Node("Cast", {"behind"}, {"steps"}).Int("to", kIntegers);
  b.Node("ReduceSum", {"steps", "inner"}, {"index"}).Int("keepdims", 0).Node("Gather", {"x", "index"}, {"y"});
  Converted converted(b, {"y"}, WithBounds({{"y", 6}, {"T", 3}}));
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  const auto durations = [](std::vector<float> d) {
    return Array<float>({static_cast<int64_t>(d.size())}, d);
  };
  EXPECT_EQ(converted.Run({Counting({2, 2}), durations({2, 1})}), "3x2: 1 2 1 2 3 4");
  EXPECT_EQ(converted.Run({Counting({3, 2}), durations({0, 1, 5})}), "6x2: 3 4 5 6 5 6 5 6 5 6 5 6");
  EXPECT_THAT(converted.Run({Counting({3, 2}), durations({3, 3, 1})}), HasSubstr("came to 7"));
  EXPECT_THAT(converted.Run({Counting({4, 2}), durations({1, 1, 1, 1})}), HasSubstr("T <= 3"));
}

TEST(MaxSizeOfLoop, BoundsTheEntriesThatItStacks) {
  OnnxBuilder body;
  body.Input("i", {}, kIntegers).Input("go", {}, ::onnx::TensorProto::BOOL).Input("sum", {"1"});
  body.Node("Add", {"sum", "step"}, {"next"}).Node("Identity", {"go"}, {"on"});
  body.Node("Neg", {"next"}, {"entry"}).Output("on").Output("next").Output("entry");
  OnnxBuilder b = ComputedCount({"1"});
  b.Floats("step", {1}, {1});
  b.Node("Loop", {"count", "", "x"}, {"last", "y"}).Graph("body", body);
  Converted converted(b, {"y"}, WithBounds({{"y", 3}}));
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_EQ(converted.Run({Ending({1}, 2)}), "2x1: -3 -4");
  EXPECT_THAT(converted.Run({Ending({1}, 4)}), HasSubstr("4 iterations, memory is planned for 3"));
}

// Rows as often as data say, then a layer: however its weights are stored.
OnnxBuilder RepeatedRowsAndALayer() {
  OnnxBuilder b = ComputedCount({"1", "2"});
  b.Node("Concat", {"n", "one"}, {"repeats"}).Int("axis", 0).Node("Tile", {"x", "repeats"}, {"t"});
  b.Weights("w", {2, 3}).Node("MatMul", {"t", "w"}, {"y"});
  return b;
}

class MaxSizeKinds : public ::testing::TestWithParam<std::tuple<QuantMode, const char*>> {};

TEST_P(MaxSizeKinds, KeepTheBound) {
  const auto [quant, target] = GetParam();
  ConvertOptions options = WithBounds({{"t", 4}});
  options.quant = quant;
  options.target.name = target;
  ASSERT_TRUE(*target == '\0' || ParseTarget(target, &options.target.features));
  OnnxBuilder b = RepeatedRowsAndALayer();
  Converted converted(b, {"y"}, options);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_THAT(converted.Run({Ending({1, 2}, 3)}), ::testing::StartsWith("3x3:"));
  EXPECT_THAT(converted.Run({Ending({1, 2}, 5)}), HasSubstr("came to 5"));
}

INSTANTIATE_TEST_SUITE_P(All, MaxSizeKinds,
                         ::testing::Combine(::testing::Values(QuantMode::kNone, QuantMode::kFp16,
                                                              QuantMode::kInt8, QuantMode::kInt8Weights,
                                                              QuantMode::kInt4Weights),
                                            ::testing::Values("", "scalar")));

TEST(MaxSizeOfBranches, BoundsWhatABranchMakes) {
  OnnxBuilder wide, narrow;
  wide.Node("Expand", {"x", "n"}, {"w"}).Output("w");
  narrow.Node("Neg", {"x"}, {"v"}).Output("v");
  OnnxBuilder b = ComputedCount({"1"});
  b.Input("c", {}, ::onnx::TensorProto::BOOL);
  b.Node("If", {"c"}, {"y"}).Graph("then_branch", wide).Graph("else_branch", narrow);
  Converted converted(b, {"y"}, WithBounds({{"w", 4}}));
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_EQ(converted.Run({Ending({1}, 3), Bool(true)}), "3: 3 3 3");
  EXPECT_EQ(converted.Run({Ending({1}, 5), Bool(false)}), "1: -5");
  EXPECT_THAT(converted.Run({Ending({1}, 5), Bool(true)}), HasSubstr("came to 5"));
}

// Without a bound, values of inputs are needed, and a note says what would do instead.
TEST(MaxSizeMessages, NameWhatCanBeBounded) {
  OnnxBuilder b = ComputedCount({"m"});
  b.Node("ConstantOfShape", {"n"}, {"y"});
  Converted unbounded(b);
  ASSERT_TRUE(unbounded.status().ok()) << unbounded.status().message();
  ASSERT_EQ(unbounded.result().notes.size(), 1u);
  EXPECT_THAT(unbounded.result().notes[0], HasSubstr("data decide the size of 'y'"));
  EXPECT_THAT(
      Converted(b, {}, WithBounds({{"z", 4}})).status().message(),
      HasSubstr("'z' is neither an open dimension of an input nor a size that data decide; these are: "
                "'y' (node 'y'), 'm'"));
}

TEST(MaxSizeMessages, SomeOperatorsCannotBeBounded) {
  OnnxBuilder b(17);
  b.Input("x", {"1", "8", "1"}).Node("ReduceMax", {"x"}, {"most"}).Int("keepdims", 0);
  b.Node("Cast", {"most"}, {"count"}).Int("to", kIntegers);
  b.Node("DFT", {"x", "count"}, {"y"}).Int("axis", 1);
  EXPECT_THAT(Converted(b, {"y"}, WithBounds({{"y", 4}})).status().message(), HasSubstr("cannot be bounded"));
}

TEST(MaxSizeOfInputs, IsARule) {
  for (const char* name : {"n", "x[0]", "z[1]"}) {
    OnnxBuilder b;
    b.Input("x", {"n", "2"}).Input("z", {"1", "n"}).Node("MatMul", {"z", "x"}, {"y"});
    Converted converted(b, {"y"}, WithBounds({{name, 2}}));
    ASSERT_TRUE(converted.status().ok()) << converted.status().message();
    EXPECT_EQ(converted.Run({Counting({2, 2}), Counting({1, 2})}), "1x2: 7 10");
    EXPECT_THAT(converted.Run({Counting({3, 2}), Counting({1, 3})}), HasSubstr("<= 2")) << name;
  }
}

}  // namespace
}  // namespace micrort::testing::max_size
