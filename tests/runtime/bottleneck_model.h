#pragma once
// An inverted bottleneck, x + project(filter(expand(x))), of nodes expand, filter and project.

#include <cmath>
#include <vector>

#include "tests/runtime/allocation_hook.h"
#include "tests/runtime/control_flow_models.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {

inline std::vector<float> Wave(size_t n, float step) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = std::sin(step * static_cast<float>(i));
  return values;
}

struct Bottleneck {
  static constexpr int32_t kNarrow = 16, kWide = 96;

  const int32_t size;
  const size_t narrow_bytes, wide_bytes;  // of x and y; of what lies between
  ModelBuilder b;
  int x, expanded, filtered, y;

  // Images of so many pixels in height and width.
  explicit Bottleneck(int32_t pixels)
      : size(pixels),
        narrow_bytes(sizeof(float) * static_cast<size_t>(size * size * kNarrow)),
        wide_bytes(sizeof(float) * static_cast<size_t>(size * size * kWide)) {
    const auto image = [this](int32_t channels) { return std::vector<int32_t>{1, size, size, channels}; };
    x = b.Input("x", kF32, image(kNarrow));
    expanded = b.Tensor("expanded", kF32, image(kWide));
    filtered = b.Tensor("filtered", kF32, image(kWide));
    y = b.Tensor("y", kF32, image(kNarrow));
    const int w1 = b.Constant<float>("w1", {kWide, 1, 1, kNarrow}, Wave(kWide * kNarrow, 1));
    const int w2 = b.Constant<float>("w2", {3, 3, kWide}, Wave(9 * kWide, 2));
    const int w3 = b.Constant<float>("w3", {kNarrow, 1, 1, kWide}, Wave(kNarrow * kWide, 3));
    const int bias = b.Constant<float>("bias", {kNarrow}, Wave(kNarrow, 4));
    b.Node(schema::Conv2DOptionsT(), {x, w1}, {expanded}, "expand");
    schema::DepthwiseConv2DOptionsT filter;
    filter.pad_top = filter.pad_left = filter.pad_bottom = filter.pad_right = 1;
    b.Node(filter, {expanded, w2}, {filtered}, "filter");
    b.Node(schema::Conv2DOptionsT(), {filtered, w3, bias, x}, {y}, "project");
    b.Output(y);
  }

  // The memory plan of a file: where each of its activations lies.
  void Plan(int64_t at_x, int64_t at_expanded, int64_t at_filtered, int64_t at_y, size_t arena_bytes) {
    std::vector<int64_t> offsets(b.graph().tensors.size(), -1);
    offsets[static_cast<size_t>(x)] = at_x;
    offsets[static_cast<size_t>(expanded)] = at_expanded;
    offsets[static_cast<size_t>(filtered)] = at_filtered;
    offsets[static_cast<size_t>(y)] = at_y;
    b.Plan(offsets, arena_bytes);
  }

  static InterpreterOptions Options(int threads = 1, bool whole = false, OpObserver* observer = nullptr) {
    InterpreterOptions options = RealOps();
    options.threads = threads;
    options.observer = observer;
    options.whole_tensors = whole;
    return options;
  }

  static std::vector<float> RunOnWave(TestSession& s) {
    EXPECT_TRUE(s.status().ok()) << s.status().message();
    s.SetInput(0, Wave(s->input(0).shape.elements(), 0.01f));
    EXPECT_TRUE(s->Run().ok());
    return s.Output(0);
  }
};

inline void ExpectRunAllocatesNothing(const ModelBuilder& b) {
  TestSession s(b, Bottleneck::Options());
  const AllocationHook hook;
  EXPECT_TRUE(s->Run().ok());
  EXPECT_EQ(AllocationHook::count(), 0u);
}

}  // namespace micrort::testing
