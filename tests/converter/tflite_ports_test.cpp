// Inputs and outputs of TFLite models that share a tensor or a name.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/tflite_builder.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using NamedTensors = std::vector<std::pair<std::string, int>>;

std::vector<std::unique_ptr<fb::TensorMapT>> Entries(const NamedTensors& tensors) {
  std::vector<std::unique_ptr<fb::TensorMapT>> entries;
  for (const auto& [name, tensor] : tensors) {
    entries.push_back(std::make_unique<fb::TensorMapT>());
    entries.back()->name = name;
    entries.back()->tensor_index = static_cast<uint32_t>(tensor);
  }
  return entries;
}

// y = -x, z = relu(x).
struct TwoResults {
  TfliteBuilder b;
  int x = b.Input("x", {2}), y = b.Tensor("y"), z = b.Tensor("z");

  TwoResults() {
    b.Op("NEG", {x}, {y});
    b.Op("RELU", {x}, {z});
  }
  void Sign(const NamedTensors& inputs, const NamedTensors& outputs) {
    auto signature = std::make_unique<fb::SignatureDefT>();
    signature->signature_key = "serve";
    signature->inputs = Entries(inputs);
    signature->outputs = Entries(outputs);
    b.model.signature_defs.push_back(std::move(signature));
  }
};

struct PortsModel {
  std::vector<std::string> inputs, outputs;  // names
  std::map<std::string, Floats> values;
  std::vector<std::string> warnings;
};

