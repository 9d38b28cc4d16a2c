#pragma once
// What an edge of a TensorFlow graph carries.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::frontend::tensorflow {

// A list of tensors of one shape: TensorList, TensorArray. It changes by becoming another one.
struct TensorList {
  DType dtype = DType::kUnknown;
  ir::ValueId stacked = ir::kNoValue;  // [length, element's shape]; kNoValue: nothing has been written yet
  ir::ValueId length = ir::kNoValue;   // int64 [1], as long as nothing has been written
  bool has_element_rank = false;
  std::vector<int64_t> element;     // the shape that the graph states, kDynamic where it does not
  ir::ValueId item = ir::kNoValue;  // what was written first
};

struct TfValue {
  ir::ValueId tensor = ir::kNoValue;
  std::string variable = {};  // of a resource: the variable's name
  std::shared_ptr<const TensorList> list = nullptr;
  bool is_reachable = true;  // false: it comes after an operator that cannot be imported
  bool is_complex = false;   // the tensor has floats, and a last dimension of 2 that its own shape has not
  bool is_dead = false;      // it belongs to a branch that does not run
  bool is_outer = false;     // ids are of the graph around the one at hand

  bool is_nothing() const {
    return is_reachable && !is_dead && tensor == ir::kNoValue && variable.empty() && list == nullptr;
  }
};

using TfValues = std::vector<TfValue>;

// False: an operator that cannot be imported comes before one of them.
inline bool IsComplete(const TfValues& values) {
  return std::all_of(values.begin(), values.end(), [](const TfValue& value) { return value.is_reachable; });
}

inline TfValue TensorValue(ir::ValueId id) {
  TfValue value;
  value.tensor = id;
  return value;
}

inline TfValue VariableValue(std::string name) {
  TfValue value;
  value.variable = std::move(name);
  return value;
}

inline TfValue ListValue(TensorList list) {
  TfValue value;
  value.list = std::make_shared<const TensorList>(std::move(list));
  return value;
}

inline TfValue DeadValue() {
  TfValue value;
  value.is_dead = true;
  return value;
}

inline TfValue UnreachableValue() {
  TfValue value;
  value.is_reachable = false;
  return value;
}

}  // namespace micrort::frontend::tensorflow
