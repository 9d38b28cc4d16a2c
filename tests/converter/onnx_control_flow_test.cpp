// If and Loop of ONNX models: what becomes of them, and what they compute. Expected values are those of ONNX
// Runtime.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"

namespace micrort {
namespace {

using schema::OpCode;
using testing::Array;
using testing::Bool;
using testing::Branch;
using testing::Converted;
using testing::Counting;
using ::testing::HasSubstr;
using testing::Import;
using ::testing::Not;
using testing::OnnxBuilder;

constexpr int kInt64 = ::onnx::TensorProto::INT64;
constexpr int kBool = ::onnx::TensorProto::BOOL;

OnnxBuilder AddOrNegate(const std::vector<std::string>& dims) {
  OnnxBuilder b;
  b.Input("c", {}, kBool).Input("x", dims).Floats("k", {1}, {10});
  b.Node("Abs", {"x"}, {"a"}).Node("If", {"c"}, {"y"});
  return b.Graph("then_branch", Branch("Add", {"a", "k"})).Graph("else_branch", Branch("Neg", {"x"}));
}

TEST(OnnxIf, BranchesReadTheGraphAround) {
  OnnxBuilder b = AddOrNegate({"3"});
  Converted converted(b);
  const io::NamedArray x = Array<float>({3}, {-1, 2, -3});
  EXPECT_EQ(converted.Run({Bool(true), x}), "3: 11 12 13");
  EXPECT_EQ(converted.Run({Bool(false), x}), "3: 1 -2 3");
}

TEST(OnnxIf, DynamicSizesGoThroughBranches) {
  OnnxBuilder b = AddOrNegate({"N"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Bool(true), Array<float>({2}, {-1, 2})}), "2: 11 12");
  EXPECT_EQ(converted.Run({Bool(false), Array<float>({1}, {-1})}), "1: 1");
}

TEST(OnnxIf, ConstantConditionIsDecided) {
  for (const int condition : {0, 1}) {
    OnnxBuilder b;
    b.Input("x", {"2"}).Narrow("c", kBool, {}, {condition}).Node("If", {"c"}, {"y"});
    b.Graph("then_branch", Branch("Neg", {"x"})).Graph("else_branch", Branch("Abs", {"x"}));
    Converted converted(b);
    EXPECT_EQ(converted.Run({Array<float>({2}, {-1, 2})}), condition != 0 ? "2: 1 -2" : "2: 1 2");
    EXPECT_EQ(converted.Count(OpCode::If), 0);
  }
}

// y = x if its first dimension is 1, else -x.
OnnxBuilder AskForSize(const std::string& dim) {
  OnnxBuilder b;
  b.Input("x", {dim, "2"}).Integers("zero", {}, {0}).Integers("one", {}, {1});
  b.Node("Shape", {"x"}, {"shape"}).Node("Gather", {"shape", "zero"}, {"size"});
  b.Node("Equal", {"size", "one"}, {"c"}).Node("If", {"c"}, {"y"});
  return b.Graph("then_branch", Branch("Identity", {"x"})).Graph("else_branch", Branch("Neg", {"x"}));
}

TEST(OnnxIf, FixedSizeDecides) {
  OnnxBuilder b = AskForSize("1");
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({1, 2})}), "1x2: 1 2");
  EXPECT_EQ(converted.Count(OpCode::If), 0);
}

// None of the sizes that the converter tries is 1, which must not decide for all others.
TEST(OnnxIf, DynamicSizeDecidesWhenMemoryIsPlanned) {
  OnnxBuilder b = AskForSize("N");
  Converted converted(b);
  EXPECT_EQ(converted.Count(OpCode::If), 1);
  EXPECT_EQ(converted.Run({Counting({1, 2})}), "1x2: 1 2");
  EXPECT_EQ(converted.Run({Counting({2, 2})}), "2x2: -1 -2 -3 -4");
}

