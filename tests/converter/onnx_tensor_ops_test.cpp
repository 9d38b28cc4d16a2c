// Importers of operators on tensors of any meaning: shapes, slices, products, element-wise operators.

#include <gmock/gmock.h>

#include "tests/converter/onnx_builder.h"
#include "tests/converter/run_onnx.h"

namespace micrort {
namespace {

using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;
using testing::TextOf;

TEST(OnnxReshape, ConstantShapesMoveIntoTheOptions) {
  OnnxBuilder builder;
  builder.Input("x", {"N", "4", "6"}).Integers("s", {3}, {0, -1, 3}).Node("Reshape", {"x", "s"}, {"y"});
  EXPECT_EQ(TextOf(builder),
            "input x float32[N,4,6]\n"
            "y = Reshape(x) { shape: [ -2, -1, 3 ] }\n"
            "output y float32[N,8,3]\n");
}

TEST(OnnxReshape, ShapesOfFixedInputsAreConstant) {
  const auto import = [](const char* batch) {
    OnnxBuilder builder;
    builder.Input("x", {batch, "4", "6"}).Integers("zero", {1}, {0}).Integers("rest", {1}, {-1});
    builder.Node("Shape", {"x"}, {"shape"}).Node("Gather", {"shape", "zero"}, {"n"});
    builder.Node("Concat", {"n", "rest"}, {"s"}).Int("axis", 0).Node("Reshape", {"x", "s"}, {"y"});
    return TextOf(builder);
  };
  EXPECT_EQ(import("2"),
            "input x float32[2,4,6]\n"
            "y = Reshape(x) { shape: [ 2, -1 ] }\n"
            "output y float32[2,24]\n");
  EXPECT_THAT(import("N"), HasSubstr("y = Reshape(x, s)\noutput y float32[N,24]"));
}

TEST(OnnxFlatten, WorksAtAnyAxis) {
  const auto import = [](std::vector<std::string> dims, int64_t axis) {
    OnnxBuilder builder;
    return TextOf(builder.Input("x", dims).Node("Flatten", {"x"}, {"y"}).Int("axis", axis));
  };
  EXPECT_THAT(import({"2", "3", "4"}, 0), HasSubstr("y float32[1,24]"));
  EXPECT_THAT(import({"2", "3", "4"}, 2), HasSubstr("y float32[6,4]"));
  EXPECT_THAT(import({"2", "3", "4"}, 3), HasSubstr("y float32[24,1]"));
  EXPECT_THAT(import({"2", "3", "4"}, -1), HasSubstr("y float32[6,4]"));
  EXPECT_THAT(import({"N", "3", "4"}, 1), HasSubstr("y float32[N,12]"));
  EXPECT_THAT(import({"N", "M", "P", "Q"}, 1), HasSubstr("y float32[N,M*P*Q]"));
  EXPECT_THAT(import({"2", "3"}, 4), HasSubstr("axis 4 of 2 dimensions"));
}

TEST(OnnxSqueeze, AxesAreAttributesOrInputs) {
  OnnxBuilder attribute(11);
  attribute.Input("x", {"N", "1", "4"}).Node("Squeeze", {"x"}, {"y"}).Ints("axes", {-2});
  EXPECT_THAT(TextOf(attribute), HasSubstr("y float32[N,4]"));
  OnnxBuilder input(13);
  input.Input("x", {"N", "1", "4"}).Integers("a", {1}, {1}).Node("Squeeze", {"x", "a"}, {"y"});
  EXPECT_THAT(TextOf(input), HasSubstr("y float32[N,4]"));
  OnnxBuilder wrong(11);
  wrong.Input("x", {"2", "3"}).Node("Squeeze", {"x"}, {"y"}).Ints("axes", {1});
  EXPECT_THAT(TextOf(wrong), HasSubstr("expected 1"));
}

TEST(OnnxUnsqueeze, CountsAxesInTheResult) {
  OnnxBuilder builder(11);
  builder.Input("x", {"N", "4"}).Node("Unsqueeze", {"x"}, {"y"}).Ints("axes", {-1, 0});
  EXPECT_THAT(TextOf(builder), HasSubstr("y float32[1,N,4,1]"));
}

TEST(OnnxSplit, BecomesSlices) {
  OnnxBuilder builder(11);
  builder.Input("x", {"1", "6"}).Node("Split", {"x"}, {"y", "z"}).Int("axis", -1).Ints("split", {2, 4});
  EXPECT_EQ(TextOf(builder.Output("z")),
            "input x float32[1,6]\n"
            "y = Slice(x) { starts: [ 0 ], ends: [ 2 ], axes: [ 1 ], steps: [ 1 ] }\n"
            "z = Slice(x) { starts: [ 2 ], ends: [ 6 ], axes: [ 1 ], steps: [ 1 ] }\n"
            "output z float32[1,4]\n"
            "output y float32[1,2]\n");
}

TEST(OnnxSlice, ReadsAttributesInputsAndComputedBounds) {
  OnnxBuilder attributes(9);
  attributes.Input("x", {"8", "8"}).Node("Slice", {"x"}, {"y"}).Ints("starts", {1}).Ints("ends", {-1});
  EXPECT_THAT(TextOf(attributes), HasSubstr("y float32[6,8]"));
  OnnxBuilder inputs(13);
  inputs.Input("x", {"8", "8"}).Integers("s", {1}, {7}).Integers("e", {1}, {-100}).Integers("a", {1}, {1});
  inputs.Integers("t", {1}, {-2}).Node("Slice", {"x", "s", "e", "a", "t"}, {"y"});
  EXPECT_THAT(TextOf(inputs), HasSubstr("steps: [ -2 ] }\noutput y float32[8,4]"));
  OnnxBuilder computed(13);
  computed.Input("x", {"N", "8"}).Integers("s", {1}, {1}).Integers("a", {1}, {0});
  computed.Node("Shape", {"x"}, {"n"})
      .Int("start", 0)
      .Int("end", 1)
      .Node("Slice", {"x", "s", "n", "a"}, {"y"});
  computed.model.mutable_opset_import(0)->set_version(15);
  EXPECT_THAT(TextOf(computed), HasSubstr("y = Slice(x, s, n, a)\noutput y float32[max(N - 1, 0),8]"));
}

TEST(OnnxMatMul, VectorsGetAndLoseADimension) {
  const auto import = [](std::vector<std::string> a, std::vector<std::string> b) {
    OnnxBuilder builder;
    return TextOf(builder.Input("a", a).Input("b", b).Node("MatMul", {"a", "b"}, {"y"}));
  };
  EXPECT_THAT(import({"2", "3"}, {"3", "4"}), HasSubstr("output y float32[2,4]"));
  EXPECT_THAT(import({"3"}, {"3", "4"}), HasSubstr("output y float32[4]"));
  EXPECT_THAT(import({"5", "2", "3"}, {"3"}), HasSubstr("output y float32[5,2]"));
  EXPECT_THAT(import({"3"}, {"3"}), HasSubstr("output y float32[]"));
  EXPECT_THAT(import({"2", "3"}, {"4", "5"}), HasSubstr("cannot multiply"));
}

TEST(OnnxGemm, TakesARowAsBiasAndScalesConstants) {
  OnnxBuilder builder;
  builder.Input("x", {"N", "3"}).Weights("w", {4, 3}).Weights("b", {1, 4});
  builder.Node("Gemm", {"x", "w", "b"}, {"y"}).Int("transB", 1).Float("alpha", 2).Float("beta", 3);
  EXPECT_EQ(TextOf(builder),
            "input x float32[N,3]\n"
            "y = MatMul(x, y/Binary, y/Reshape) { transpose_b: true }\n"
            "output y float32[N,4]\n");
}

TEST(OnnxGemm, AddsWhatIsNoRow) {
  OnnxBuilder builder;
  builder.Input("x", {"3", "2"}).Input("w", {"3", "4"}).Weights("c", {2, 1});
  builder.Node("Gemm", {"x", "w", "c"}, {"y"}).Int("transA", 1).Float("alpha", 0.5f);
  EXPECT_EQ(TextOf(builder),
            "input x float32[3,2]\n"
            "input w float32[3,4]\n"
            "y/Transpose = Transpose(x) { permutation: [ 1, 0 ] }\n"
            "y/MatMul = MatMul(y/Transpose, w)\n"
            "y/Binary = Binary(y/MatMul, y/constant) { kind: Mul }\n"
            "y = Binary(y/Binary, c)\n"
            "output y float32[2,4]\n");
}

TEST(OnnxSoftmax, FlattensBeforeOpset13) {
  const auto import = [](int opset, std::vector<std::string> dims, int64_t axis) {
    OnnxBuilder builder(opset);
    return TextOf(builder.Input("x", dims).Node("Softmax", {"x"}, {"y"}).Int("axis", axis));
  };
  EXPECT_EQ(import(13, {"2", "3", "4"}, 1),
            "input x float32[2,3,4]\n"
            "y = Softmax(x) { axis: 1 }\n"
            "output y float32[2,3,4]\n");
  EXPECT_THAT(import(11, {"2", "3", "4"}, 2), HasSubstr("y = Softmax(x) { axis: 2 }"));
  EXPECT_EQ(import(11, {"N", "3", "4"}, 1),
            "input x float32[N,3,4]\n"
            "y/Reshape = Reshape(x) { shape: [ -2, 12 ] }\n"
            "y/Softmax = Softmax(y/Reshape) { axis: 1 }\n"
            "y = Reshape(y/Softmax) { shape: [ -1, 3, 4 ] }\n"
            "output y float32[N,3,4]\n");
}

TEST(OnnxHardmax, AlongDimensionsOfOpenAndOfLargeSizes) {
  const auto import = [](std::vector<std::string> dims) {
    OnnxBuilder builder;
    return TextOf(builder.Input("x", dims).Node("Hardmax", {"x"}, {"y"}));
  };
  EXPECT_THAT(import({"2", "N"}), HasSubstr("output y float32[2,N]"));
  EXPECT_THAT(import({"1", "1073741824"}), HasSubstr("output y float32[1,1073741824]"));
  // Rows and columns of six elements that are not zero, as many as data decide.
  OnnxBuilder builder;
  builder.Input("x", {"2", "3"}).Node("NonZero", {"x"}, {"places"});
  builder.Node("Cast", {"places"}, {"floats"}).Int("to", ::onnx::TensorProto::FLOAT);
  builder.Node("Hardmax", {"floats"}, {"y"}).Output("y");
  EXPECT_THAT(testing::RunOnnx(builder, {{"x", {1, 5, 3, 4, 9, 2}}})["y"],
              ::testing::ElementsAre(0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0));
}

TEST(OnnxHardmax, OfNothingIsNothing) {
  OnnxBuilder builder;
  builder.Input("x", {"0", "3"}).Node("Hardmax", {"x"}, {"y"}).Int("axis", 0).Output("y");
  EXPECT_THAT(testing::RunOnnx(builder, {{"x", {}}})["y"], ::testing::IsEmpty());
}

TEST(OnnxClip, BoundsAreAttributesOrInputs) {
  OnnxBuilder attributes(6);
  attributes.Input("x", {"4"}).Node("Clip", {"x"}, {"y"}).Float("min", 0).Float("max", 6);
  EXPECT_THAT(TextOf(attributes), HasSubstr("y = Unary(x) { kind: Clip, b: 6.0 }"));
  OnnxBuilder constants(11);
  constants.Input("x", {"4"}).Floats("high", {}, {6}).Node("Clip", {"x", "", "high"}, {"y"});
  EXPECT_THAT(TextOf(constants), HasSubstr("y = Unary(x) { kind: Clip, a: -inf, b: 6.0 }"));
  OnnxBuilder computed(11);
  computed.Input("x", {"4"}).Input("low", {}).Node("Clip", {"x", "low"}, {"y"});
  EXPECT_THAT(TextOf(computed), HasSubstr("y = Binary(x, low) { kind: Max }"));
}

TEST(OnnxBinary, Opset6AlignsAtAnAxis) {
  OnnxBuilder builder(6);
  builder.Input("x", {"1", "3", "4", "5"}).Weights("w", {3});
  builder.Node("Add", {"x", "w"}, {"y"}).Int("broadcast", 1).Int("axis", 1);
  EXPECT_EQ(TextOf(builder),
            "input x float32[1,3,4,5]\n"
            "y = Binary(x, y/Reshape)\n"
            "output y float32[1,3,4,5]\n");
}

TEST(OnnxSum, ChainsAndPassesOneInputThrough) {
  OnnxBuilder builder;
  builder.Input("a", {"2"}).Input("b", {"2"}).Input("c", {"2"}).Node("Sum", {"a", "b", "c"}, {"y"});
  EXPECT_THAT(TextOf(builder), HasSubstr("y/Binary = Binary(a, b)\ny = Binary(y/Binary, c)\n"));
}

TEST(OnnxReduce, ReducesAllAxesByDefault) {
  OnnxBuilder all(13);
  all.Input("x", {"2", "3"}).Node("ReduceMax", {"x"}, {"y"}).Int("keepdims", 0);
  EXPECT_THAT(TextOf(all), HasSubstr("axes: [ 0, 1 ], keep_dims: false }\noutput y float32[]"));
  OnnxBuilder noop(13);
  noop.Input("x", {"2", "3"}).Node("ReduceSum", {"x"}, {"y"}).Int("noop_with_empty_axes", 1);
  EXPECT_THAT(TextOf(noop), HasSubstr("output y float32[2,3]"));
}

TEST(OnnxLpNormalization, ZerosStayZeros) {
  for (const int p : {1, 2}) {
    OnnxBuilder builder(13);
    builder.Input("x", {"2", "2"}).Node("LpNormalization", {"x"}, {"y"}).Int("p", p);
    EXPECT_THAT(RunOnnx(builder.Output("y"), {{"x", {0, 0, 0, -3}}})["y"], ElementsAre(0, 0, 0, -1));
  }
}

TEST(OnnxConstant, FormsAllMakeConstants) {
  OnnxBuilder builder;
  builder.Input("x", {"2"}).Node("Constant", {}, {"c"}).Float("value_float", 2);
  builder.Node("Add", {"x", "c"}, {"y"});
  EXPECT_THAT(TextOf(builder), HasSubstr("y = Binary(x, c)\n"));
  OnnxBuilder empty;
  empty.Node("Constant", {}, {"y"});
  EXPECT_THAT(TextOf(empty), HasSubstr("strings, or without a value"));
}

TEST(OnnxRange, BoundsAreCheckedBeforeMemoryIsTaken) {
  OnnxBuilder builder;
  builder.Integers("a", {}, {0}).Integers("b", {}, {int64_t{1} << 60}).Integers("c", {}, {1});
  builder.Node("Range", {"a", "b", "c"}, {"y"});
  EXPECT_THAT(TextOf(builder), HasSubstr("is too long"));
  OnnxBuilder zero;
  zero.Integers("a", {}, {0})
      .Integers("b", {}, {4})
      .Integers("c", {}, {0})
      .Node("Range", {"a", "b", "c"}, {"y"});
  EXPECT_THAT(TextOf(zero), HasSubstr("delta is 0"));
}

TEST(OnnxEinsum, IsOneMatrixProductBetweenTransposes) {
  const auto import = [](const std::string& equation, std::vector<std::string> a,
                         std::vector<std::string> b) {
    OnnxBuilder builder;
    builder.Input("a", a).Input("b", b).Node("Einsum", {"a", "b"}, {"y"}).String("equation", equation);
    return TextOf(builder);
  };
  EXPECT_THAT(import("ij,jk", {"2", "3"}, {"3", "4"}), HasSubstr("output y float32[2,4]"));
  EXPECT_THAT(import("bhid, bhjd -> bhij", {"N", "2", "5", "8"}, {"N", "2", "7", "8"}),
              HasSubstr("output y float32[N,2,5,7]"));
  EXPECT_THAT(import("bid,bjd->bij", {"N", "I", "8"}, {"N", "J", "8"}), HasSubstr("output y float32[N,I,J]"));
  EXPECT_THAT(import("abc,cbd->da", {"2", "3", "4"}, {"4", "3", "5"}), HasSubstr("output y float32[5,2]"));
  EXPECT_THAT(import("i,i->", {"3"}, {"3"}), HasSubstr("output y float32[]"));
  EXPECT_THAT(import("ab,c->c", {"2", "3"}, {"4"}), HasSubstr("output y float32[4]"));
  EXPECT_THAT(import("ii,i->i", {"3", "3"}, {"3"}), HasSubstr("output y float32[3]"));
  EXPECT_THAT(import("ij,jk->il", {"2", "3"}, {"3", "4"}), HasSubstr("equation 'ij,jk->il'"));
  EXPECT_THAT(import("ij,jk->ik", {"2", "3", "4"}, {"3", "4"}), HasSubstr("3 dimensions"));
}

TEST(OnnxTrilu, SelectsByAConstantMask) {
  OnnxBuilder builder(14);
  builder.Input("x", {"N", "2", "3"}).Integers("k", {}, {1}).Node("Trilu", {"x", "k"}, {"y"});
  auto imported = Import(builder.Output("y"));
  EXPECT_THAT(imported.text(), HasSubstr("y = Select(mask, x, y/constant)\noutput y float32[N,2,3]"));
  const auto* mask = imported.graph().value(imported.graph().FindValue("mask")).as<uint8_t>();
  EXPECT_THAT(std::vector<int>(mask, mask + 6), ::testing::ElementsAre(0, 1, 1, 0, 0, 1));
}

TEST(OnnxQuantize, ParametersBelongToTheInteger) {
  OnnxBuilder builder;
  builder.Input("x", {"4"}).Floats("s", {}, {0.5f}).Integers("z", {}, {3});
  builder.graph().mutable_initializer(1)->set_data_type(::onnx::TensorProto::INT8);
  builder.graph().mutable_initializer(1)->set_raw_data("\x03");
  builder.Node("QuantizeLinear", {"x", "s", "z"}, {"q"}).Node("DequantizeLinear", {"q", "s", "z"}, {"y"});
  auto imported = Import(builder.Output("y"));
  EXPECT_EQ(imported.text(),
            "input x float32[4]\n"
            "q = Quantize(x)\n"
            "y = Dequantize(q)\n"
            "output y float32[4]\n");
  const ir::Value& q = imported.graph().value(imported.graph().FindValue("q"));
  EXPECT_EQ(q.dtype, DType::kInt8);
  EXPECT_THAT(q.quantization.scales, ::testing::ElementsAre(0.5f));
  EXPECT_THAT(q.quantization.zero_points, ::testing::ElementsAre(3));
}

// Before opset 13 the softmax is one over all dimensions from the axis on.
TEST(OnnxQLinearSoftmax, IsThatOfTheOpsetItNames) {
  const auto softmax = [](int64_t opset) {
    OnnxBuilder builder;
    auto* domain = builder.model.add_opset_import();
    domain->set_domain("com.microsoft");
    domain->set_version(1);
    builder.Input("x", {"1", "2", "2"}).Floats("s", {}, {1 / 256.0f});
    builder.Narrow("z", ::onnx::TensorProto::UINT8, {}, {0}).Node("QuantizeLinear", {"x", "s", "z"}, {"q"});
    builder.Node("QLinearSoftmax", {"q", "s", "z", "s", "z"}, {"r"}).Int("axis", 1).Int("opset", opset);
    builder.graph().mutable_node(1)->set_domain("com.microsoft");
    builder.Node("DequantizeLinear", {"r", "s", "z"}, {"y"});
    return RunOnnx(builder.Output("y"), {{"x", {0, 0, 0, 0}}})["y"];
  };
  EXPECT_THAT(softmax(12), ElementsAre(0.25f, 0.25f, 0.25f, 0.25f));
  EXPECT_THAT(softmax(13), ElementsAre(0.5f, 0.5f, 0.5f, 0.5f));
}

}  // namespace
}  // namespace micrort
