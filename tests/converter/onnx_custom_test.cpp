#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "converter/convert.h"
#include "converter/ir/size/size_function.h"
#include "micrort/custom_op.h"
#include "micrort/micrort.h"
#include "tests/converter/onnx_builder.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// y = Relu(Blur(x)), where the type between is stated: its first dimension is a number or a name.
OnnxBuilder BlurModel(const std::vector<std::string>& dims, const std::string& stated) {
  OnnxBuilder b;
  auto* opset = b.model.add_opset_import();
  opset->set_domain("com.acme");
  opset->set_version(1);
  b.Input("x", dims)
      .Node("Blur", {"x"}, {"b"})
      .Float("radius", 1.5f)
      .Ints("sizes", {3, 5})
      .String("mode", "soft");
  b.graph().mutable_node(0)->set_domain("com.acme");
  b.Node("Relu", {"b"}, {"y"}).Output("y");
  auto* info = b.graph().add_value_info();
  info->set_name("b");
  info->mutable_type()->mutable_tensor_type()->set_elem_type(::onnx::TensorProto::FLOAT);
  auto* shape = info->mutable_type()->mutable_tensor_type()->mutable_shape();
  if (stated == "2")
    shape->add_dim()->set_dim_value(2);
  else
    shape->add_dim()->set_dim_param(stated);
  shape->add_dim()->set_dim_value(4);
  return b;
}

frontend::ImportOptions Acme() {
  frontend::ImportOptions options;
  options.custom_domains = {"com.acme"};
  return options;
}

TEST(OnnxCustom, AnUnknownDomainIsRefusedWithTheFlagThatHelps) {
  const Imported imported = Import(BlurModel({"n", "4"}, "n"));
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(imported.diagnostics.unsupported.size(), 1u);
  EXPECT_THAT(imported.diagnostics.unsupported[0].reason, HasSubstr("--custom-domain"));
}

TEST(OnnxCustom, AttributesAreKept) {
  Imported imported = Import(BlurModel({"n", "4"}, "n"), Acme());
  ASSERT_THAT(imported.status, IsOk());
  const ir::Node& node = *imported.graph().nodes[0];
  ASSERT_EQ(node.code, schema::OpCode::Custom);
  const auto& options = node.as<schema::CustomOptionsT>();
  EXPECT_EQ(options.domain, "com.acme");
  EXPECT_EQ(options.name, "Blur");
  ASSERT_EQ(options.attributes.size(), 3u);
  EXPECT_THAT(options.attributes[0]->floats, ElementsAre(1.5f));
  EXPECT_THAT(options.attributes[1]->ints, ElementsAre(3, 5));
  EXPECT_THAT(options.attributes[2]->texts, ElementsAre("soft"));
}

TEST(OnnxCustom, AStatedDimensionWithAnInputsNameHasItsSize) {
  Imported imported = Import(BlurModel({"n", "4"}, "n"), Acme());
  ASSERT_THAT(imported.status, IsOk());
  const ir::Value& blurred = imported.graph().value(imported.graph().nodes[0]->outputs[0]);
  EXPECT_THAT(blurred.shape, ElementsAre(ir::kDynamic, 4));
  EXPECT_THAT(blurred.dim_names, ElementsAre("n", ""));
}

TEST(OnnxCustom, ADimensionThatNothingTellsIsRefused) {
  const Imported imported = Import(BlurModel({"n", "4"}, "m"), Acme());
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(imported.diagnostics.unsupported.size(), 1u);
  EXPECT_THAT(imported.diagnostics.unsupported[0].reason, HasSubstr("--custom-ops"));
}

// Not even its rank: what the file states is no scalar.
TEST(OnnxCustom, ShapesThatNothingTellsAreOpenForASizeFunction) {
  ir::Graph graph;
  ir::Value x;
  x.name = "x";
  x.dtype = DType::kFloat32;
  x.shape = {ir::kDynamic, 4};
  graph.inputs = {graph.AddValue(x)};
  ir::Node node;
  node.code = schema::OpCode::Custom;
  node.as<schema::CustomOptionsT>().outputs.push_back(std::make_unique<schema::CustomOutputT>());
  node.inputs = graph.inputs;
  node.outputs = {graph.AddValue({})};
  ir::size::SymbolTable symbols;
  ir::size::Solver hard(&symbols), likely(&symbols);
  ir::size::SizedTensor input;
  input.SetShape({ir::size::Expr(symbols.Add("n")), 4});
  std::vector<ir::size::SizedTensor> outputs(1);
  ir::size::Needs needs;
  ir::size::SizeCall call(graph, node, {&input}, &hard, &likely, &needs, &outputs);
  EXPECT_THAT(ir::size::InferSizes(call), IsOk());
  EXPECT_FALSE(outputs[0].has_rank);
}

