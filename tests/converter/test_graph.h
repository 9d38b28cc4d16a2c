#pragma once
// Small graphs for tests, built by hand.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "converter/ir/build.h"
#include "converter/ir/infer.h"

namespace micrort {

// A module of one graph that is added to from the inputs on.
class TestGraph {
 public:
  TestGraph() { module_.graphs.push_back(std::make_unique<ir::Graph>()); }

  ir::Module& module() { return module_; }
  ir::Graph& graph() { return module_.entry(); }
  ir::Value& value(const std::string& name) { return graph().value(graph().FindValue(name)); }
  ir::Node& node(size_t i) { return *graph().nodes[i]; }

  ir::ValueId Input(const std::string& name, std::vector<int64_t> shape, DType dtype = DType::kFloat32) {
    ir::Value value;
    value.name = name;
    value.dtype = dtype;
    value.has_shape = true;
    value.in_source = true;
    value.shape = std::move(shape);
    const ir::ValueId id = graph().AddValue(std::move(value));
    graph().inputs.push_back(id);
    return id;
  }

  // Values that vary from element to element, in (-1, 1).
  ir::ValueId Weights(const std::string& name, std::vector<int64_t> shape, float scale = 1.0f) {
    int64_t n = 1;
    for (const int64_t d : shape) n *= d;
    std::vector<float> elements;
    for (int64_t i = 0; i < n; ++i)
      elements.push_back(scale * static_cast<float>((i * 37 + 11) % 97 - 48) / 49.0f);
    return graph().AddConstantOf(name, std::move(shape), elements);
  }

  // A node whose output is named; infers the output's type and shape.
  template <typename OptionsT>
  ir::ValueId Add(const std::string& output, OptionsT options, std::vector<ir::ValueId> inputs) {
    ir::Builder builder(graph(), {output, "Test", 13}, output);
    const ir::ValueId id = builder.Add(std::move(options), std::move(inputs));
    graph().Rename(id, output);
    graph().value(id).in_source = true;
    const Status status = ir::InferShapes(graph());
    EXPECT_TRUE(status.ok()) << status.message();
    return id;
  }

  // A 3x3 convolution that keeps height and width, with a bias, to `channels` channels.
  ir::ValueId Conv(const std::string& output, ir::ValueId x, int64_t channels,
                   schema::Activation activation = schema::Activation()) {
    schema::Conv2DOptionsT options;
    options.pad_top = options.pad_left = options.pad_bottom = options.pad_right = 1;
    options.activation = activation;
    const int64_t depth = graph().value(x).shape[3];
    const ir::ValueId weights = Weights(output + ".weights", {channels, 3, 3, depth}, 0.3f);
    const ir::ValueId bias = Weights(output + ".bias", {channels}, 0.1f);
    return Add(output, std::move(options), {x, weights, bias});
  }

  ir::ValueId Unary(const std::string& output, schema::UnaryKind kind, ir::ValueId x) {
    schema::UnaryOptionsT options;
    options.kind = kind;
    return Add(output, std::move(options), {x});
  }

  ir::ValueId Binary(const std::string& output, schema::BinaryKind kind, ir::ValueId a, ir::ValueId b) {
    schema::BinaryOptionsT options;
    options.kind = kind;
    return Add(output, std::move(options), {a, b});
  }

  void Outputs(std::vector<ir::ValueId> ids) { graph().outputs = std::move(ids); }

 private:
  ir::Module module_;
};

inline schema::Activation Relu() { return {schema::ActivationKind::Clip, 0.0f, 1e30f}; }

}  // namespace micrort
