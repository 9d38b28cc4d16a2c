// Signal operators of TensorFlow Lite Micro that keep samples from run to run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::streams {
namespace {

using ::testing::HasSubstr;

constexpr auto kShorts = fb::TensorType::Int16;

// A model with one operator, run again and again.
class Stream {
 public:
  Stream(const std::string& op, std::vector<int32_t> x, fb::TensorType type,
         const std::map<std::string, int>& options,
         std::vector<std::pair<std::string, fb::TensorType>> outputs, std::vector<int32_t> y = {}) {
    TfliteBuilder b;
    std::vector<int32_t> ids;
    const int input = b.Input("x", std::move(x), type);
    for (const auto& [name, output_type] : outputs) ids.push_back(b.Tensor(name, y, output_type));
    b.Op(op, {input}, ids).custom_options = FlexInts(options);
    for (const int32_t id : ids) b.Output(id);
    imported_ = ImportTflite(b.Bytes());
    EXPECT_TRUE(imported_.status.ok()) << imported_.status.message();
    for (const ir::State& state : imported_.graph().states) initial_.push_back(state.initial);
    const ir::Graph& graph = imported_.graph();
    for (size_t i = 0; i < initial_.size(); ++i) {
      const ir::Value& value = graph.value(graph.inputs[graph.caller_inputs() + i]);
      Floats& floats = values_[value.name];
      for (int64_t k = 0; k < value.elements(); ++k)
        floats.push_back(initial_[i] == nullptr ? 0
                                                : Element(value.dtype, *initial_[i], static_cast<size_t>(k)));
    }
  }

  std::map<std::string, Floats> Run(const Floats& x) {
    std::map<std::string, Floats> outputs;
    values_["x"] = x;
    const Status status = Evaluate(imported_.graph(), values_, &outputs);
    EXPECT_TRUE(status.ok()) << status.message();
    const ir::Graph& graph = imported_.graph();
    for (size_t i = 0; i < initial_.size(); ++i) {
      values_[graph.value(graph.inputs[graph.caller_inputs() + i]).name] =
          outputs[graph.value(graph.outputs[graph.caller_outputs() + i]).name];
    }
    return outputs;
  }

 private:
  static float Element(DType dtype, const ir::Bytes& bytes, size_t i) {
    if (dtype == DType::kInt32) return static_cast<float>(reinterpret_cast<const int32_t*>(bytes.data())[i]);
    return static_cast<float>(reinterpret_cast<const int8_t*>(bytes.data())[i]);
  }

