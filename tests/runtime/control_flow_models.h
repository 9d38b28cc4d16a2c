#pragma once
// Pieces of models with If and Loop.

#include <string>
#include <utility>
#include <vector>

#include "tests/runtime/test_session.h"

namespace micrort::testing {

inline InterpreterOptions RealOps() {
  InterpreterOptions options;
  options.resolver = &AllOps();
  return options;
}

inline schema::BinaryOptionsT BinaryOf(schema::BinaryKind kind) {
  schema::BinaryOptionsT options;
  options.kind = kind;
  return options;
}

inline schema::UnaryOptionsT UnaryOf(schema::UnaryKind kind) {
  schema::UnaryOptionsT options;
  options.kind = kind;
  return options;
}

inline schema::IfOptionsT IfOf(uint32_t then_graph, uint32_t else_graph) {
  schema::IfOptionsT options;
  options.then_graph = then_graph;
  options.else_graph = else_graph;
  return options;
}

inline schema::LoopOptionsT LoopOf(uint32_t body, uint32_t carried, bool has_condition) {
  schema::LoopOptionsT options;
  options.body = body;
  options.carried = carried;
  options.has_condition = has_condition;
  return options;
}

// A bool as the byte that a caller may write.
inline uint8_t& ByteOf(const TensorView& view) { return *static_cast<uint8_t*>(view.data); }

// A graph y = kind(x), x and y of this shape.
inline uint32_t UnaryGraph(ModelBuilder& b, const std::string& name, schema::UnaryKind kind,
                           std::vector<int32_t> shape) {
  const uint32_t graph = b.AddGraph(name);
  b.Use(graph);
  const int x = b.Input("x", DType::kFloat32, shape);
  const int y = b.Tensor("y", DType::kFloat32, shape);
  b.Node(UnaryOf(kind), {x}, {y}, name + "_node");
  b.Output(y);
  b.Use(0);
  return graph;
}

// y = condition ? -x : |x|, x [3].
struct NegOrAbs : ModelBuilder {
  NegOrAbs() {
    condition = Input("condition", DType::kBool, {});
    x = Input("x", DType::kFloat32, {3});
    y = Tensor("y", DType::kFloat32, {3});
    negate = UnaryGraph(*this, "negate", schema::UnaryKind::Neg, {3});
    absolute = UnaryGraph(*this, "absolute", schema::UnaryKind::Abs, {3});
    Node(IfOf(negate, absolute), {condition, x}, {y}, "choose");
    Output(y);
  }
  int condition, x, y;
  uint32_t negate, absolute;
};

// sum = start + trips * step; row i of rows = sum before iteration i. With a condition: until a sum is
// over 10.
struct SumLoop : ModelBuilder {
  explicit SumLoop(bool has_condition, std::vector<int32_t> shape = {2}) {
    trips = Input("trips", DType::kInt64, {});
    tensor(trips).decides_shapes = true;
    start = Input("start", DType::kFloat32, shape);
    step = Input("step", DType::kFloat32, shape);
    sum = Tensor("sum", DType::kFloat32, shape);
    std::vector<int32_t> stacked = {-1};
    stacked.insert(stacked.end(), shape.begin(), shape.end());
    rows = Tensor("rows", DType::kFloat32, stacked);
    body = AddGraph("body");
    Use(body);
    const int iteration = Input("iteration", DType::kInt64, {});
    const int condition = Input("condition", DType::kBool, {});
    const int before = Input("before", DType::kFloat32, shape);
    const int inner_step = Input("step", DType::kFloat32, shape);
    const int after = Tensor("after", DType::kFloat32, shape);
    const int row = Tensor("row", DType::kFloat32, shape);
    static_cast<void>(iteration);
    static_cast<void>(condition);
    Node(BinaryOf(schema::BinaryKind::Add), {before, inner_step}, {after}, "add");
    Node(UnaryOf(schema::UnaryKind::Identity), {before}, {row}, "row");
    if (has_condition) AddCondition(after);
    Output(after);
    Output(row);
    Use(0);
    Node(LoopOf(body, 1, has_condition), {trips, -1, start, step}, {sum, rows}, "loop");
    Output(sum);
    Output(rows);
  }

