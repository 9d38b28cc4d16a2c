// Functions that a model defines itself.

#include <gmock/gmock.h>
#include <google/protobuf/unknown_field_set.h>

#include "tests/converter/run_onnx.h"

namespace micrort {
namespace {

using ::onnx::AttributeProto;
using ::onnx::FunctionProto;
using ::onnx::NodeProto;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;
using testing::RunOnnx;

NodeProto Node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output) {
  NodeProto node;
  node.set_op_type(op);
  for (const std::string& name : inputs) node.add_input(name);
  node.add_output(output);
  return node;
}

FunctionProto* AddFunction(OnnxBuilder* b, const std::string& name, const std::vector<std::string>& inputs,
                           const std::string& output) {
  FunctionProto* function = b->model.add_functions();
  function->set_domain("local");
  function->set_name(name);
  for (const std::string& input : inputs) function->add_input(input);
  function->add_output(output);
  auto* import = function->add_opset_import();
  import->set_domain("");
  import->set_version(13);
  return function;
}

OnnxBuilder& Call(OnnxBuilder& b, const std::string& name, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs) {
  b.Node(name, inputs, outputs);
  b.graph().mutable_node(b.graph().node_size() - 1)->set_domain("local");
  return b;
}

AttributeProto* AddReference(NodeProto* node, const std::string& name, const std::string& of_function) {
  AttributeProto* a = node->add_attribute();
  a->set_name(name);
  a->set_ref_attr_name(of_function);
  a->set_type(AttributeProto::FLOAT);
  return a;
}

// Leak(x) = LeakyRelu(x, alpha = slope).
OnnxBuilder WithLeak() {
  OnnxBuilder b(13);
  FunctionProto* leak = AddFunction(&b, "Leak", {"x"}, "y");
  leak->add_attribute("slope");
  *leak->add_node() = Node("LeakyRelu", {"x"}, "y");
  AddReference(leak->mutable_node(0), "alpha", "slope");
  b.Input("x", {"2"});
  return b;
}

TEST(OnnxFunctions, CallsHaveValuesOfTheirOwn) {
  OnnxBuilder b(13);
  FunctionProto* f = AddFunction(&b, "TwiceAndAdd", {"p", "q"}, "r");
  *f->add_node() = Node("Add", {"p", "p"}, "twice");
  *f->add_node() = Node("Add", {"twice", "q"}, "r");
  b.Input("x", {"2"}).Floats("twice", {2}, {100, 100});
  Call(b, "TwiceAndAdd", {"x", "twice"}, {"u"});
  Call(b, "TwiceAndAdd", {"u", "x"}, {"y"}).Output("y");
  EXPECT_THAT(RunOnnx(b, {{"x", {1, 2}}})["y"], ElementsAre(205, 210));
}

TEST(OnnxFunctions, AttributesComeFromTheCall) {
  OnnxBuilder given = WithLeak();
  Call(given, "Leak", {"x"}, {"y"}).Float("slope", 0.5f).Output("y");
  EXPECT_THAT(RunOnnx(given, {{"x", {-2, 2}}})["y"], ElementsAre(-1, 2));
  OnnxBuilder absent = WithLeak();  // then the node has none, and the operator its own default
  Call(absent, "Leak", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(RunOnnx(absent, {{"x", {-2, 2}}})["y"], ElementsAre(-0.02f, 2));
}

TEST(OnnxFunctions, AttributesMayHaveDefaults) {
  OnnxBuilder b = WithLeak();
  AttributeProto slope;
  slope.set_name("slope");
  slope.set_type(AttributeProto::FLOAT);
  slope.set_f(0.25f);
  FunctionProto* leak = b.model.mutable_functions(0);
  leak->clear_attribute();
  constexpr int kAttributeProto = 11;  // FunctionProto.attribute_proto
  leak->GetReflection()->MutableUnknownFields(leak)->AddLengthDelimited(kAttributeProto,
                                                                        slope.SerializeAsString());
  OnnxBuilder given = b;
  EXPECT_THAT(RunOnnx(Call(b, "Leak", {"x"}, {"y"}).Output("y"), {{"x", {-4, 2}}})["y"], ElementsAre(-1, 2));
  Call(given, "Leak", {"x"}, {"y"}).Float("slope", 0.5f).Output("y");
  EXPECT_THAT(RunOnnx(given, {{"x", {-4, 2}}})["y"], ElementsAre(-2, 2));
}

TEST(OnnxFunctions, CallEachOtherAndHandAttributesOn) {
  OnnxBuilder b = WithLeak();
  FunctionProto* outer = AddFunction(&b, "Outer", {"x"}, "y");
  outer->add_attribute("a");
  NodeProto call = Node("Leak", {"x"}, "inner");
  call.set_domain("local");
  AddReference(&call, "slope", "a");
  *outer->add_node() = call;
  *outer->add_node() = Node("Neg", {"inner"}, "y");
  Call(b, "Outer", {"x"}, {"y"}).Float("a", 0.5f).Output("y");
  EXPECT_THAT(RunOnnx(b, {{"x", {-2, 2}}})["y"], ElementsAre(1, -2));
}

TEST(OnnxFunctions, HaveOpsetsOfTheirOwn) {
  OnnxBuilder b(13);
  FunctionProto* f = AddFunction(&b, "First", {"x"}, "y");
  f->mutable_opset_import(0)->set_version(9);  // Slice with attributes
  NodeProto* slice = f->add_node();
  *slice = Node("Slice", {"x"}, "y");
  for (const auto& [name, value] : std::vector<std::pair<std::string, int64_t>>{{"starts", 0}, {"ends", 1}}) {
    AttributeProto* a = slice->add_attribute();
    a->set_name(name);
    a->set_type(AttributeProto::INTS);
    a->add_ints(value);
  }
  Call(b.Input("x", {"2"}), "First", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(RunOnnx(b, {{"x", {7, 8}}})["y"], ElementsAre(7));
}

TEST(OnnxFunctions, MayPassAnInputOnAndLackOthers) {
  OnnxBuilder b(13);
  FunctionProto* f = AddFunction(&b, "Both", {"x", "low"}, "y");
  f->add_output("x");
  *f->add_node() = Node("Clip", {"x", "low"}, "y");
  Call(b.Input("x", {"2"}), "Both", {"x"}, {"clipped", "same"});
  b.Node("Add", {"clipped", "same"}, {"y"}).Output("y");
  EXPECT_THAT(RunOnnx(b, {{"x", {-1, 2}}})["y"], ElementsAre(-2, 4));
}

TEST(OnnxFunctions, TakeThePlaceOfOperators) {
  OnnxBuilder b(13);
  AddFunction(&b, "Relu", {"x"}, "y")->set_domain("");
  *b.model.mutable_functions(0)->add_node() = Node("Neg", {"x"}, "y");
  b.Input("x", {"2"}).Node("Relu", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(RunOnnx(b, {{"x", {-1, 2}}})["y"], ElementsAre(1, -2));
}

TEST(OnnxFunctions, ThatCallThemselvesAreRefused) {
  OnnxBuilder b(13);
  FunctionProto* f = AddFunction(&b, "Again", {"x"}, "y");
  *f->add_node() = Node("Again", {"x"}, "y");
  f->mutable_node(0)->set_domain("local");
  Call(b.Input("x", {"2"}), "Again", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(Import(b).text(), HasSubstr("calls itself"));
}

TEST(OnnxFunctions, ThatGrowBeyondMeasureAreRefused) {
  OnnxBuilder b(13);
  for (int i = 0; i < 40; ++i) {
    FunctionProto* f = AddFunction(&b, "F" + std::to_string(i), {"x"}, "y");
    for (const auto& [from, to] : {std::make_pair("x", "h"), std::make_pair("h", "y")}) {
      NodeProto* node = f->add_node();
      *node = Node(i == 39 ? "Relu" : "F" + std::to_string(i + 1), {from}, to);
      if (i < 39) node->set_domain("local");
    }
  }
  Call(b.Input("x", {"2"}), "F0", {"x"}, {"y"}).Output("y");
  const auto imported = Import(b);
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(imported.status.message(), HasSubstr("with its functions in place"));
}

TEST(OnnxFunctions, CallsMustFit) {
  OnnxBuilder inputs = WithLeak();
  Call(inputs, "Leak", {"x", "x"}, {"y"}).Output("y");
  EXPECT_THAT(Import(inputs).text(), HasSubstr("1 inputs and 1 outputs, the call 2 and 1"));
  OnnxBuilder attribute = WithLeak();
  Call(attribute, "Leak", {"x"}, {"y"}).Float("steep", 1).Output("y");
  EXPECT_THAT(Import(attribute).text(), HasSubstr("no attribute 'steep'"));
  OnnxBuilder twice = WithLeak();
  *twice.model.add_functions() = twice.model.functions(0);
  EXPECT_THAT(Import(twice.Node("Relu", {"x"}, {"y"}).Output("y")).text(), HasSubstr("defined twice"));
}

}  // namespace
}  // namespace micrort