PortsModel Convert(const TfliteBuilder& b, const std::string& signature,
                   const std::map<std::string, Floats>& given) {
  frontend::ImportOptions options;
  options.signature = signature;
  ImportedTflite imported = ImportTflite(b.Bytes(), options);
  EXPECT_TRUE(imported.status.ok()) << imported.status.message();
  PortsModel out;
  if (!imported.status.ok()) return out;
  const ir::Graph& graph = imported.graph();
  for (const ir::ValueId id : graph.inputs) out.inputs.push_back(graph.value(id).name);
  for (const ir::ValueId id : graph.outputs) out.outputs.push_back(graph.value(id).name);
  out.warnings = imported.diagnostics.warnings;
  const Status status = Evaluate(imported.graph(), given, &out.values);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

std::vector<std::string> ListedNames(const TfliteBuilder& b, bool inputs) {
  const std::string bytes = b.Bytes();
  std::vector<frontend::Offer> offers;
  const Status status =
      frontend::ListModel("model.tflite", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
                          frontend::SourceFormat::kTflite, {}, &offers);
  EXPECT_TRUE(status.ok()) << status.message();
  std::vector<std::string> names;
  for (const frontend::Offer& offer : offers) {
    for (const auto& tensor : inputs ? offer.inputs : offer.outputs) names.push_back(tensor.name);
  }
  return names;
}

TEST(TflitePorts, SignaturesNameATensorSeveralTimes) {
  TwoResults net;
  net.b.Output(net.y).Output(net.z);
  net.Sign({{"in", net.x}}, {{"a", net.y}, {"b", net.z}, {"c", net.y}});
  const PortsModel result = Convert(net.b, "serve", {{"in", {1, -2}}});
  EXPECT_THAT(result.outputs, ElementsAre("a", "b", "c"));
  EXPECT_EQ(result.values.at("a"), Floats({-1, 2}));
  EXPECT_EQ(result.values.at("b"), Floats({1, 0}));
  EXPECT_EQ(result.values.at("c"), Floats({-1, 2}));
  EXPECT_THAT(ListedNames(net.b, false), ElementsAre("a", "b", "c"));
  EXPECT_THAT(result.warnings, IsEmpty());
}

// The signature counts, however often the subgraph lists the tensor.
TEST(TflitePorts, SignaturesOfTensorsListedTwice) {
  TwoResults net;
  net.b.Output(net.y).Output(net.z).Output(net.y);
  net.Sign({{"in", net.x}}, {{"b", net.y}, {"c", net.z}});
  EXPECT_THAT(Convert(net.b, "serve", {{"in", {1, -2}}}).outputs, ElementsAre("b", "c"));
  EXPECT_THAT(ListedNames(net.b, false), ElementsAre("b", "c"));
}

// Also of tensors that the subgraph does not list.
TEST(TflitePorts, SignaturesGiveInputsAndInnerTensors) {
  TwoResults net;
  net.b.Output(net.z);
  net.Sign({{"in", net.x}}, {{"p", net.x}, {"inner", net.y}, {"q", net.x}});
  const PortsModel result = Convert(net.b, "serve", {{"in", {1, -2}}});
  EXPECT_THAT(result.outputs, ElementsAre("z", "p", "inner", "q"));
  EXPECT_EQ(result.values.at("p"), Floats({1, -2}));
  EXPECT_EQ(result.values.at("inner"), Floats({-1, 2}));
  EXPECT_EQ(result.values.at("q"), Floats({1, -2}));
}

// TFLite sets one after the other.
TEST(TflitePorts, OfInputsThatAreOneTensorTheLastOneCounts) {
  TwoResults net;
  net.b.Output(net.y);
  net.Sign({{"i", net.x}, {"j", net.x}}, {{"out", net.y}});
  const PortsModel result = Convert(net.b, "serve", {{"i", {7, 8}}, {"j", {1, -2}}});
  EXPECT_THAT(result.inputs, ElementsAre("i", "j"));
  EXPECT_EQ(result.values.at("out"), Floats({-1, 2}));
  EXPECT_THAT(result.warnings, ElementsAre("input 'i' is not read: 'j' is the same tensor"));
  EXPECT_THAT(ListedNames(net.b, true), ElementsAre("i", "j"));
}

TEST(TflitePorts, OutputsListedTwice) {
  TwoResults net;
  const int k = net.b.Floats("k", {1}, {5});
  for (const int output : {net.z, net.x, net.z, k, k}) net.b.Output(output);
  const PortsModel result = Convert(net.b, "", {{"x", {1, -2}}});
  EXPECT_THAT(result.outputs, ElementsAre("z", "x_1", "z_1", "k", "k_1"));
  EXPECT_EQ(result.values.at("z"), Floats({1, 0}));
  EXPECT_EQ(result.values.at("x_1"), Floats({1, -2}));
  EXPECT_EQ(result.values.at("z_1"), Floats({1, 0}));
  EXPECT_EQ(result.values.at("k_1"), Floats({5}));
  EXPECT_THAT(result.warnings, ElementsAre(HasSubstr("'x' is called 'x_1'"), HasSubstr("'z' is called 'z_1'"),
                                           HasSubstr("'k_1'")));
}

// Names of inputs are taken, too.
TEST(TflitePorts, OutputsNamedLikeInputs) {
  TwoResults net;
  net.b.Output(net.x).Output(net.y).Output(net.x);
  const PortsModel result = Convert(net.b, "", {{"x", {1, -2}}});
  EXPECT_THAT(result.outputs, ElementsAre("x_1", "y", "x_2"));
  EXPECT_EQ(result.values.at("x_2"), Floats({1, -2}));
}

// A name that is made does not take that of another output.
TEST(TflitePorts, TensorsOfOneName) {
  TwoResults net;
  const int inner = net.b.Tensor("y_1");
  net.b.Op("NEG", {net.z}, {inner});
  net.b.tensor(net.z).name = "y";
  net.b.Output(net.y).Output(net.z).Output(inner);
  const PortsModel result = Convert(net.b, "", {{"x", {1, -2}}});
  EXPECT_THAT(result.outputs, ElementsAre("y", "y_2", "y_1"));
  EXPECT_EQ(result.values.at("y"), Floats({-1, 2}));
  EXPECT_EQ(result.values.at("y_2"), Floats({1, 0}));
  EXPECT_EQ(result.values.at("y_1"), Floats({-1, -0.0f}));
}

TEST(TflitePorts, TensorsWithoutNames) {
  TwoResults net;
  net.b.tensor(net.y).name = net.b.tensor(net.z).name = "";
  net.b.Output(net.z).Output(net.y).Output(net.z);
  EXPECT_THAT(Convert(net.b, "", {{"x", {1, -2}}}).outputs,
              ElementsAre("output_2", "output_1", "output_2_1"));
}

}  // namespace
}  // namespace micrort::testing