  void AddCondition(int after) {
    const int largest = Tensor("largest", DType::kFloat32, {});
    const int ten = Constant<float>("ten", {}, {10});
    const int go_on = Tensor("go_on", DType::kBool, {});
    schema::ReduceOptionsT reduce;
    reduce.kind = schema::ReduceKind::Max;
    for (int d = 0; d < static_cast<int>(tensor(after).shape.size()); ++d) reduce.axes.push_back(d);
    reduce.keep_dims = false;
    Node(reduce, {after}, {largest}, "largest");
    Node(BinaryOf(schema::BinaryKind::LessOrEqual), {largest, ten}, {go_on}, "compare");
    Output(go_on);
  }

  int trips, start, step, sum, rows;
  uint32_t body;
};

// A loop over the rows of x, with an If inside.
inline ModelBuilder LoopOverRows() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {3, 2});
  const int trips = b.Tensor("trips", DType::kInt64, {1});
  const int start = b.Constant<float>("start", {2}, {0, 0});
  const int last = b.Tensor("last", DType::kFloat32, {-1});
  const int rows = b.Tensor("rows", DType::kFloat32, {-1, -1});
  const uint32_t body = b.AddGraph("body");
  const uint32_t plus = UnaryGraph(b, "plus", schema::UnaryKind::Identity, {2});
  const uint32_t same = UnaryGraph(b, "same", schema::UnaryKind::Identity, {2});
  b.Use(body);
  const int i = b.Input("i", DType::kInt64, {});
  const int go = b.Input("go", DType::kBool, {});
  const int before = b.Input("before", DType::kFloat32, {-1});
  const int inner_x = b.Input("x", DType::kFloat32, {3, 2});
  const int row = b.Tensor("row", DType::kFloat32, {2});
  const int sum = b.Tensor("sum", DType::kFloat32, {-1});
  const int after = b.Tensor("after", DType::kFloat32, {-1});
  const int go_on = b.Tensor("go_on", DType::kBool, {});
  b.Node(schema::GatherOptionsT(), {inner_x, i}, {row}, "row");
  b.Node(IfOf(plus, same), {go, row}, {sum}, "choose");
  b.Node(schema::BinaryOptionsT(), {before, sum}, {after}, "add");
  b.Node(UnaryOf(schema::UnaryKind::Identity), {go}, {go_on}, "go");
  b.Output(go_on);
  b.Output(after);
  b.Output(sum);
  b.Use(0);
  schema::ShapeOptionsT shape;
  shape.end = 1;
  b.Node(shape, {x}, {trips}, "trips");
  b.Node(LoopOf(body, 1, true), {trips, -1, start, x}, {last, rows}, "loop");
  b.Output(last);
  b.Output(rows);
  return b;
}

// A session for a model whose first input decides shapes, with that input's value.
class LoopSession {
 public:
  LoopSession(const ModelBuilder& b, int64_t trips, std::vector<Shape> shapes)
      : trips_(trips), shapes_(std::move(shapes)), values_(shapes_.size(), nullptr), session_(b, Options()) {}

  const Status& status() const { return session_.status(); }
  TestSession& operator*() { return session_; }
  TestSession* operator->() { return &session_; }

 private:
  InterpreterOptions Options() {
    values_[0] = &trips_;
    InterpreterOptions options = RealOps();
    options.input_shapes = {shapes_.data(), shapes_.size()};
    options.input_values = {values_.data(), values_.size()};
    return options;
  }

  int64_t trips_;
  std::vector<Shape> shapes_;
  std::vector<const void*> values_;
  TestSession session_;
};

}  // namespace micrort::testing