TEST(OnnxIf, BranchesOfDifferentSizes) {
  OnnxBuilder b;
  b.Input("c", {}, kBool).Input("x", {"4"}).Integers("two", {1}, {2}).Integers("zero", {1}, {0});
  b.Node("If", {"c"}, {"z"});
  b.Graph("then_branch", Branch("Slice", {"x", "zero", "two"})).Graph("else_branch", Branch("Neg", {"x"}));
  b.Node("Add", {"z", "z"}, {"y"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Bool(true), Counting({4})}), "2: 2 4");
  EXPECT_EQ(converted.Run({Bool(false), Counting({4})}), "4: -2 -4 -6 -8");
}

TEST(OnnxIf, RefusesBranchesOfDifferentRank) {
  OnnxBuilder b;
  b.Input("c", {}, kBool).Input("x", {"1", "3"}).Integers("zero", {1}, {0}).Node("If", {"c"}, {"y"});
  b.Graph("then_branch", Branch("Squeeze", {"x", "zero"})).Graph("else_branch", Branch("Neg", {"x"}));
  Converted converted(b);
  EXPECT_EQ(converted.status().code(), StatusCode::kUnsupported);
  ASSERT_EQ(converted.result().unsupported.size(), 1u);
  EXPECT_THAT(converted.result().unsupported[0].reason, HasSubstr("the branches give shapes 3 and 1x3"));
}

// Values of two graphs around, and an output that is a constant.
TEST(OnnxIf, InsideIf) {
  OnnxBuilder constant;
  constant.Floats("seven", {2}, {7, 7}).Output("seven");
  OnnxBuilder inner;
  inner.Node("Neg", {"x"}, {"n"}).Node("If", {"d"}, {"r"});
  inner.Graph("then_branch", Branch("Mul", {"n", "a"})).Graph("else_branch", constant);
  inner.Output("r");
  OnnxBuilder b;
  b.Input("c", {}, kBool).Input("d", {}, kBool).Input("x", {"2"});
  b.Node("Abs", {"x"}, {"a"}).Node("If", {"c"}, {"y"});
  b.Graph("then_branch", inner).Graph("else_branch", Branch("Identity", {"x"}));
  Converted converted(b);
  const io::NamedArray x = Array<float>({2}, {-1, 2});
  EXPECT_EQ(converted.Run({Bool(true), Bool(true), x}), "2: 1 -4");
  EXPECT_EQ(converted.Run({Bool(true), Bool(false), x}), "2: 7 7");
  EXPECT_EQ(converted.Run({Bool(false), Bool(true), x}), "2: -1 2");
}

// Layers inside bodies have constant weights, as passes and quantization need them.
OnnxBuilder LayerInBranch() {
  OnnxBuilder b;
  b.Input("c", {}, kBool).Input("x", {"2", "8"}).Weights("w", {8, 8});
  b.Node("Identity", {"w"}, {"weights"}).Node("If", {"c"}, {"y"});
  return b.Graph("then_branch", Branch("MatMul", {"x", "weights"}))
      .Graph("else_branch", Branch("Neg", {"x"}));
}

TEST(OnnxIf, ConstantsMoveIntoBranches) {
  OnnxBuilder b = LayerInBranch();
  Converted converted(b);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  const auto& graphs = *schema::GetModel(converted.result().file.data())->subgraphs();
  ASSERT_EQ(graphs.size(), 3u);
  EXPECT_EQ(graphs.Get(0)->operators()->Get(0)->inputs()->size(), 2u);  // condition and x
  EXPECT_EQ(graphs.Get(1)->inputs()->size(), 1u);
}

