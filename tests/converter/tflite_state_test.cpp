// What TFLite models keep between runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/converter/tflite_builder.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

fb::VarHandleOptionsT Named(const std::string& name) {
  fb::VarHandleOptionsT options;
  options.shared_name = name;
  return options;
}

// y = sum of all x so far, from `first` where that is given by a second subgraph.
TfliteBuilder RunningSum(const Floats& first) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}), handle = b.Tensor("handle", {}, fb::TensorType::Resource);
  const int before = b.Tensor("before", {2}), y = b.Tensor("y", {2});
  if (!first.empty()) {
    fb::CallOnceOptionsT once;
    once.init_subgraph_index = 1;
    b.Op("CALL_ONCE", {}, {}, once);
  }
  b.Op("VAR_HANDLE", {}, {handle}, Named("sum"));
  b.Op("READ_VARIABLE", {handle}, {before});
  b.Op("ADD", {x, before}, {y}, fb::AddOptionsT());
  b.Op("ASSIGN_VARIABLE", {handle, y}, {});
  b.Output(y);
  if (first.empty()) return b;
  TfliteBuilder init;
  const int inner = init.Tensor("handle", {}, fb::TensorType::Resource),
            value = init.Floats("first", {2}, first);
  init.Op("VAR_HANDLE", {}, {inner}, Named("sum"));
  init.Op("ASSIGN_VARIABLE", {inner, value}, {});
  for (auto& op : init.graph().operators)
    op->opcode_index += static_cast<uint32_t>(b.model.operator_codes.size());
  for (auto& code : init.model.operator_codes) b.model.operator_codes.push_back(std::move(code));
  init.tensor(value).buffer = b.AddBuffer(init.model.buffers[init.tensor(value).buffer]->data);
  b.model.subgraphs.push_back(std::move(init.model.subgraphs[0]));
  return b;
}

