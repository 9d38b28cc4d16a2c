#include <gtest/gtest.h>

#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using testing::RunPasses;
using testing::TestGraph;

// One axis of a layer, and the taps and the padding that are left.
struct Trimmed {
  int64_t in, taps;
  int32_t stride, dilation, before, after;
  int64_t left_taps;
  int32_t left_before, left_after;
};

constexpr Trimmed kAxes[] = {
    {5, 3, 1, 1, 1, 1, 3, 1, 1},   // all meet
    {5, 3, 1, 4, 4, 4, 3, 4, 4},   // the corners alone
    {5, 3, 1, 5, 5, 5, 1, 0, 0},   // the one in the middle
    {5, 3, 1, 9, 9, 9, 1, 0, 0},   // further away
    {5, 5, 1, 3, 6, 6, 3, 3, 3},   // two of five go
    {5, 3, 1, 5, 10, 0, 1, 0, 0},  // the last one stays
    {5, 3, 1, 5, 0, 10, 1, 0, 0},  // the first one stays
    {5, 3, 2, 5, 5, 5, 1, 0, 0},   // every second position
    {6, 3, 3, 5, 5, 5, 2, 0, 5},   // the last filter starts later than the first tap reaches
    {5, 3, 1, 4, 6, 6, 3, 6, 6},   // more padding than a tap
    {1, 3, 1, 1, 1, 1, 1, 0, 0},   // an image of one element
    {3, 7, 1, 1, 3, 3, 5, 2, 2},   // filters larger than the image
    {2, 4, 4, 3, 5, 6, 2, 2, 3},   // one position, which begins in the padding
};

class TrimTapsPass : public ::testing::TestWithParam<Trimmed> {};

template <typename OptionsT>
OptionsT Options(const Trimmed& h, const Trimmed& w) {
  OptionsT options;
  options.stride_h = h.stride, options.stride_w = w.stride;
  options.dilation_h = h.dilation, options.dilation_w = w.dilation;
  options.pad_top = h.before, options.pad_bottom = h.after;
  options.pad_left = w.before, options.pad_right = w.after;
  return options;
}

template <typename OptionsT>
void ExpectTrimmed(const TestGraph& g, const Trimmed& h, const Trimmed& w, size_t axis_h) {
  const auto& options = g.graph.nodes.front()->as<OptionsT>();
  EXPECT_EQ(options.pad_top, h.left_before);
  EXPECT_EQ(options.pad_bottom, h.left_after);
  EXPECT_EQ(options.pad_left, w.left_before);
  EXPECT_EQ(options.pad_right, w.left_after);
  const ir::Value& weights = g.graph.value(g.graph.nodes.front()->inputs[1]);
  EXPECT_EQ(weights.shape[axis_h], h.left_taps);
  EXPECT_EQ(weights.shape[axis_h + 1], w.left_taps);
}

TEST_P(TrimTapsPass, KeepsTapsThatMeetTheImage) {
  for (const Trimmed& other : {kAxes[0], kAxes[2], GetParam()}) {
    for (const bool swapped : {false, true}) {
      const Trimmed &h = swapped ? other : GetParam(), &w = swapped ? GetParam() : other;
      const bool goes = h.taps != h.left_taps || w.taps != w.left_taps;
      TestGraph conv;
      conv.Output(
          conv.Node("y", Options<schema::Conv2DOptionsT>(h, w),
                    {conv.Input("x", {2, h.in, w.in, 3}), conv.Weights("w", {4, h.taps, w.taps, 3})}));
      EXPECT_EQ(RunPasses(conv.graph, {passes::TrimTaps}), goes);
      ExpectTrimmed<schema::Conv2DOptionsT>(conv, h, w, 1);

      TestGraph depthwise;
      depthwise.Output(depthwise.Node(
          "y", Options<schema::DepthwiseConv2DOptionsT>(h, w),
          {depthwise.Input("x", {2, h.in, w.in, 3}), depthwise.Weights("w", {h.taps, w.taps, 6})}));
      EXPECT_EQ(RunPasses(depthwise.graph, {passes::TrimTaps}), goes);
      ExpectTrimmed<schema::DepthwiseConv2DOptionsT>(depthwise, h, w, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Axes, TrimTapsPass, ::testing::ValuesIn(kAxes));

TEST(TrimTapsPassAlone, LeavesImagesOfOpenSize) {
  TestGraph g;
  const Trimmed far = kAxes[3];
  g.Output(g.Node("y", Options<schema::Conv2DOptionsT>(far, far),
                  {g.Input("x", {1, ir::kDynamic, ir::kDynamic, 3}), g.Weights("w", {4, 3, 3, 3})}));
  bool changed = false;
  ASSERT_TRUE(passes::TrimTaps(g.graph, &changed).ok());
  EXPECT_FALSE(changed);
}

}  // namespace
}  // namespace micrort
