// Operators along one dimension take a tensor without dimensions as a vector of one element.

#include "converter/frontend/torchscript/without_dims.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace micrort::frontend::torchscript {

namespace {

// `gather` gives what the indices are; the others what argument 0 is, or a vector.
bool ComputesAlongDim(const std::string& op) {
  static constexpr const char* kOps[] = {
      "argmax",   "argmin",      "argsort",        "cummax",     "cummin",     "cumprod",
      "cumsum",   "gather",      "index_add",      "index_copy", "index_fill", "index_select",
      "kthvalue", "log_softmax", "logcumsumexp",   "max",        "median",     "min",
      "scatter",  "scatter_add", "scatter_reduce", "softmax",    "sort",       "topk"};
  return std::any_of(std::begin(kOps), std::end(kOps), [&op](const char* name) { return op == name; });
}

}  // namespace

bool OpContext::TakeAsVectors() {
  const bool may_be_of_all =
      op_ == "argmax" || op_ == "argmin" || op_ == "max" || op_ == "median" || op_ == "min";
  const bool has_dim =
      ComputesAlongDim(op_) && arg(0).is_tensor() && !arg(0).tensor->is_complex && (Has(1) || !may_be_of_all);
  // The maximum of two tensors.
  const bool is_of_two = (op_ == "max" || op_ == "min") && arg(1).is_tensor();
  if (!has_dim || is_of_two || rank(TensorOf(arg(0))) != 0) return false;
  if (op_ == "gather" && rank(TensorOf(arg(2))) != 0) {
    arguments_[0] = Of(build.Reshape(TensorOf(arg(0)), {1}));
    return false;
  }
  for (Value& argument : arguments_) {
    if (argument.is_tensor() && rank(TensorOf(argument)) == 0)
      argument = Of(build.Reshape(TensorOf(argument), {1}));
  }
  return true;
}

void ReturnWithoutDims(OpContext& c) {
  const bool is_sequence = c.result().is_sequence();
  std::vector<Value> results = is_sequence ? *c.result().items : std::vector<Value>{c.result()};
  for (Value& one : results) {
    if (!one.is_tensor() || c.rank(c.TensorOf(one)) != 1) continue;
    one = Value::OfTensor(c.table().Make(c.build.Reshape(c.TensorOf(one), {})));
  }
  c.ReturnValue(is_sequence ? Value::Sequence(c.result().kind, std::move(results)) : results[0]);
}

}  // namespace micrort::frontend::torchscript
