// ONNX graphs that end at values inside them.

#include "converter/frontend/onnx/keep_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace micrort::frontend::onnx {
namespace {

void AddNode(::onnx::GraphProto* graph, const std::string& input, const std::string& output) {
  ::onnx::NodeProto* node = graph->add_node();
  node->set_op_type("Relu");
  node->add_input(input);
  node->add_output(output);
}

// x → a → b → y, x → c.
::onnx::GraphProto Chain() {
  ::onnx::GraphProto graph;
  graph.add_input()->set_name("x");
  AddNode(&graph, "x", "a");
  AddNode(&graph, "x", "c");
  AddNode(&graph, "a", "b");
  AddNode(&graph, "b", "y");
  graph.add_output()->set_name("y");
  return graph;
}

std::vector<std::string> Computed(const ::onnx::GraphProto& graph) {
  std::vector<std::string> names;
  for (const auto& node : graph.node()) names.push_back(node.output(0));
  return names;
}

TEST(KeepOutputs, ChangesNothingWithoutNames) {
  ::onnx::GraphProto graph = Chain();
  ASSERT_TRUE(KeepOutputs({}, &graph).ok());
  EXPECT_EQ(graph.SerializeAsString(), Chain().SerializeAsString());
}

TEST(KeepOutputs, DropsWhatTheyDoNotNeed) {
  ::onnx::GraphProto graph = Chain();
  ASSERT_TRUE(KeepOutputs({"b", "a"}, &graph).ok());
  EXPECT_THAT(Computed(graph), ::testing::ElementsAre("a", "b"));
  ASSERT_EQ(graph.output_size(), 2);
  EXPECT_EQ(graph.output(0).name(), "b");
  EXPECT_EQ(graph.output(1).name(), "a");
}

TEST(KeepOutputs, SeesWhatInnerGraphsRead) {
  ::onnx::GraphProto graph = Chain();
  ::onnx::NodeProto* node = graph.add_node();
  node->set_op_type("If");
  node->add_input("a");
  node->add_output("z");
  AddNode(node->add_attribute()->mutable_g(), "c", "inner");
  ASSERT_TRUE(KeepOutputs({"z"}, &graph).ok());
  EXPECT_THAT(Computed(graph), ::testing::ElementsAre("a", "c", "z"));
}

TEST(KeepOutputs, RefusesUnknownAndRepeatedNames) {
  ::onnx::GraphProto graph = Chain();
  EXPECT_THAT(KeepOutputs({"nowhere"}, &graph).message(), ::testing::HasSubstr("no tensor 'nowhere'"));
  EXPECT_THAT(KeepOutputs({"a", "a"}, &graph).message(), ::testing::HasSubstr("twice"));
}

}  // namespace
}  // namespace micrort::frontend::onnx
