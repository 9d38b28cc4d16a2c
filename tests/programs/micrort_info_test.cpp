#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;

class MicrortInfo : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string source = SourceFile("examples/meter_reader/meter_digits.onnx");
    const ProcessResult r = RunProgram("mnnconvert", {source, "-o", model_, "--quiet"});
    ASSERT_EQ(r.exit_code, 0) << r.err;
  }

  const TemporaryFolder folder_;
  const std::string model_ = folder_ / "digits.fb";
};

TEST_F(MicrortInfo, ListsOperatorsAndTensors) {
  const ProcessResult r = RunProgram("micrort-info", {model_});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("mnnconvert"));
  EXPECT_THAT(r.out, HasSubstr("Conv2D"));
  EXPECT_THAT(r.out, HasSubstr("'input' float32 1x1x32x24"));
}

TEST_F(MicrortInfo, PrintsThePlanWithinItsArena) {
  const ProcessResult r = RunProgram("micrort-info", {model_, "--json", "--plan"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const auto plan = nlohmann::json::parse(r.out)["plan"];
  EXPECT_GE(plan["arena_bytes"], plan["lower_bound"]);
  EXPECT_GE(plan["ratio"], 1.0);
  ASSERT_FALSE(plan["tensors"].empty());
  for (const auto& tensor : plan["tensors"]) {
    const size_t end = tensor["offset"].get<size_t>() + tensor["bytes"].get<size_t>();
    EXPECT_LE(end, plan["arena_bytes"].get<size_t>()) << tensor;
  }
}

TEST_F(MicrortInfo, PrintsTheProgramThatRuns) {
  const ProcessResult r = RunProgram("micrort-info", {model_, "--json", "--program"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const auto program = nlohmann::json::parse(r.out)["program"];
  EXPECT_EQ(program["decided"], "in the file");
  ASSERT_FALSE(program["steps"].empty());
  EXPECT_EQ(program["steps"][0]["inputs"][0]["tensor"], "input");
  for (const auto& step : program["steps"]) EXPECT_FALSE(step["sources"].empty()) << step;
  EXPECT_THAT(RunProgram("micrort-info", {model_, "--program", "--isa", "scalar"}).out,
              HasSubstr("steps for scalar, decided here,"));
}

TEST_F(MicrortInfo, WritesTheGraphAsOnnx) {
  const std::string path = folder_ / "digits.onnx";
  const ProcessResult r = RunProgram("micrort-info", {model_, "--onnx", path});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  ::onnx::ModelProto model;
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(model.ParseFromIstream(&file));
  EXPECT_EQ(model.producer_name(), "mnnconvert");
  const ::onnx::GraphProto& graph = model.graph();
  ASSERT_GT(graph.node_size(), 0);
  EXPECT_EQ(graph.node(0).input(0), graph.input(0).name());
  const auto node = std::find_if(graph.node().begin(), graph.node().end(),
                                 [](const ::onnx::NodeProto& n) { return n.op_type() == "Conv2D"; });
  ASSERT_NE(node, graph.node().end());
  EXPECT_EQ(node->domain(), "micrort");
  ASSERT_EQ(node->attribute_size(), 1);
  EXPECT_THAT(node->attribute(0).s(), HasSubstr("activation: {"));
  EXPECT_EQ(graph.output(0).type().tensor_type().shape().dim(1).dim_value(), 10);
  std::map<std::string, const ::onnx::TensorProto*> constants;
  for (const ::onnx::TensorProto& constant : graph.initializer()) constants[constant.name()] = &constant;
  ASSERT_EQ(constants.count(node->input(1)), 1u);
  const ::onnx::TensorProto& weights = *constants[node->input(1)];
  int64_t elements = 1;
  for (const int64_t dim : weights.dims()) elements *= dim;
  EXPECT_EQ(weights.data_type(), ::onnx::TensorProto::FLOAT);
  EXPECT_EQ(weights.raw_data().size(), static_cast<size_t>(elements) * sizeof(float));

  EXPECT_EQ(RunProgram("micrort-info", {model_, "--onnx", model_}).exit_code, 1);
  EXPECT_EQ(RunProgram("micrort-info", {model_, "--onnx", path, "--dot"}).exit_code, 1);
}

TEST_F(MicrortInfo, PrintsTheGraphForGraphviz) {
  const ProcessResult r = RunProgram("micrort-info", {model_, "--dot"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(r.out.rfind("digraph model {", 0), 0u);
  EXPECT_THAT(r.out, HasSubstr("\"inputs0_0\" [shape=ellipse, label=\"input\"]"));
  EXPECT_THAT(r.out, HasSubstr("[shape=box, label=\"Conv2D "));
  EXPECT_THAT(r.out, HasSubstr("\"inputs0_0\" -> \"op0_0\" [label=\"float32 1x1x32x24\"]"));
  EXPECT_THAT(r.out, HasSubstr(" -> \"outputs0_0\""));
  EXPECT_EQ(RunProgram("micrort-info", {model_, "--dot", "--json"}).exit_code, 1);
}

TEST_F(MicrortInfo, TextShowsTheRatio) {
  const ProcessResult r = RunProgram("micrort-info", {model_, "--plan"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("lower bound"));
  EXPECT_THAT(r.out, HasSubstr("ratio"));
}

TEST_F(MicrortInfo, ShowsTheScratchThatAFileAllows) {
  const std::string limited = folder_ / "limited.fb";
  const ProcessResult converted =
      RunProgram("mnnconvert", {SourceFile("examples/meter_reader/meter_digits.onnx"), "-o", limited,
                                "--target", "scalar", "--max-arena", "200000"});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_THAT(RunProgram("micrort-info", {limited}).out, HasSubstr("bytes of scratch at most"));
  const ProcessResult json = RunProgram("micrort-info", {limited, "--json"});
  const auto document = nlohmann::json::parse(json.out);
  EXPECT_EQ(document["schema_version"], 6);
  EXPECT_LE(document["subgraphs"][0]["operators"][0]["max_scratch"], 200000);
  EXPECT_THAT(RunProgram("micrort-info", {model_}).out, testing::Not(HasSubstr("bytes of scratch at most")));
}

// y = c ? -x : |x|
onnx::ModelProto ChoiceModel() {
  onnx::ModelProto model = ReluModel();
  onnx::ValueInfoProto* condition = model.mutable_graph()->add_input();
  condition->set_name("c");
  condition->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
  condition->mutable_type()->mutable_tensor_type()->mutable_shape();
  onnx::NodeProto* node = model.mutable_graph()->mutable_node(0);
  node->set_op_type("If");
  node->set_name("choose");
  node->set_input(0, "c");
  for (const auto& [name, op] : {std::pair{"then_branch", "Neg"}, std::pair{"else_branch", "Abs"}}) {
    onnx::AttributeProto* attribute = node->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::GRAPH);
    attribute->mutable_g()->set_name(op);
    onnx::NodeProto* inner = attribute->mutable_g()->add_node();
    inner->set_op_type(op);
    inner->add_input("x");
    inner->add_output("r");
    attribute->mutable_g()->add_output()->set_name("r");
  }
  return model;
}

TEST_F(MicrortInfo, ShowsTheGraphsInsideOperators) {
  WriteFile(folder_ / "choice.onnx", ChoiceModel().SerializeAsString());
  const std::string choice = folder_ / "choice.fb";
  const ProcessResult converted =
      RunProgram("mnnconvert", {folder_ / "choice.onnx", "-o", choice, "--quiet"});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  const ProcessResult text = RunProgram("micrort-info", {choice});
  EXPECT_THAT(text.out, HasSubstr("If choose runs subgraph 1 subgraph 2"));
  EXPECT_THAT(text.out, HasSubstr("subgraph 2 'Abs'"));
  const ProcessResult json = RunProgram("micrort-info", {choice, "--json"});
  const auto document = nlohmann::json::parse(json.out);
  EXPECT_EQ(document["subgraphs"].size(), 3u);
  EXPECT_EQ(document["subgraphs"][0]["operators"][0]["subgraphs"], nlohmann::json({1, 2}));
}

TEST_F(MicrortInfo, ShowsWhatIsKeptBetweenRuns) {
  onnx::ModelProto model = ReluModel();
  AddNode(&model, "Neg", "negate", "y", "next");
  *model.mutable_graph()->add_input() = model.graph().input(0);
  model.mutable_graph()->mutable_input(1)->set_name("last");
  onnx::NodeProto* sum = model.mutable_graph()->add_node();
  sum->set_op_type("Add");
  sum->add_input("next");
  sum->add_input("last");
  sum->add_output("sum");
  *model.mutable_graph()->add_output() = model.graph().output(0);
  model.mutable_graph()->mutable_output(1)->set_name("sum");
  const std::string source = folder_ / "stateful.onnx", converted = folder_ / "stateful.fb";
  WriteFile(source, model.SerializeAsString());
  const ProcessResult r =
      RunProgram("mnnconvert", {source, "-o", converted, "--state", "next=last", "--verify"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const ProcessResult text = RunProgram("micrort-info", {converted});
  EXPECT_THAT(text.out,
              HasSubstr("state, kept between runs\n  'last' float32 1x4 becomes 'next', zero at first"));
  const auto document = nlohmann::json::parse(RunProgram("micrort-info", {converted, "--json"}).out);
  EXPECT_EQ(document["schema_version"], 6);
  EXPECT_EQ(document["subgraphs"][0]["inputs"].size(), 1u);
  EXPECT_EQ(document["subgraphs"][0]["states"].size(), 1u);
  EXPECT_EQ(RunProgram("micrort-run", {converted}).exit_code, 0);
  const ProcessResult bench = RunProgram("micrort-bench", {converted, "--runs", "3", "--warmup", "1"});
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
}

TEST_F(MicrortInfo, PlansForTheSizesThatAreNamed) {
  onnx::ModelProto model = ReluModel();
  auto* shape =
      model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->clear_dim();
  for (const char* name : {"n", "c", "height", "width"}) shape->add_dim()->set_dim_param(name);
  onnx::NodeProto* pool = model.mutable_graph()->mutable_node(0);
  pool->set_op_type("MaxPool");
  onnx::AttributeProto* kernel = pool->add_attribute();
  kernel->set_name("kernel_shape");
  kernel->set_type(onnx::AttributeProto::INTS);
  for (int i = 0; i < 2; ++i) kernel->add_ints(2);
  *model.mutable_graph()->mutable_output(0)->mutable_type() = model.graph().input(0).type();
  const std::string source = folder_ / "pool.onnx", pooled = folder_ / "pool.fb";
  WriteFile(source, model.SerializeAsString());
  ASSERT_EQ(RunProgram("mnnconvert", {source, "-o", pooled, "--quiet"}).exit_code, 0);

  for (const char* report : {"--plan", "--program"}) {
    const ProcessResult refused = RunProgram("micrort-info", {pooled, report});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("inputs of these sizes do not fit the model: 'x' 1x1x1x1"));
    EXPECT_THAT(refused.err, HasSubstr("--input-shape NAME=1x3x224x224"));
    const ProcessResult sized = RunProgram("micrort-info", {pooled, report, "--input-shape", "x=1x3x8x6"});
    EXPECT_EQ(sized.exit_code, 0) << sized.err;
    EXPECT_THAT(sized.out, HasSubstr("1x3x7x5"));
  }
  const auto refuses = [&](std::vector<std::string> flags, const char* message) {
    flags.insert(flags.begin(), pooled);
    const ProcessResult r = RunProgram("micrort-info", flags);
    EXPECT_EQ(r.exit_code, 1);
    EXPECT_THAT(r.err, HasSubstr(message));
  };
  refuses({"--plan", "--input-shape", "x=1x3x8x?"}, "expected a number for dimension 3, found ?");
  refuses({"--plan", "--input-shape", "X=1x3x8x8"}, "no such input; did you mean x?");
  refuses({"--plan", "--input-shape", "x=1x3"}, "input 0 ('x')");
  refuses({"--plan", "--input-shape", "x=a"}, "expected NAME=1x3x224x224");
  refuses({"--input-shape", "x=1x3x8x8"}, "add --plan or --program");
}

TEST_F(MicrortInfo, WrongStatesAreNamed) {
  const std::string source = folder_ / "relu.onnx";
  WriteFile(source, ReluModel().SerializeAsString());
  ProcessResult r = RunProgram("mnnconvert", {source, "-o", folder_ / "relu.fb", "--state", "yx"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.err, HasSubstr("--state: expected OUT=IN, found 'yx'"));
  r = RunProgram("mnnconvert", {source, "-o", folder_ / "relu.fb", "--state", "y=xx"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.err, HasSubstr("relu.onnx: --state: the model has no input 'xx'; names like it: 'x'"));
}

}  // namespace
}  // namespace micrort::test
