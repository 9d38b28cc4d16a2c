#pragma once
// Arrays of JSON and tensors. Numbers of each element type are checked: what does not fit is an error that
// tells the value.

#include <nlohmann/json_fwd.hpp>

#include "serve/protocol/tensor.h"

namespace micrort::serve {

// Elements of `value` into `tensor`, whose name, dtype and shape are set: a flat list or nested lists of that
// shape. `max_bytes` limits the tensor.
Error ParseElements(const nlohmann::json& value, size_t max_bytes, Tensor* tensor);

// The shape of nested lists, told from the first elements. Lists deeper than a tensor can be are an error.
Error NestedShape(const std::string& name, const nlohmann::json& value, std::vector<int64_t>* shape);

// Elements as JSON text, appended: flat, or nested by the shape. Numbers that JSON does not have (NaN,
// infinity) are null.
void AppendFlat(const Tensor& tensor, std::string* text);
void AppendNested(const Tensor& tensor, std::string* text);
// Row `row` of the first dimension, nested.
void AppendRow(const Tensor& tensor, int64_t row, std::string* text);

}  // namespace micrort::serve
