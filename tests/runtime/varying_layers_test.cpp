// Layers with packed weights behind a size that data decides: every size up to the bound runs in the memory
// planned for the bound, and gives what the same rows give in the whole.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

std::vector<float> Wave(size_t n, float step) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = std::sin(step * static_cast<float>(i));
  return values;
}

// The first `count` items of x [items, ...] by a Slice whose end is an input.
struct SliceModel : ModelBuilder {
  explicit SliceModel(std::vector<int32_t> shape) {
    const int x = Input("x", DType::kFloat32, shape);
    const int start = Constant<int64_t>("start", {1}, {0});
    const int end = Input("count", DType::kInt64, {1});
    shape[0] = -1;
    first = Tensor("first", DType::kFloat32, shape);
    Node(schema::SliceOptionsT(), {x, start, end}, {first}, "slice");
  }
  int first;
};

void RunAllCounts(const ModelBuilder& b, int64_t items) {
  for (const int threads : {1, 2}) {
    InterpreterOptions options;
    options.resolver = &AllOps();
    options.threads = threads;
    TestSession session(b, options);
    ASSERT_TRUE(session.status().ok()) << session.status().message();
    const std::vector<float> x = Wave(session->input(0).elements(), 0.1f);
    std::vector<float> whole;
    for (int64_t count = items; count >= 0; --count) {
      session.SetInput(0, x);
      *session->input(1).as<int64_t>() = count;
      const Status status = session->Run();
      ASSERT_TRUE(status.ok()) << count << " items: " << status.message();
      const std::vector<float> y = session.Output(0);
      if (count == items) whole = y;
      ASSERT_EQ(y.size() * static_cast<size_t>(items), whole.size() * static_cast<size_t>(count));
      for (size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], whole[i], 1e-4f) << count << " items";
    }
  }
}

TEST(VaryingLayers, MatMul) {
  SliceModel b({70, 32});
  const int w = b.Constant<float>("w", {32, 48}, Wave(32 * 48, 0.3f));
  const int y = b.Tensor("y", DType::kFloat32, {-1, 48});
  b.Node(schema::MatMulOptionsT(), {b.first, w}, {y}, "matmul");
  b.Output(y);
  RunAllCounts(b, 70);
}

TEST(VaryingLayers, Conv2D) {
  SliceModel b({9, 14, 14, 16});
  const int w = b.Constant<float>("w", {32, 3, 3, 16}, Wave(32 * 9 * 16, 0.3f));
  const int y = b.Tensor("y", DType::kFloat32, {-1, 14, 14, 32});
  schema::Conv2DOptionsT options;
  options.pad_top = options.pad_left = options.pad_bottom = options.pad_right = 1;
  b.Node(options, {b.first, w}, {y}, "conv");
  b.Output(y);
  RunAllCounts(b, 9);
}

TEST(VaryingLayers, SoftmaxOfResizedAndReduced) {
  SliceModel b({5, 4, 4, 3});
  const int large = b.Tensor("large", DType::kFloat32, {-1, 8, 8, 3});
  const int mean = b.Tensor("mean", DType::kFloat32, {-1, 8, 3});
  const int y = b.Tensor("y", DType::kFloat32, {-1, 8, 3});
  schema::ResizeOptionsT resize;
  resize.mode = schema::ResizeMode::Linear;
  resize.scales = {1, 2, 2, 1};
  schema::ReduceOptionsT reduce;
  reduce.kind = schema::ReduceKind::Mean;
  reduce.axes = {1};
  reduce.keep_dims = false;
  schema::SoftmaxOptionsT softmax;
  softmax.axis = 2;
  b.Node(std::move(resize), {b.first}, {large}, "resize");
  b.Node(std::move(reduce), {large}, {mean}, "mean");
  b.Node(softmax, {mean}, {y}, "softmax");
  b.Output(y);
  RunAllCounts(b, 5);
}

}  // namespace
}  // namespace micrort::testing
