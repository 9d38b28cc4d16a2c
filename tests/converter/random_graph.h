#pragma once
// A graph of some 14 nodes, by seed: transposes, shapes, convolutions, concatenations and more, of two inputs
// and three outputs.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "converter/ir/infer.h"
#include "tests/converter/graph_testing.h"

namespace micrort::testing {

class RandomGraph {
 public:
  explicit RandomGraph(uint32_t seed) : random_(seed) {
    values_.push_back(g_.Input("x", {2, 3, 4, 2}));
    values_.push_back(g_.Input("y", {1, 6, 1, 4}));
    for (int i = 0; i < 14; ++i) AddNode("v" + std::to_string(i));
    for (int i = 0; i < 3; ++i) AddOutput();
  }
  ir::Graph& graph() { return g_.graph; }

 private:
  int Below(size_t n) { return static_cast<int>(random_() % n); }
  ir::ValueId Any() { return values_[static_cast<size_t>(Below(values_.size()))]; }
  const ir::Value& Of(ir::ValueId id) const { return g_.graph.value(id); }

  void AddNode(const std::string& name) {
    const ir::ValueId x = Any();
    const int rank = Of(x).rank();
    switch (Below(12)) {
      case 0:
      case 1:
      case 2:
        return Add(g_.Transpose(name, x, RandomPermutation(rank)));
      case 3:
        return Add(g_.Reshape(name, x, RandomShape(Of(x).elements())));
      case 4:
        return Add(g_.Relu(name, x));
      case 5:
        return Add(g_.Binary(name, schema::BinaryKind::Add, x, Partner(x)));
      case 6:
        return Add(g_.Concat(name, {x, Partner(x)}, Below(static_cast<size_t>(rank))));
      case 7:
        return AddSlice(name, x);
      case 8:
        return AddReduce(name, x);
      case 9:
        return AddSoftmax(name, x);
      default:
        return rank == 4 ? AddConvolution(name, x) : AddPad(name, x);
    }
  }

  void Add(ir::ValueId id) {
    ASSERT_TRUE(ir::InferShapes(g_.graph).ok());
    values_.push_back(id);
  }

  void AddSlice(const std::string& name, ir::ValueId x) {
    schema::SliceOptionsT options;
    const int axis = Below(Of(x).shape.size());
    options.axes = {axis};
    options.starts = {0};
    options.ends = {std::max<int64_t>(1, Of(x).shape[static_cast<size_t>(axis)] / 2)};
    options.steps = {1};
    Add(g_.Node(name, std::move(options), {x}));
  }

  void AddReduce(const std::string& name, ir::ValueId x) {
    schema::ReduceOptionsT options;
    options.kind = schema::ReduceKind::Max;
    options.axes = {Below(Of(x).shape.size())};
    options.keep_dims = Of(x).rank() == 1 || Below(2) == 0;
    Add(g_.Node(name, std::move(options), {x}));
  }

  void AddSoftmax(const std::string& name, ir::ValueId x) {
    schema::SoftmaxOptionsT options;
    options.axis = Below(Of(x).shape.size());
    Add(g_.Node(name, std::move(options), {x}));
  }

  void AddPad(const std::string& name, ir::ValueId x) {
    schema::PadOptionsT options;
    options.pads.assign(2 * Of(x).shape.size(), 0);
    options.pads[static_cast<size_t>(Below(options.pads.size()))] = 1;
    Add(g_.Node(name, std::move(options), {x}));
  }

  // As a frontend writes the convolution of an [N,C,H,W] image, scaled and shifted.
  void AddConvolution(const std::string& name, ir::ValueId x) {
    const ir::ValueId nhwc = g_.Transpose(name + ".in", x, {0, 2, 3, 1});
    const ir::ValueId nchw = g_.Transpose(name + ".out", g_.Conv3x3(name + ".conv", nhwc, 2), {0, 3, 1, 2});
    const ir::ValueId scaled =
        g_.Binary(name + ".mul", schema::BinaryKind::Mul, nchw, g_.Weights(name + ".scale", {2, 1, 1}));
    Add(g_.Binary(name, schema::BinaryKind::Add, scaled, g_.Weights(name + ".shift", {2, 1, 1})));
  }

  // A value of the same shape: another one, a transposed one that fits, or a constant.
  ir::ValueId Partner(ir::ValueId x) {
    const std::vector<int64_t> shape = Of(x).shape;
    std::vector<ir::ValueId> fitting;
    for (ir::ValueId id : values_) {
      if (Of(id).shape == shape) fitting.push_back(id);
    }
    if (Below(4) == 0) return g_.Weights("c" + std::to_string(values_.size()), shape);
    return fitting[static_cast<size_t>(Below(fitting.size()))];
  }

  std::vector<int32_t> RandomPermutation(int rank) {
    std::vector<int32_t> permutation(static_cast<size_t>(rank));
    std::iota(permutation.begin(), permutation.end(), 0);
    std::shuffle(permutation.begin(), permutation.end(), random_);
    return permutation;
  }

  std::vector<int32_t> RandomShape(int64_t elements) {
    std::vector<int32_t> shape;
    while (elements > 1 && shape.size() < 4) {
      int32_t dim = 2;
      while (elements % dim != 0) ++dim;
      if (Below(3) == 0) shape.push_back(1);
      shape.push_back(dim);
      elements /= dim;
    }
    shape.push_back(static_cast<int32_t>(elements));
    return shape;
  }

  // An output is written by a node of its own.
  void AddOutput() {
    const ir::ValueId id = g_.Relu("out" + std::to_string(g_.graph.outputs.size()), Any());
    g_.Output(id);
  }

  TestGraph g_;
  std::mt19937 random_;
  std::vector<ir::ValueId> values_;
};

}  // namespace micrort::testing
