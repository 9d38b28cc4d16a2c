// Models that are malformed or beyond us, and what a model says outside its operators.

#include <gmock/gmock.h>

#include "tests/converter/onnx_builder.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Import;
using testing::Imported;
using testing::OneRelu;
using testing::OnnxBuilder;

void ExpectInvalid(const OnnxBuilder& builder, const std::string& message) {
  const Imported result = Import(builder);
  EXPECT_EQ(result.status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(result.status.message(), HasSubstr(message));
}

void ExpectUnsupported(const OnnxBuilder& builder, const std::string& message) {
  const Imported result = Import(builder);
  EXPECT_EQ(result.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(result.status.message(), HasSubstr(message));
}

TEST(OnnxModel, ErrorsNameTheFile) {
  EXPECT_STREQ(Import(std::string()).status.message(),
               "model.onnx: the file is empty: copy or download it again");
}

TEST(OnnxModel, RefusesWhatIsNoModel) {
  EXPECT_EQ(Import(std::string("\xff\xff\xff\xff")).status.code(), StatusCode::kInvalidModel);
  EXPECT_EQ(Import(std::string("just some text")).status.code(), StatusCode::kInvalidModel);
  ::onnx::ModelProto no_graph;
  no_graph.set_ir_version(8);
  EXPECT_THAT(Import(no_graph.SerializeAsString()).status.message(), HasSubstr("no graph"));
  ::onnx::ModelProto no_version;
  no_version.mutable_graph();
  EXPECT_THAT(Import(no_version.SerializeAsString()).status.message(), HasSubstr("ir_version"));
}

TEST(OnnxModel, NeverCrashesWhenCutShort) {
  const std::string bytes = OneRelu().Bytes();
  for (size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(Import(bytes.substr(0, n)).status.ok()) << n;
}

TEST(OnnxModel, ChecksOpsets) {
  ExpectUnsupported(OnnxBuilder(0).Input("x", {"1"}).Node("Relu", {"x"}, {"y"}).Output("y"), "opset 0");
  OnnxBuilder none = OneRelu();
  none.model.clear_opset_import();
  ExpectInvalid(none, "which opset");
  none.model.set_ir_version(2);
  EXPECT_TRUE(Import(none).status.ok()) << "so old a model means opset 1";
  OnnxBuilder other = OneRelu();
  other.model.mutable_opset_import(0)->set_domain("com.microsoft");
  ExpectInvalid(other, "does not import");
}

TEST(OnnxModel, SaysWhyAnOperatorIsRefused) {
  const auto expect = [](const std::string& domain, const std::string& op, const std::string& reason) {
    OnnxBuilder b(20);
    b.Input("x", {"1"}).Node(op, {"x"}, {"y"}).Output("y");
    b.graph().mutable_node(0)->set_domain(domain);
    ExpectUnsupported(b, reason);
  };
  expect("", "StringSplit", "strings are not supported");
  expect("", "ImageDecoder", "decode them before");
  expect("", "Frobnicate", "unknown operator");
  expect("com.acme", "StringSplit", "unknown operator");
  expect("ai.onnx.preview.training", "Adam", "for training");
  expect("ai.onnx.ml", "SVMRegressor", "classical machine learning");
}

TEST(OnnxModel, ChecksNames) {
  ExpectInvalid(OnnxBuilder().Input("x", {"1"}).Node("Relu", {"z"}, {"y"}).Output("y"), "'z'");
  ExpectInvalid(OnnxBuilder().Input("x", {"1"}).Node("Relu", {"x"}, {"y"}).Output("z"), "'z'");
  ExpectInvalid(OnnxBuilder().Input("x", {"1"}).Node("Relu", {"x"}, {"x"}).Output("x"), "defined twice");
  ExpectInvalid(OneRelu().Output("y"), "listed twice");
  ExpectInvalid(OnnxBuilder().Input("x", {"1"}).Node("Relu", {"x"}, {}).Output("x"), "no outputs");
  OnnxBuilder cycle;
  cycle.Input("x", {"1"}).Node("Add", {"x", "b"}, {"a"}).Node("Relu", {"a"}, {"b"}).Output("b");
  ExpectInvalid(cycle, "node 'a' (Add, opset 13): its input 'b'");
}

TEST(OnnxModel, NamesAreText) {
  const auto named = [](const char* name) {
    OnnxBuilder builder = OneRelu();
    builder.graph().mutable_node(0)->set_name(name);
    return builder;
  };
  for (const char* name : {"\x80", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\n\x80"}) {
    ExpectInvalid(named(name), "node 0: a name is not UTF-8 text");
  }
  ExpectInvalid(named("a\x1b[0m"), "node 0: a name, 'a?[0m', has the control character U+001B; rename it");
  ExpectInvalid(named("\xc2\x85"), "a name, '?', has the control character U+0085");
  OnnxBuilder builder = OneRelu();
  builder.graph().mutable_node(0)->set_name("N\xc3\xa4me \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_TRUE(Import(builder).status.ok());
}

TEST(OnnxModel, ChecksTensors) {
  OnnxBuilder few = OneRelu();
  few.Floats("w", {2, 3}, {1, 2, 3});
  ExpectInvalid(few, "tensor 'w': its shape has 6 elements, its data has 3");
  OnnxBuilder negative = OneRelu();
  negative.Floats("w", {-2, 3}, {1, 2, 3});
  ExpectInvalid(negative, "negative or too large");
  OnnxBuilder huge = OneRelu();
  huge.Floats("w", {int64_t{1} << 40, int64_t{1} << 40}, {});
  ExpectInvalid(huge, "negative or too large");
  OnnxBuilder raw = OneRelu();
  raw.Integers("w", {2}, {1, 2});
  raw.graph().mutable_initializer(0)->set_raw_data("123");
  ExpectInvalid(raw, "its shape takes 16 bytes, its data has 3");
  OnnxBuilder text = OneRelu();
  text.Floats("w", {0}, {});
  text.graph().mutable_initializer(0)->set_data_type(::onnx::TensorProto::STRING);
  ExpectUnsupported(text, "STRING");
  OnnxBuilder outside = OneRelu();
  outside.Floats("w", {0}, {});
  outside.graph().mutable_initializer(0)->set_data_location(::onnx::TensorProto::EXTERNAL);
  ExpectUnsupported(outside, "another file");
}

TEST(OnnxModel, ChecksInputs) {
  OnnxBuilder shapeless = OneRelu();
  shapeless.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  ExpectUnsupported(shapeless, "--input-shape");
  OnnxBuilder sequence = OneRelu();
  sequence.graph().mutable_input(0)->mutable_type()->mutable_sequence_type();
  ExpectUnsupported(sequence, "not a tensor");
  OnnxBuilder huge;
  huge.Input("x", {"4294967296"}).Node("Relu", {"x"}, {"y"}).Output("y");
  ExpectInvalid(huge, "32 bits");
}

TEST(OnnxModel, TakesShapesOfTheCaller) {
  OnnxBuilder builder;
  builder.Input("x", {"N", "3", "h", ""}).Node("Relu", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(Import(builder).text(), HasSubstr("input x float32[N,3,h,?]"));
  EXPECT_THAT(Import(builder, {{{"x", {1, 3, 8, ir::kDynamic}}}}).text(),
              HasSubstr("output y float32[1,3,8,?]"));
  EXPECT_EQ(Import(builder, {{{"x", {1, 3}}}}).status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Import(builder, {{{"x", {1, 3, 0, 8}}}}).status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Import(builder, {{{"z", {1}}}}).status.code(), StatusCode::kInvalidArgument);
}

TEST(OnnxModel, ListsEverythingUnsupported) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "4"});
  builder.Node("Blur", {"x"}, {"a"}).Node("Relu", {"a"}, {"b"});
  builder.Node("Blur", {"x"}, {"c"}).Node("Sharpen", {"b"}, {"d"});
  builder.Node("Gelu", {"x"}, {"e"}).Int("strange", 1).Output("b").Output("d");
  const Imported result = Import(builder);
  EXPECT_EQ(result.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(result.diagnostics.unsupported.size(), 3u);
  EXPECT_EQ(result.diagnostics.unsupported[0].op, "Blur");
  EXPECT_THAT(result.diagnostics.unsupported[0].nodes, ElementsAre("a", "c"));
  EXPECT_EQ(result.diagnostics.unsupported[1].op, "Sharpen");
  EXPECT_EQ(result.diagnostics.unsupported[2].reason, "attribute 'strange' is not known");
}

TEST(OnnxModel, ChecksAttributesAndInputCounts) {
  ExpectInvalid(OnnxBuilder().Input("x", {"2"}).Node("Add", {"x"}, {"y"}).Output("y"), "inputs");
  ExpectInvalid(OnnxBuilder().Input("x", {"2"}).Node("Add", {"", "x"}, {"y"}).Output("y"), "input 0");
  OnnxBuilder wrong_type;
  wrong_type.Input("x", {"2"}).Node("Elu", {"x"}, {"y"}).Int("alpha", 1).Output("y");
  ExpectInvalid(wrong_type, "attribute 'alpha': expected FLOAT, found INT");
}

TEST(OnnxModel, GivesEveryOutputATensorThatANodeWrites) {
  OnnxBuilder builder;
  builder.Input("x", {"2"}).Floats("w", {2}, {1, 2});
  builder.Node("Identity", {"x"}, {"same"}).Node("Relu", {"x"}, {"y"}).Node("Identity", {"y"}, {"again"});
  builder.Output("same").Output("w").Output("y").Output("again");
  EXPECT_EQ(Import(builder).text(),
            "input x float32[2]\n"
            "y = Unary(x) { kind: Clip, b: inf }\n"
            "same = Unary(x)\n"
            "w = Unary(w/inner)\n"
            "again = Unary(y)\n"
            "output same float32[2]\n"
            "output w float32[2]\n"
            "output y float32[2]\n"
            "output again float32[2]\n");
}

TEST(OnnxModel, InitializersAmongTheInputsAreConstants) {
  OnnxBuilder builder;
  builder.Input("x", {"2"}).Input("w", {"2"}).Floats("w", {2}, {1, 2});
  builder.Node("Add", {"x", "w"}, {"y"}).Output("y");
  EXPECT_EQ(Import(builder).text(),
            "input x float32[2]\n"
            "y = Binary(x, w)\n"
            "output y float32[2]\n");
}

TEST(OnnxModel, MarksValuesOfTheSourceAndKeepsMetadata) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "1", "4", "4"}).Weights("w", {1, 1, 1, 1});
  builder.Node("Conv", {"x", "w"}, {"y"}).Output("y");
  Imported result = Import(builder);
  ASSERT_TRUE(result.status.ok());
  ir::Graph& graph = result.graph();
  EXPECT_TRUE(graph.value(graph.FindValue("x")).in_source);
  EXPECT_TRUE(graph.value(graph.FindValue("y")).in_source);
  EXPECT_FALSE(graph.value(graph.FindValue("y/Conv2D")).in_source);
  EXPECT_EQ(result.module.source_format, "onnx");
  EXPECT_THAT(result.module.metadata,
              ElementsAre(std::pair<std::string, std::string>("onnx.producer", "test")));
}

TEST(OnnxModel, InputsOfStringsThatNothingReadsAreLeftOut) {
  OnnxBuilder builder = OneRelu();
  builder.Input("s", {"1"}, ::onnx::TensorProto::STRING);
  Imported result = Import(builder);
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_EQ(result.graph().inputs.size(), 1u);
}

TEST(OnnxModel, OutputsThatAreInputsSayTheirOtherName) {
  Imported result = Import(OneRelu().Output("x"));
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_THAT(result.diagnostics.warnings,
              ElementsAre(HasSubstr("output 'x' is called 'x_1': another input or output has its name")));
}

TEST(DetectFormat, ToldFromContent) {
  const auto detect = [](const std::string& bytes, frontend::SourceFormat* format) {
    return frontend::DetectFormat({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, format);
  };
  frontend::SourceFormat format;
  EXPECT_TRUE(detect(OneRelu().Bytes(), &format).ok());
  EXPECT_EQ(format, frontend::SourceFormat::kOnnx);
  EXPECT_EQ(detect("", &format).code(), StatusCode::kInvalidModel);
  EXPECT_EQ(detect("hello", &format).code(), StatusCode::kInvalidModel);
  EXPECT_EQ(detect("....MCRT", &format).code(), StatusCode::kInvalidModel);
  EXPECT_TRUE(detect("....TFL3", &format).ok());
  EXPECT_EQ(format, frontend::SourceFormat::kTflite);
  EXPECT_TRUE(detect("PK\x03\x04", &format).ok());
  EXPECT_EQ(format, frontend::SourceFormat::kTorchscript);
  EXPECT_TRUE(detect("\x0a\x08\x0a\x01x\x12\x03Neg", &format).ok());
  EXPECT_EQ(format, frontend::SourceFormat::kTensorflow);
}

}  // namespace
}  // namespace micrort