TEST(OnnxIf, WeightsInsideAreStoredAsHalves) {
  OnnxBuilder b = LayerInBranch();
  ConvertOptions options;
  options.quant = QuantMode::kFp16;
  Converted converted(b, {"y"}, options);
  ASSERT_TRUE(converted.status().ok()) << converted.status().message();
  EXPECT_EQ(converted.result().summary.quantization.quantized, 1);
  const auto& branch = *schema::GetModel(converted.result().file.data())->subgraphs()->Get(1);
  bool has_half = false;
  for (const schema::Tensor* t : *branch.tensors()) has_half |= t->dtype() == schema::DType::Float16;
  EXPECT_TRUE(has_half);
}

TEST(OnnxIf, UnsupportedOperatorsInsideAreListed) {
  OnnxBuilder b;
  b.Input("c", {}, kBool).Input("x", {"2"}).Node("If", {"c"}, {"y"});
  b.Graph("then_branch", Branch("Blur", {"x"})).Graph("else_branch", Branch("Neg", {"x"}));
  b.Output("y");
  auto imported = Import(b);
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(imported.diagnostics.unsupported.size(), 1u);
  EXPECT_EQ(imported.diagnostics.unsupported[0].op, "Blur");
}

TEST(OnnxIf, RefusesWhatContradictsItself) {
  const auto status = [](const std::function<void(OnnxBuilder&)>& change) {
    OnnxBuilder b;
    b.Input("c", {}, kBool).Input("x", {"2"}).Node("If", {"c"}, {"y"});
    change(b);
    return Import(b.Output("y")).status;
  };
  const OnnxBuilder negate = Branch("Neg", {"x"});
  OnnxBuilder two = Branch("Neg", {"x"});
  two.Output("x");
  EXPECT_THAT(status([&](OnnxBuilder& b) { b.Graph("then_branch", negate); }).message(),
              HasSubstr("attribute 'else_branch' is missing"));
  EXPECT_THAT(
      status([&](OnnxBuilder& b) { b.Graph("then_branch", negate).Graph("else_branch", two); }).message(),
      HasSubstr("the branches have 1 and 2 outputs"));
  EXPECT_THAT(status([&](OnnxBuilder& b) {
                b.Graph("then_branch", negate).Graph("else_branch", Branch("Neg", {"nobody"}));
              }).message(),
              HasSubstr("its input 'nobody' is no input"));
  EXPECT_THAT(status([&](OnnxBuilder& b) {
                b.graph().mutable_node(0)->set_input(0, "x");
                b.Graph("then_branch", negate).Graph("else_branch", negate);
              }).message(),
              HasSubstr("condition 'x': expected one bool"));
  EXPECT_THAT(status([&](OnnxBuilder& b) {
                b.Graph("then_branch", negate).Graph("else_branch", Branch("Not", {"c"}));
              }).message(),
              HasSubstr("the branches give float32 and bool"));
}

// A body with the inputs i, go and `carried`, float vectors of two elements, whose condition is go.
OnnxBuilder Body(const std::vector<std::string>& carried, const std::vector<std::string>& dims = {"2"}) {
  OnnxBuilder b;
  b.Input("i", {}, kInt64).Input("go", {}, kBool);
  for (const std::string& name : carried) b.Input(name, dims);
  return b;
}

OnnxBuilder SumLoop(const std::vector<std::string>& dims) {
  OnnxBuilder body = Body({"before"}, dims);
  body.Node("Add", {"before", "x"}, {"after"}).Node("Identity", {"before"}, {"row"});
  body.Output("go").Output("after").Output("row");
  OnnxBuilder b;
  b.Input("m", {}, kInt64).Input("c", {}, kBool).Input("x", dims);
  b.Node("Loop", {"m", "c", "x"}, {"y", "rows"}).Graph("body", body);
  return b;
}

