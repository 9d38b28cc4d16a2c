// Operators of a program's own in a network that becomes int8.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "kernels/base/dtype.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tools/io/npy.h"

namespace micrort::test {
namespace {

// y = Conv(Half(Conv(x))), 1x8x8x8 each, with convolutions of 3x3 that have enough work to be quantized.
class CustomInt8 : public ::testing::Test {
 protected:
  onnx::ModelProto Network(const std::string& op) {
    onnx::ModelProto model = ReluModel();
    onnx::OperatorSetIdProto* opset = model.add_opset_import();
    opset->set_domain("com.acme");
    opset->set_version(1);
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.clear_node();
    for (onnx::ValueInfoProto* value :
         {graph.mutable_input(0), graph.mutable_output(0), graph.add_value_info()}) {
      value->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
      onnx::TensorShapeProto* shape = value->mutable_type()->mutable_tensor_type()->mutable_shape();
      shape->clear_dim();
      for (const int dim : {1, 8, 8, 8}) shape->add_dim()->set_dim_value(dim);
    }
    graph.mutable_value_info(0)->set_name("halved");
    AddNode(&model, "Conv", "first", graph.input(0).name(), "c");
    AddNode(&model, op, "half", "c", "halved");
    graph.mutable_node(1)->set_domain("com.acme");
    AddNode(&model, "Conv", "last", "halved", graph.output(0).name());
    for (const int i : {0, 2}) AddWeights(&graph, i);
    return model;
  }

  void AddWeights(onnx::GraphProto* graph, int node) {
    onnx::NodeProto* conv = graph->mutable_node(node);
    conv->add_input(conv->name() + ".w");
    onnx::AttributeProto* pads = conv->add_attribute();
    pads->set_name("pads");
    pads->set_type(onnx::AttributeProto::INTS);
    for (int i = 0; i < 4; ++i) pads->add_ints(1);
    onnx::TensorProto* weights = graph->add_initializer();
    weights->set_name(conv->name() + ".w");
    weights->set_data_type(onnx::TensorProto::FLOAT);
    for (const int dim : {8, 8, 3, 3}) weights->add_dims(dim);
    for (int i = 0; i < 8 * 8 * 9; ++i) weights->add_float_data(Next());
  }

  float Next() { return std::uniform_real_distribution<float>(-1, 1)(random_); }

  nlohmann::json Converted(const std::string& op) {
    WriteFile(folder_ / "x.onnx", Network(op).SerializeAsString());
    std::vector<float> samples(4 * 512);
    for (float& v : samples) v = Next();
    const std::vector<uint8_t> npy = io::FormatNpy(DType::kFloat32, {4, 1, 8, 8, 8}, samples.data());
    WriteFile(folder_ / "x.npy", {npy.begin(), npy.end()});
    const ProcessResult r =
        RunProgram("mnnconvert", {folder_ / "x.onnx", "-o", folder_ / "x.fb", "--custom-domain", "com.acme",
                                  "--custom-ops", MICRORT_HALF_OP, "--quant", "int8", "--calib",
                                  folder_ / "x.npy", "--verify", "--min-snr", "25"});
    EXPECT_EQ(r.exit_code, 0) << r.err << r.out;
    const ProcessResult info = RunProgram("micrort-info", {folder_ / "x.fb", "--json"});
    EXPECT_EQ(info.exit_code, 0) << info.err;
    return nlohmann::json::parse(info.out)["subgraphs"][0];
  }

  static std::string InputTypeOf(const nlohmann::json& subgraph, const std::string& type) {
    for (const auto& op : subgraph["operators"]) {
      if (op["type"] == type) return subgraph["tensors"][op["inputs"][0].get<size_t>()]["dtype"];
    }
    return "";
  }

  const TemporaryFolder folder_;
  std::mt19937 random_{1};
};

TEST_F(CustomInt8, TakeInt8BetweenInt8LayersIfTheyCan) {
  const nlohmann::json subgraph = Converted("Half");
  EXPECT_EQ(InputTypeOf(subgraph, "Custom"), "int8");
  EXPECT_EQ(InputTypeOf(subgraph, "Dequantize"), "");
}

TEST_F(CustomInt8, StayInFloatIfTheyCannot) {
  EXPECT_EQ(InputTypeOf(Converted("FloatHalf"), "Custom"), "float32");
}

}  // namespace
}  // namespace micrort::test