TEST(TfliteState, VariablesAreStatesOfTheGraph) {
  ImportedTflite result = ImportTflite(RunningSum({}).Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  ir::Graph& graph = result.graph();
  ASSERT_EQ(graph.states.size(), 1u);
  EXPECT_EQ(graph.states[0].initial, nullptr);
  EXPECT_EQ(graph.caller_inputs(), 1u);
  EXPECT_EQ(graph.caller_outputs(), 1u);
  EXPECT_EQ(graph.value(graph.inputs[1]).name, "sum");
  std::map<std::string, Floats> outputs;
  ASSERT_TRUE(Evaluate(graph, {{"x", {1, 2}}, {"sum", {10, 20}}}, &outputs).ok());
  EXPECT_EQ(outputs["y"], Floats({11, 22}));
  EXPECT_EQ(outputs["sum/next"], Floats({11, 22}));
}

TEST(TfliteState, TheFirstValueComesFromTheSubgraphThatRunsOnce) {
  ImportedTflite result = ImportTflite(RunningSum({5, 6}).Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  ASSERT_EQ(result.graph().states.size(), 1u);
  ASSERT_NE(result.graph().states[0].initial, nullptr);
  EXPECT_EQ(reinterpret_cast<const float*>(result.graph().states[0].initial->data())[1], 6.0f);
}

TEST(TfliteState, VariablesThatNothingChangesAreConstants) {
  TfliteBuilder b = RunningSum({5, 6});
  b.graph().operators.pop_back();
  ImportedTflite result = ImportTflite(b.Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_TRUE(result.graph().states.empty());
  std::map<std::string, Floats> outputs;
  ASSERT_TRUE(Evaluate(result.graph(), {{"x", {1, 2}}}, &outputs).ok());
  EXPECT_EQ(outputs["y"], Floats({6, 8}));
}

TEST(TfliteState, SubgraphsThatDoNotExistAreRefused) {
  TfliteBuilder b = RunningSum({});
  fb::CallOnceOptionsT once;
  once.init_subgraph_index = 9;
  b.Op("CALL_ONCE", {}, {}, once);
  EXPECT_THAT(ImportTflite(b.Bytes()).status.message(), HasSubstr("subgraph 9 of 1"));
}

// One unit, weights of 1 for the input and 0 for what was before: c' = f c + i g, h = o tanh(c').
struct LstmTensors {
  int output, cell, y;
};

LstmTensors AddLstm(TfliteBuilder* b, int x, float cell_clip) {
  const int w = b->Floats("w", {1, 1}, {1}), r = b->Floats("r", {1, 1}, {0.5f}),
            bias = b->Floats("bias", {1}, {0});
  LstmTensors t = {b->Tensor("h", {1, 1}), b->Tensor("c", {1, 1}), b->Tensor("y", {1, 2, 1})};
  b->tensor(t.output).is_variable = b->tensor(t.cell).is_variable = true;
  fb::UnidirectionalSequenceLSTMOptionsT o;
  o.fused_activation_function = fb::ActivationFunctionType::Tanh;
  o.cell_clip = cell_clip;
  b->Op("UNIDIRECTIONAL_SEQUENCE_LSTM",
        {x, w, w, w, w, r, r, r, r, -1, -1, -1, bias, bias, bias, bias, -1, -1, t.output, t.cell}, {t.y}, o);
  b->Output(t.y);
  return t;
}

Floats RunLstm(float cell_clip, const Floats& x, float h, float c) {
  TfliteBuilder b;
  AddLstm(&b, b.Input("x", {1, 2, 1}), cell_clip);
  return RunTflite(b, {{"x", x}, {"h", {h}}, {"c", {c}}})["y"];
}

Floats LstmByHand(float cell_clip, const Floats& x, float h, float c) {
  Floats steps;
  for (const float v : x) {
    const float sum = v + 0.5f * h, gate = 1 / (1 + std::exp(-sum));
    c = gate * c + gate * std::tanh(sum);
    if (cell_clip > 0) c = std::max(-cell_clip, std::min(cell_clip, c));
    h = gate * std::tanh(c);
    steps.push_back(h);
  }
  return steps;
}

TEST(TfliteState, SeveralOfThemComeAfterTheCallersOutputs) {
  TfliteBuilder b;
  const LstmTensors t = AddLstm(&b, b.Input("x", {1, 2, 1}), 0);
  ImportedTflite result = ImportTflite(b.Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  const ir::Graph& graph = result.graph();
  ASSERT_EQ(graph.states.size(), 2u);
  ASSERT_EQ(graph.outputs.size(), 3u);
  EXPECT_EQ(graph.value(graph.outputs[0]).name, b.tensor(t.y).name);
  for (size_t k = 1; k < 3; ++k) {
    EXPECT_EQ(graph.value(graph.outputs[k]).name, graph.value(graph.inputs[k]).name + "/next");
  }
}

TEST(TfliteLstm, StartsFromItsStateAndClipsItsCell) {
  for (const float clip : {0.0f, 0.25f}) {
    const Floats found = RunLstm(clip, {1, 2}, 0.5f, 3), expected = LstmByHand(clip, {1, 2}, 0.5f, 3);
    ASSERT_EQ(found.size(), 2u);
    for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << clip;
  }
}

// Features of the last two steps, weighted by 10 and 1; the state holds the one before.
TEST(TfliteSvdf, WeighsWhatItKeeps) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1}), state = b.Tensor("state", {1, 2}), y = b.Tensor("y");
  b.tensor(state).is_variable = true;
  fb::SVDFOptionsT o;
  o.rank = 1;
  b.Op("SVDF", {x, b.Floats("f", {1, 1}, {2}), b.Floats("t", {1, 2}, {10, 1}), -1, state}, {y}, o);
  b.Output(y);
  auto outputs = RunTflite(b, {{"x", {3}}, {"state", {7, 4}}});
  EXPECT_EQ(outputs["y"], Floats({46}));
  EXPECT_EQ(outputs["state/next"], Floats({4, 6}));
}

}  // namespace
}  // namespace micrort::testing