TEST(OnnxLoop, CarriesStacksAndReadsTheGraphAround) {
  OnnxBuilder b = SumLoop({"2"});
  Converted converted(b, {"y", "rows"});
  const io::NamedArray x = Array<float>({2}, {1, 3});
  EXPECT_EQ(converted.Run({Array<int64_t>({}, {3}), Bool(true), x}), "2: 4 12; 3x2: 1 3 2 6 3 9");
  EXPECT_EQ(converted.Run({Array<int64_t>({}, {3}), Bool(false), x}), "2: 1 3; 0x2:");
  EXPECT_EQ(converted.Run({Array<int64_t>({}, {0}), Bool(true), x}), "2: 1 3; 0x2:");
  EXPECT_TRUE(converted.model().decides_shapes(0));
  EXPECT_FALSE(converted.model().decides_shapes(1));
}

TEST(OnnxLoop, DynamicBatchGoesThroughTheBody) {
  OnnxBuilder b = SumLoop({"N", "1"});
  Converted converted(b, {"y", "rows"});
  const io::NamedArray two = Array<int64_t>({}, {2});
  EXPECT_EQ(converted.Run({two, Bool(true), Counting({3, 1})}), "3x1: 3 6 9; 2x3x1: 1 2 3 2 4 6");
  EXPECT_EQ(converted.Run({two, Bool(true), Counting({1, 1})}), "1x1: 3; 2x1x1: 1 2");
}

TEST(OnnxLoop, EndsByItsCondition) {
  OnnxBuilder body = Body({"before"});
  body.Floats("ten", {}, {10}).Node("Add", {"before", "x"}, {"after"});
  body.Node("ReduceMax", {"after"}, {"largest"})
      .Int("keepdims", 0)
      .Node("Less", {"largest", "ten"}, {"go_on"});
  body.Output("go_on").Output("after").Output("after");
  OnnxBuilder b;
  b.Input("x", {"2"})
      .Integers("m", {}, {100})
      .Node("Loop", {"m", "", "x"}, {"y", "rows"})
      .Graph("body", body);
  Converted converted(b, {"y", "rows"});
  EXPECT_EQ(converted.Run({Array<float>({2}, {1, 4})}), "2: 3 12; 2x2: 2 8 3 12");
}

TEST(OnnxLoop, WithoutTripCount) {
  OnnxBuilder body = Body({"before"}, {});
  body.Floats("ten", {}, {10})
      .Node("Add", {"before", "before"}, {"after"})
      .Node("Less", {"after", "ten"}, {"go_on"});
  body.Output("go_on").Output("after");
  OnnxBuilder b;
  b.Input("c", {}, kBool).Input("x", {}).Node("Loop", {"", "c", "x"}, {"y"}).Graph("body", body);
  Converted converted(b);
  EXPECT_EQ(converted.Run({Bool(true), Array<float>({}, {3})}), "scalar: 12");
  EXPECT_EQ(converted.Run({Bool(false), Array<float>({}, {3})}), "scalar: 3");
}

// The sum of x[0] .. x[i] for each i, from a row that a slice of one element takes: the converter knows no
// more of its size than that x bounds it.
TEST(OnnxLoop, CarriedValueOfBoundedSize) {
  OnnxBuilder body = Body({"before"}, {"1"});
  body.Integers("one", {}, {1}).Integers("zero", {1}, {0}).Node("Add", {"i", "one"}, {"next"});
  body.Node("Unsqueeze", {"i", "zero"}, {"from"}).Node("Unsqueeze", {"next", "zero"}, {"to"});
  body.Node("Slice", {"x", "from", "to"}, {"part"}).Node("Add", {"before", "part"}, {"after"});
  body.Output("go").Output("after").Output("after");
  OnnxBuilder b;
  b.Input("x", {"5"}).Integers("m", {}, {5}).Narrow("c", kBool, {}, {1}).Floats("start", {1}, {0});
  b.Node("Loop", {"m", "c", "start"}, {"y", "rows"}).Graph("body", body);
  Converted converted(b, {"y", "rows"});
  EXPECT_EQ(converted.Run({Counting({5})}), "1: 15; 5x1: 1 3 6 10 15");
}