  ImportedTflite imported_;
  std::vector<std::shared_ptr<const ir::Bytes>> initial_;
  std::map<std::string, Floats> values_;
};

const std::vector<std::pair<std::string, fb::TensorType>> kFrameAndFlag = {{"y", kShorts},
                                                                           {"valid", fb::TensorType::Bool}};

TEST(TfliteStream, FramesOverlap) {
  Stream framer("SignalFramer", {4}, kShorts, {{"frame_size", 3}, {"frame_step", 2}, {"prefill", 1}},
                kFrameAndFlag);
  auto outputs = framer.Run({1, 2, 3, 4});
  EXPECT_EQ(outputs["y"], Floats({0, 1, 2, 2, 3, 4}));
  EXPECT_EQ(outputs["valid"], Floats({1}));
  EXPECT_EQ(framer.Run({5, 6, 7, 8})["y"], Floats({4, 5, 6, 6, 7, 8}));
}

// Frames begin where the stream did, so there is none before two steps.
TEST(TfliteStream, FramesWaitForTheFirstSamples) {
  Stream framer("SignalFramer", {2}, kShorts, {{"frame_size", 3}, {"frame_step", 2}, {"prefill", 0}},
                kFrameAndFlag);
  EXPECT_EQ(framer.Run({1, 2})["valid"], Floats({0}));
  auto outputs = framer.Run({3, 4});
  EXPECT_EQ(outputs["y"], Floats({1, 2, 3}));
  EXPECT_EQ(outputs["valid"], Floats({1}));
  outputs = framer.Run({5, 6});
  EXPECT_EQ(outputs["y"], Floats({3, 4, 5}));
  EXPECT_EQ(outputs["valid"], Floats({1}));
}

TEST(TfliteStream, StackedFramesEveryOtherRun) {
  Stream stacker(
      "SignalStacker", {2}, kShorts,
      {{"num_channels", 2}, {"stacker_left_context", 1}, {"stacker_right_context", 1}, {"stacker_step", 2}},
      kFrameAndFlag);
  EXPECT_EQ(stacker.Run({1, 2})["valid"], Floats({0}));
  auto outputs = stacker.Run({3, 4});
  EXPECT_EQ(outputs["valid"], Floats({1}));
  EXPECT_EQ(outputs["y"], Floats({1, 2, 1, 2, 3, 4}));
  EXPECT_EQ(stacker.Run({5, 6})["valid"], Floats({0}));
  outputs = stacker.Run({7, 8});
  EXPECT_EQ(outputs["valid"], Floats({1}));
  EXPECT_EQ(outputs["y"], Floats({3, 4, 5, 6, 7, 8}));
}

TEST(TfliteStream, DelayOfMoreThanAFrame) {
  Stream delay("SignalDelay", {2, 2}, kShorts, {{"delay_length", 3}}, {{"y", kShorts}});
  EXPECT_EQ(delay.Run({1, 2, 10, 20})["y"], Floats({0, 0, 0, 0}));
  EXPECT_EQ(delay.Run({3, 4, 30, 40})["y"], Floats({0, 1, 0, 10}));
  EXPECT_EQ(delay.Run({5, 6, 50, 60})["y"], Floats({2, 3, 20, 30}));
}

TEST(TfliteStream, OverlappingFramesAddUpAndSaturate) {
  Stream adder("SignalOverlapAdd", {2, 3}, kShorts, {{"frame_step", 2}, {"T", 7}}, {{"y", kShorts}});
  EXPECT_EQ(adder.Run({1, 2, 30000, 10000, 20, 30})["y"], Floats({1, 2, 32767, 20}));
  EXPECT_EQ(adder.Run({1, 1, 1, 1, 1, 1})["y"], Floats({31, 1, 2, 1}));
}

TEST(TfliteStream, CircularBufferHoldsTheLastSlots) {
  Stream buffer("CIRCULAR_BUFFER", {1, 1, 1, 2}, fb::TensorType::Int8, {{"cycles_max", 1}},
                {{"y", fb::TensorType::Int8}}, {1, 3, 1, 2});
  EXPECT_EQ(buffer.Run({1, 2})["y"], Floats({0, 0, 0, 0, 1, 2}));
  EXPECT_EQ(buffer.Run({3, 4})["y"], Floats({0, 0, 1, 2, 3, 4}));
  buffer.Run({5, 6});
  EXPECT_EQ(buffer.Run({7, 8})["y"], Floats({3, 4, 5, 6, 7, 8}));
}

// The second buffer takes a slot in every second run.
TEST(TfliteStream, WhatFollowsACircularBufferRunsLessOften) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1, 1, 1}, fb::TensorType::Int8),
            y = b.Tensor("y", {1, 2, 1, 1}, fb::TensorType::Int8),
            sum = b.Tensor("sum", {1, 1, 1, 1}, fb::TensorType::Int8),
            z = b.Tensor("z", {1, 2, 1, 1}, fb::TensorType::Int8);
  b.Op("CIRCULAR_BUFFER", {x}, {y}).custom_options = FlexInts({{"cycles_max", 2}});
  fb::ReducerOptionsT keep;
  keep.keep_dims = true;
  b.Op("REDUCE_MAX", {y, b.Integers("axes", {1})}, {sum}, keep);
  b.Op("CIRCULAR_BUFFER", {sum}, {z}).custom_options = FlexInts({{"cycles_max", 1}});
  b.Output(z);
  ImportedTflite imported = ImportTflite(b.Bytes());
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ASSERT_EQ(imported.graph().states.size(), 4u);
  std::map<std::string, Floats> values, outputs;
  const ir::Graph& graph = imported.graph();
  const auto name = [&](const std::vector<ir::ValueId>& ports, size_t i) {
    return graph.value(ports[ports.size() - 4 + i]).name;
  };
  for (size_t i = 0; i < 4; ++i)
    values[name(graph.inputs, i)] = i % 2 == 0 ? Floats({0, 0}) : Floats({i == 1 ? 2.0f : 1.0f});
  std::vector<Floats> z_values;
  for (const float sample : {1.0f, 2.0f, 3.0f, 4.0f}) {
    values["x"] = {sample};
    ASSERT_TRUE(Evaluate(graph, values, &outputs).ok());
    for (size_t i = 0; i < 4; ++i) values[name(graph.inputs, i)] = outputs[name(graph.outputs, i)];
    z_values.push_back(outputs["z"]);
  }
  EXPECT_EQ(z_values[1], Floats({0, 2}));
  EXPECT_EQ(z_values[3], Floats({2, 4}));
}

TEST(TfliteStream, OptionsAreChecked) {
  const auto refusal = [](const std::string& op, const std::map<std::string, int>& options) {
    TfliteBuilder b;
    const int x = b.Input("x", {4}, kShorts), y = b.Tensor("y", {}, kShorts),
              valid = b.Tensor("v", {}, fb::TensorType::Bool);
    b.Op(op, {x}, {y, valid}).custom_options = FlexInts(options);
    b.Output(y);
    const ImportedTflite result = ImportTflite(b.Bytes());
    EXPECT_EQ(result.status.code(), StatusCode::kInvalidModel);
    return std::string(result.status.message());
  };
  EXPECT_THAT(refusal("SignalFramer", {{"frame_size", 3}, {"frame_step", 4}}), HasSubstr("expected 1 to 3"));
  EXPECT_THAT(refusal("SignalFramer", {{"frame_size", 3}}), HasSubstr("no 'frame_step'"));
  EXPECT_THAT(refusal("SignalFramer", {{"frame_size", 3}, {"frame_step", 3}}), HasSubstr("steps of 3"));
  EXPECT_THAT(refusal("SignalDelay", {{"delay_length", -1}}), HasSubstr("delay_length"));
  EXPECT_THAT(refusal("SignalStacker", {{"num_channels", 2},
                                        {"stacker_left_context", 0},
                                        {"stacker_right_context", 0},
                                        {"stacker_step", 1}}),
              HasSubstr("expected 2 channels"));
}

}  // namespace
}  // namespace micrort::testing::streams
