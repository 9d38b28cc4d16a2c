#pragma once
// A decoder whose caches grow: what each layer computes from x joins the cache that the caller gives.

#include <string>
#include <vector>

#include "tests/runtime/control_flow_models.h"

namespace micrort::testing {

// Inputs x [1,1,8] and, a layer, past [1,?,8]; outputs y [1,1,8] and, a layer, present [1,?,8], one row
// longer.
class GrowingCache {
 public:
  explicit GrowingCache(int layers) : layers_(layers) {}

  ModelBuilder Build() const {
    ModelBuilder b;
    int x = b.Input("x", kF32, {1, 1, 8});
    std::vector<int> pasts, presents;
    for (int l = 0; l < layers_; ++l) pasts.push_back(b.Input("past" + std::to_string(l), kF32, {1, -1, 8}));
    std::vector<float> weights(64);
    for (size_t i = 0; i < weights.size(); ++i) weights[i] = 0.125f * static_cast<float>(i % 7) - 0.25f;
    for (int l = 0; l < layers_; ++l) {
      const std::string p = "layer" + std::to_string(l) + ".";
      const int row = b.Tensor(p + "row", kF32, {1, 1, 8}),
                present = b.Tensor(p + "present", kF32, {1, -1, 8});
      const int tanh = b.Tensor(p + "tanh", kF32, {1, -1, 8}), exp = b.Tensor(p + "exp", kF32, {1, -1, 8});
      const int sum = b.Tensor(p + "sum", kF32, {1, 1, 8}), next = b.Tensor(p + "next", kF32, {1, 1, 8});
      b.Node(schema::MatMulOptionsT(), {x, b.Constant<float>(p + "w", {8, 8}, weights)}, {row},
             p + "product");
      schema::ConcatOptionsT concat;
      concat.axis = 1;
      b.Node(concat, {pasts[static_cast<size_t>(l)], row}, {present}, p + "concat");
      b.Node(UnaryOf(schema::UnaryKind::Tanh), {present}, {tanh}, p + "tanh");
      b.Node(UnaryOf(schema::UnaryKind::Exp), {tanh}, {exp}, p + "exp");
      schema::ReduceOptionsT reduce;
      reduce.kind = schema::ReduceKind::Mean;
      reduce.axes = {1};
      b.Node(reduce, {exp}, {sum}, p + "mean");
      b.Node(BinaryOf(schema::BinaryKind::Add), {x, sum}, {next}, p + "add");
      presents.push_back(present);
      x = next;
    }
    b.Output(x);
    for (const int present : presents) b.Output(present);
    return b;
  }

  std::vector<Shape> Shapes(int64_t rows) const {
    std::vector<Shape> shapes(static_cast<size_t>(layers_) + 1, Shape::Of(1, rows, 8));
    shapes[0] = Shape::Of(1, 1, 8);
    return shapes;
  }

 private:
  static schema::UnaryOptionsT UnaryOf(schema::UnaryKind kind) {
    schema::UnaryOptionsT options;
    options.kind = kind;
    return options;
  }

  int layers_;
};

}  // namespace micrort::testing