// y grows by one element an iteration.
OnnxBuilder Growing() {
  OnnxBuilder body = Body({"before"}, {""});
  body.Node("Concat", {"before", "x"}, {"after"}).Int("axis", 0).Output("go").Output("after");
  OnnxBuilder b;
  b.Input("x", {"1"});
  return b.Node("Loop", {"m", "", "x"}, {"y"}).Graph("body", body);
}

TEST(OnnxLoop, CarriedValueGrowsWithinTheTripCount) {
  OnnxBuilder b = Growing();
  b.Integers("m", {}, {3});
  EXPECT_EQ(Converted(b).Run({Array<float>({1}, {2})}), "4: 2 2 2 2");
}

TEST(OnnxLoop, RefusesGrowthWithoutBound) {
  OnnxBuilder b = Growing();
  b.Input("m", {}, kInt64);
  Converted converted(b);
  EXPECT_EQ(converted.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(converted.status().message(), HasSubstr("carried value 0 ('before') grows from"));
}

TEST(OnnxLoop, WithIfAndLoopInside) {
  OnnxBuilder inner = Body({"p"}), odd = Branch("Add", {"q", "x"}), even = Branch("Mul", {"q", "k"});
  inner.graph().mutable_input(0)->set_name("k_count");
  inner.graph().mutable_input(1)->set_name("inner_go");
  inner.Node("Add", {"p", "x"}, {"p_next"}).Output("inner_go").Output("p_next");
  OnnxBuilder body = Body({"before"});
  body.Integers("two", {}, {2})
      .Node("Mod", {"i", "two"}, {"rest"})
      .Node("Cast", {"rest"}, {"is_odd"})
      .Int("to", 9);
  body.Node("Loop", {"two", "", "before"}, {"q"}).Graph("body", inner);
  body.Node("If", {"is_odd"}, {"after"}).Graph("then_branch", odd).Graph("else_branch", even);
  body.Output("go").Output("after");
  OnnxBuilder b;
  b.Input("x", {"2"}).Integers("m", {}, {3}).Floats("k", {1}, {10});
  b.Node("Loop", {"m", "", "x"}, {"y"}).Graph("body", body);
  Converted converted(b);
  // ((x + 2x) * 10), + 2x + x, (+ 2x) * 10
  EXPECT_EQ(converted.Run({Array<float>({2}, {1, -1})}), "2: 350 -350");
}

// x, of a size that is not fixed, is read two graphs further in.
TEST(OnnxLoop, DynamicSizesReachGraphsInsideGraphs) {
  OnnxBuilder inner = Body({"p"}, {"N"});
  inner.graph().mutable_input(0)->set_name("k");
  inner.graph().mutable_input(1)->set_name("inner_go");
  inner.Node("Add", {"p", "x"}, {"p_next"}).Output("inner_go").Output("p_next");
  OnnxBuilder body = Body({"before"}, {"N"});
  body.Node("Loop", {"two", "", "before"}, {"after"}).Graph("body", inner).Output("go").Output("after");
  OnnxBuilder b;
  b.Input("x", {"N"}).Integers("m", {}, {3}).Integers("two", {}, {2});
  b.Node("Loop", {"m", "", "x"}, {"y"}).Graph("body", body);
  Converted converted(b);
  EXPECT_EQ(converted.Run({Array<float>({2}, {1, -1})}), "2: 7 -7");
  EXPECT_EQ(converted.Run({Array<float>({1}, {3})}), "1: 21");
}

TEST(OnnxLoop, RefusesShapesThatIterationsDecide) {
  OnnxBuilder body = Body({"before"});
  body.Integers("zero", {1}, {0})
      .Node("Unsqueeze", {"i", "zero"}, {"size"})
      .Node("Expand", {"x", "size"}, {"wide"});
  body.Node("ReduceSum", {"wide"}, {"s"}).Int("keepdims", 0).Node("Add", {"before", "s"}, {"after"});
  body.Output("go").Output("after");
  OnnxBuilder b;
  b.Input("x", {"1"}).Integers("m", {}, {3}).Floats("start", {2}, {0, 0});
  b.Node("Loop", {"m", "", "start"}, {"y"}).Graph("body", body);
  Converted converted(b);
  EXPECT_EQ(converted.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(converted.status().message(),
              HasSubstr("a shape depends on the value of 'i', which each iteration changes; --max-size"));
}

TEST(OnnxLoop, NestedTooDeep) {
  OnnxBuilder body = Branch("Neg", {"x"});
  for (int depth = 0; depth < 20; ++depth) {
    OnnxBuilder outer;
    const std::string name = "y" + std::to_string(depth);
    outer.Node("If", {"c"}, {name}).Graph("then_branch", body).Graph("else_branch", Branch("Abs", {"x"}));
    body = outer.Output(name);
  }
  body.Input("c", {}, kBool).Input("x", {"2"});
  EXPECT_EQ(Import(body).status.code(), StatusCode::kUnsupported);
}

// sum of u[t] * v[:, T-1-t], with the partial sums along the last axis, the latest first.
TEST(OnnxScan, SeveralInputsAxesAndDirections) {
  OnnxBuilder body;
  body.Input("s", {"2"}).Input("a", {"2"}).Input("b", {"2"});
  body.Node("Mul", {"a", "b"}, {"ab"})
      .Node("Add", {"s", "ab"}, {"s_next"})
      .Node("Identity", {"s_next"}, {"row"});
  body.Output("s_next").Output("row");
  OnnxBuilder b(11);
  b.Input("start", {"2"}).Input("u", {"3", "2"}).Input("v", {"2", "3"});
  b.Node("Scan", {"start", "u", "v"}, {"y", "rows"}).Graph("body", body).Int("num_scan_inputs", 2);
  b.Ints("scan_input_axes", {0, -1}).Ints("scan_input_directions", {0, 1});
  b.Ints("scan_output_axes", {1}).Ints("scan_output_directions", {1});
  Converted converted(b, {"y", "rows"});
  EXPECT_EQ(converted.Run({Array<float>({2}, {0, 100}), Counting({3, 2}), Counting({2, 3})}),
            "2: 14 156; 2x3: 14 9 3 156 132 112");
}

TEST(OnnxScan, OfDynamicLength) {
  OnnxBuilder body;
  body.Input("s", {}).Input("a", {}).Node("Add", {"s", "a"}, {"next"}).Node("Neg", {"next"}, {"row"});
  body.Output("next").Output("row");
  OnnxBuilder b(9);
  b.Input("start", {}).Input("u", {"T"}).Node("Scan", {"start", "u"}, {"y", "rows"});
  b.Graph("body", body).Int("num_scan_inputs", 1);
  Converted converted(b, {"y", "rows"});
  const io::NamedArray zero = Array<float>({}, {0});
  EXPECT_EQ(converted.Run({zero, Counting({3})}), "scalar: 6; 3: -1 -3 -6");
  EXPECT_EQ(converted.Run({zero, Counting({1})}), "scalar: 1; 1: -1");
}

TEST(OnnxScan, OfABatchInOpset8) {
  OnnxBuilder body;
  body.Input("s", {"1"}).Input("a", {"1"}).Node("Add", {"s", "a"}, {"next"}).Node("Neg", {"next"}, {"row"});
  body.Output("next").Output("row");
  OnnxBuilder b(8);
  b.Input("start", {"2", "1"}).Input("u", {"2", "3", "1"}).Node("Scan", {"", "start", "u"}, {"y", "rows"});
  b.Graph("body", body).Int("num_scan_inputs", 1);
  Converted converted(b, {"y", "rows"});
  EXPECT_EQ(converted.Run({Array<float>({2, 1}, {0, 10}), Counting({2, 3, 1})}),
            "2x1: 6 25; 2x3x1: -1 -3 -6 -14 -19 -25");
}

}  // namespace
}  // namespace micrort
