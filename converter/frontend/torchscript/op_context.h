#pragma once
// What the importer of an operator sees: one call, its arguments by the positions of the operator's
// parameters, and a builder. An argument that is not as asked for becomes the error of the call; what was
// asked for is then a default, so that importers need not look.

#include <initializer_list>
#include <string>
#include <vector>

#include "converter/frontend/onnx/lower.h"
#include "converter/frontend/torchscript/tensor_table.h"
#include "converter/frontend/torchscript/value.h"
#include "converter/ir/constant_values.h"

namespace micrort::frontend::torchscript {

using onnx::Attribute;

class OpContext {
 public:
  // arguments: one a parameter, None where it is not given.
  OpContext(const std::string& op, ir::Builder& builder, TensorTable& table, std::vector<Value> arguments)
      : build(builder), op_(op), table_(table), arguments_(std::move(arguments)) {}

  ir::Builder& build;

  const std::string& op() const { return op_; }  // "conv2d"
  const Status& status() const { return status_; }
  void Fail(const Status& status) {
    if (status_.ok()) status_ = status;
  }

  bool Has(size_t i) const { return i < arguments_.size() && !arguments_[i].is_none(); }
  const Value& arg(size_t i) const;
  // A tensor; a number is one of no dimensions. kNoValue where there is none.
  ir::ValueId TensorAt(size_t i);
  ir::ValueId TensorOf(const Value& value);
  // A complex one, with its last dimension of 2.
  ir::ValueId ComplexAt(size_t i);
  // A quantized one as floats.
  ir::ValueId DequantizedOf(const Value& value);
  // The same for positions of elements, which are integers: an input of the model that was taken for floats
  // is noted in the table, and the model imported anew.
  ir::ValueId IndicesAt(size_t i);
  ir::ValueId IndicesOf(const Value& value);
  // kNoValue, without an error, where the argument is None.
  ir::ValueId OptionalTensor(size_t i) { return Has(i) ? TensorAt(i) : ir::kNoValue; }
  std::vector<ir::ValueId> Tensors(size_t i);
  int64_t Int(size_t i, int64_t otherwise);
  double Float(size_t i, double otherwise);
  bool Bool(size_t i, bool otherwise);
  std::string String(size_t i, const char* otherwise);
  // A list of integers; one integer is a list, too.
  std::vector<int64_t> Ints(size_t i, std::vector<int64_t> otherwise = {});
  // One for each of `count` dimensions.
  std::vector<int64_t> IntsFor(size_t i, size_t count, int64_t otherwise);
  std::vector<double> Floats(size_t i);
  // Of a type's number.
  DType Type(size_t i, DType otherwise);
  // As an index from 0.
  int Axis(size_t i, int rank, int64_t otherwise);
  int AxisOf(int64_t axis, int rank);
  std::vector<int32_t> Axes(size_t i, int rank);
  // A list of integers, of which a run may decide some, as a tensor of shape [n].
  ir::ValueId IntegerTensor(const Value& list);
  // Whether no run decides any of them.
  static bool IsKnown(const Value& list);

  const ir::Value& value(ir::ValueId id) const { return build.graph().value(id); }
  int rank(ir::ValueId id) const { return value(id).rank(); }
  DType dtype(ir::ValueId id) const { return value(id).dtype; }
  // kDynamic where it is not fixed; 1 after an error.
  int64_t dim(ir::ValueId id, int axis) const;
  // The dimension, which must be fixed.
  int64_t FixedDim(ir::ValueId id, int axis);

  ir::ValueId Scalar(DType dtype, double v);
  ir::ValueId Integers(const std::vector<int64_t>& v) { return build.Integers(v); }
  ir::ValueId CastTo(ir::ValueId id, DType dtype);
  // Like another one in its type and rank.
  ir::ValueId Filled(DType dtype, const Value& shape, double v);

  // One of ONNX's operators.
  ir::ValueId Onnx(const char* op, const std::vector<ir::ValueId>& inputs,
                   std::vector<Attribute> attributes = {});
  std::vector<ir::ValueId> OnnxMany(const char* op, const std::vector<ir::ValueId>& inputs,
                                    std::vector<Attribute> attributes, size_t outputs);

  // Of operators that know nothing of quantized tensors: these become floats. Returns what the first one's
  // quantization was, and the result gets it again.
  struct Quantized {
    DType dtype = DType::kUnknown;
    ir::Quantization quantization;
  };
  Quantized TakeOffQuantization();
  void PutOnQuantization(const Quantized& quantized);

  void Return(ir::ValueId id) { result_ = Of(id); }
  void ReturnTuple(const std::vector<ir::ValueId>& ids) { result_ = Many(Kind::kTuple, ids); }
  void ReturnList(const std::vector<ir::ValueId>& ids) { result_ = Many(Kind::kList, ids); }
  void ReturnValue(Value value) { result_ = std::move(value); }
  // A part of argument 0: changed in place, it changes that one.
  void ReturnView(ir::ValueId id, std::function<ir::ValueId(ir::Builder&, ir::ValueId)> read,
                  std::function<ir::ValueId(ir::Builder&, ir::ValueId, ir::ValueId)> write);
  const Value& result() const { return result_; }
  TensorTable& table() { return table_; }

 private:
  void TakeOff(Value* value, Quantized* first);
  Value Of(ir::ValueId id) { return Value::OfTensor(table_.Make(id)); }
  Value Many(Kind kind, const std::vector<ir::ValueId>& ids);
  void Unexpected(size_t i, const char* expected);

  const std::string op_;
  TensorTable& table_;
  std::vector<Value> arguments_;
  Value result_;
  Status status_;
};

}  // namespace micrort::frontend::torchscript
