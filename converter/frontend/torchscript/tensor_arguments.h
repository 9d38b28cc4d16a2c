#pragma once
// The arguments of one call by the positions of the operator's parameters, as tensors of the graph. One that
// is not as asked for becomes the error of the call; what was asked for is then a default, so that importers
// need not look.

#include <string>
#include <utility>
#include <vector>

#include "converter/frontend/torchscript/tensor_table.h"
#include "converter/frontend/torchscript/value.h"
#include "converter/ir/constant_values.h"
#include "converter/ir/dims.h"

namespace micrort::frontend::torchscript {

class TensorArguments {
 public:
  // arguments: one a parameter, None where it is not given.
  TensorArguments(const std::string& op, ir::Builder& builder, TensorTable& table,
                  std::vector<Value> arguments)
      : build(builder), op_(op), table_(table), arguments_(std::move(arguments)) {}

  ir::Builder& build;

  const std::string& op() const { return op_; }  // "conv2d"
  const Status& status() const { return status_.ok() ? build.status() : status_; }
  // The first error of the call stays, be it the builder's.
  void Fail(const Status& status) {
    if (status_.ok()) status_ = build.status().ok() ? status : build.status();
  }

  bool Has(size_t i) const { return i < arguments_.size() && !arguments_[i].is_none(); }
  const Value& arg(size_t i) const;
  // A tensor; a number is one of no dimensions. kNoValue where there is none.
  ir::ValueId TensorAt(size_t i);
  ir::ValueId TensorOf(const Value& value);
  // A complex one, with its last dimension of 2.
  ir::ValueId ComplexAt(size_t i);
  // The same for positions of elements, which are integers: an input of the model that was taken for floats
  // is noted in the table, and the model imported anew.
  ir::ValueId IndicesAt(size_t i);
  ir::ValueId IndicesOf(const Value& value);
  // kNoValue, without an error, where the argument is None.
  ir::ValueId OptionalTensor(size_t i) { return Has(i) ? TensorAt(i) : ir::kNoValue; }
  std::vector<ir::ValueId> Tensors(size_t i);

  const ir::Value& value(ir::ValueId id) const { return build.graph().value(id); }
  int rank(ir::ValueId id) const { return value(id).rank(); }
  DType dtype(ir::ValueId id) const { return value(id).dtype; }
  // kDynamic where it is not fixed; 1 after an error.
  int64_t dim(ir::ValueId id, int axis) const;
  // The dimension, which must be fixed.
  int64_t FixedDim(ir::ValueId id, int axis);
  TensorTable& table() { return table_; }

 protected:
  void Unexpected(size_t i, const char* expected);

  const std::string op_;
  TensorTable& table_;
  std::vector<Value> arguments_;
  Status status_;
};

}  // namespace micrort::frontend::torchscript
