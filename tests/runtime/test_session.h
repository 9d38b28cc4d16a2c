#pragma once
// A model built in a test, with the interpreter that runs it by the fake operators.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "micrort/interpreter.h"
#include "micrort/model.h"
#include "tests/runtime/fake_ops.h"
#include "tests/runtime/model_builder.h"

namespace micrort::testing {

class TestSession {
 public:
  explicit TestSession(const ModelBuilder& b, InterpreterOptions options = {})
      : file_(b.Finish()), model_(Model::FromBuffer(file_.data(), file_.size())), resolver_(FakeOps()) {
    EXPECT_TRUE(model_.ok()) << model_.status().message();
    if (options.resolver == nullptr) options.resolver = &resolver_;
    created_.emplace(Interpreter::Create(*model_, options));
  }

  const Status& status() const { return created_->status(); }
  Interpreter& operator*() { return created_->value(); }
  Interpreter* operator->() { return &created_->value(); }
  const Model& model() { return *model_; }

  void SetInput(size_t i, const std::vector<float>& values) {
    ASSERT_EQ(created_->value().input(i).elements(), values.size());
    std::copy(values.begin(), values.end(), created_->value().input(i).as<float>());
  }
  std::vector<float> Output(size_t i) {
    const TensorView y = created_->value().output(i);
    return std::vector<float>(y.as<float>(), y.as<float>() + y.elements());
  }

 private:
  ModelFile file_;
  Result<Model> model_;
  OpResolver resolver_;
  std::optional<Result<Interpreter>> created_;
};

// x + 1 + 1 ..., `n` times, of tensors x, t0, t1 ... by nodes plus0, plus1 ...
inline ModelBuilder Chain(int n, std::vector<int32_t> shape) {
  ModelBuilder b;
  int last = b.Input("x", DType::kFloat32, shape);
  for (int i = 0; i < n; ++i) {
    const int next = b.Tensor("t" + std::to_string(i), DType::kFloat32, shape);
    b.Node(schema::UnaryOptionsT(), {last}, {next}, "plus" + std::to_string(i));
    last = next;
  }
  b.Output(last);
  return b;
}

}  // namespace micrort::testing
