#pragma once
// Programs for the files of tests: what mnnconvert states, with rewrites as the test wants them.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "kernels/base/target.h"
#include "micrort/op_resolver.h"
#include "runtime/interpreter/subgraph.h"
#include "runtime/program/decisions.h"
#include "runtime/program/rewrites/rewrites.h"
#include "tests/runtime/model_builder.h"

namespace micrort::testing {

// As in schema::Program.
struct StatedRewrites {
  std::vector<uint32_t> stripes, concats, in_place;
};

// Of a model with static shapes, for CPUs with these features.
inline schema::ProgramT StatedProgram(const ModelBuilder& b, const ProgramTarget& target,
                                      const StatedRewrites& rewrites) {
  const ModelFile file = b.Finish();
  const auto list = [](const std::vector<uint32_t>& nodes) {
    return Span<const uint32_t>(nodes.data(), nodes.size());
  };
  schema::ProgramT stated;
  stated.target = TargetName(target.features);
  stated.workers = static_cast<uint32_t>(target.workers);
  stated.stripes = rewrites.stripes;
  stated.concats = rewrites.concats;
  stated.in_place = rewrites.in_place;
  FixedArray<Subgraph> subgraphs;
  EXPECT_TRUE(InitSubgraphs(*schema::GetModel(file.data()), AllOps(), &subgraphs).ok());
  Subgraph& entry = subgraphs[0];
  std::vector<Shape> shapes;
  for (const int32_t input : entry.graph().inputs()) {
    shapes.emplace_back();
    for (const int32_t d : b.model.subgraphs[0]->tensors[static_cast<size_t>(input)]->shape) {
      shapes.back().dims[shapes.back().rank++] = d;
      stated.input_shapes.push_back(d);
    }
  }
  EXPECT_TRUE(entry.Prepare({shapes.data(), shapes.size()}, {}, {target.features, target.workers}).ok());
  EXPECT_TRUE(ApplyStripes(list(stated.stripes), &entry.program()).ok());
  EXPECT_TRUE(ApplyZeroCopyConcats(list(stated.concats), &entry.program()).ok());
  EXPECT_TRUE(ApplyInPlaceCandidates(entry.file_plan(), list(stated.in_place), &entry.program()).ok());
  EXPECT_TRUE(entry.Plan().ok());
  for (const Node& node : entry.graph().nodes) stated.algorithms.push_back(node.prepared.algorithm_id);
  for (size_t i = 0; i < entry.memory().offsets.size(); ++i) {
    const auto block = static_cast<uint32_t>(entry.memory().offsets[i] / kAlignment);
    (i < entry.program().buffers.size() ? stated.offsets : stated.scratch_offsets).push_back(block);
  }
  return stated;
}

inline ProgramTarget ThisMachine(int workers = 1) { return {AvailableFeatures(~CpuFeatures{0}), workers}; }

// Small layers that every rewrite can change, though few of them would pay: nodes 0 and 1 can run by
// stripes, node 2 in place, and nodes 3 and 4 compute the parts of node 5.
struct EveryRewrite {
  static constexpr int32_t kSize = 4, kChannels = 4;

  ModelBuilder b;

  EveryRewrite() {
    const int x = b.Input("x", kF32, Image(kChannels));
    const int first = Layer("first", x, kChannels), second = Layer("second", first, kChannels);
    const int filtered = b.Tensor("filtered", kF32, Image(kChannels));
    schema::DepthwiseConv2DOptionsT filter;
    filter.pad_top = filter.pad_left = filter.pad_bottom = filter.pad_right = 1;
    const int weights = b.Constant<float>("filter_weights", {3, 3, kChannels}, Values(9 * kChannels));
    b.Node(filter, {second, weights}, {filtered}, "filter");
    const int left = Layer("left", filtered, 4), right = Layer("right", filtered, 8);
    const int y = b.Tensor("y", kF32, Image(12));
    schema::ConcatOptionsT concat;
    concat.axis = 3;
    b.Node(concat, {left, right}, {y}, "concat");
    b.Output(y);
  }

  static StatedRewrites All() { return {{0, 2}, {5}, {2}}; }

  void State(const schema::ProgramT& program) {
    b.model.schema_version = 6;
    b.graph().programs.push_back(std::make_unique<schema::ProgramT>(program));
  }

 private:
  static std::vector<int32_t> Image(int32_t channels) { return {1, kSize, kSize, channels}; }
  static std::vector<float> Values(int32_t n) {
    std::vector<float> values;
    for (int32_t i = 0; i < n; ++i) values.push_back(static_cast<float>(i % 7 - 3) / 8);
    return values;
  }
  int Layer(const std::string& name, int x, int32_t channels) {
    const int weights =
        b.Constant<float>(name + "_weights", {channels, 1, 1, kChannels}, Values(channels * kChannels));
    const int y = b.Tensor(name, kF32, Image(channels));
    b.Node(schema::Conv2DOptionsT(), {x, weights}, {y}, name);
    return y;
  }
};

}  // namespace micrort::testing