TEST(OnnxCustom, TensorsAsAttributesAreRefused) {
  OnnxBuilder b = BlurModel({"n", "4"}, "n");
  auto* attribute = b.graph().mutable_node(0)->add_attribute();
  attribute->set_name("kernel");
  attribute->set_type(::onnx::AttributeProto::TENSOR);
  const Imported imported = Import(b, Acme());
  ASSERT_EQ(imported.diagnostics.unsupported.size(), 1u);
  EXPECT_THAT(imported.diagnostics.unsupported[0].reason, HasSubstr("kernel"));
}

TEST(OnnxCustom, KnownOperatorsOfTheDomainStayWhatTheyAre) {
  frontend::ImportOptions options;
  options.custom_domains = {"", "com.acme"};
  Imported imported = Import(OneRelu(), options);
  ASSERT_THAT(imported.status, IsOk());
  EXPECT_EQ(imported.graph().nodes[0]->code, schema::OpCode::Unary);
}

ConvertOptions AcmeOptions() {
  ConvertOptions options;
  options.custom_domains = {"com.acme"};
  return options;
}

// Copies by way of scratch, of which the converter knows nothing.
micrort_status PrepareBlur(micrort_custom_call* call) {
  call->outputs[0].dtype = call->inputs[0].dtype;
  call->outputs[0].shape = call->inputs[0].shape;
  call->scratch_bytes = size_t{1} << 16;
  return MICRORT_OK;
}

micrort_status RunBlur(micrort_custom_call* call) {
  std::memset(call->scratch, 0xff, size_t{1} << 16);
  std::memcpy(call->scratch, call->inputs[0].data, call->inputs[0].bytes);
  std::memcpy(call->outputs[0].data, call->scratch, call->outputs[0].bytes);
  return MICRORT_OK;
}

const micrort_custom_op kBlur = {
    sizeof(micrort_custom_op), "com.acme", "Blur", nullptr, PrepareBlur, RunBlur, 0};

TEST(OnnxCustom, TheProgramsOperatorMayNeedMoreThanWasPlanned) {
  const std::string bytes = BlurModel({"2", "4"}, "2").Bytes();
  ConvertResult result;
  ASSERT_THAT(ConvertBytes("blur", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
                           AcmeOptions(), &result),
              IsOk());
  Result<Model> model = Model::FromBuffer(result.file.data(), result.file.size());
  ASSERT_THAT(model.status(), IsOk());
  OpResolver resolver = AllOps();
  resolver.AddCustom(kBlur);
  InterpreterOptions options;
  options.resolver = &resolver;
  Result<Interpreter> interpreter = Interpreter::Create(*model, options);
  ASSERT_THAT(interpreter.status(), IsOk());
  const TensorView x = interpreter->input(0);
  for (size_t i = 0; i < 8; ++i) x.as<float>()[i] = static_cast<float>(i) - 3;
  ASSERT_THAT(interpreter->Run(), IsOk());
  const float* y = interpreter->output(0).as<float>();
  EXPECT_THAT(std::vector<float>(y, y + 8), ElementsAre(0, 0, 0, 0, 1, 2, 3, 4));
}

TEST(OnnxCustom, VerifyingNeedsTheOperatorItself) {
  const std::string bytes = BlurModel({"2", "4"}, "2").Bytes();
  const Span<const uint8_t> span = {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
  ConvertOptions options = AcmeOptions();
  ConvertResult result;
  ASSERT_THAT(ConvertBytes("blur", span, options, &result), IsOk());
  options.verify = VerifyMode::kOutputs;
  const Status status = ConvertBytes("blur", span, options, &result);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("Blur"));
}

TEST(OnnxCustom, ALibraryThatIsNotThereIsAnError) {
  ConvertOptions options = AcmeOptions();
  options.custom_ops = {"/nowhere/libnone.so"};
  ConvertResult result;
  const std::string bytes = OneRelu().Bytes();
  const Span<const uint8_t> span = {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
  const Status status = ConvertBytes("relu", span, options, &result);
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_THAT(status.message(), HasSubstr("/nowhere/libnone.so"));
}

}  // namespace
}  // namespace micrort::testing
