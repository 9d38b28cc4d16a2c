#pragma once
// What the importer of an operator sees: one call, with its arguments, and a builder.

#include <functional>
#include <string>
#include <vector>

#include "converter/frontend/common/onnx_operator.h"
#include "converter/frontend/torchscript/call_arguments.h"

namespace micrort::frontend::torchscript {

using Attribute = OnnxAttribute;

class OpContext : public CallArguments {
 public:
  using CallArguments::CallArguments;

  // Tells users in what the result may differ from PyTorch's.
  std::vector<std::string> warnings;

  // A quantized tensor as floats.
  ir::ValueId DequantizedOf(const Value& value);
  // A list of integers, of which a run may decide some, as a tensor of shape [n].
  ir::ValueId IntegerTensor(const Value& list);

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

  // A 0 in the shape is a size of 0.
  ir::ValueId ReshapeTo(ir::ValueId x, ir::ValueId shape);

  // For operators that know nothing of quantized tensors: these become floats. Returns what the first one's
  // quantization was, and the result gets it again.
  struct Quantized {
    DType dtype = DType::kUnknown;
    ir::Quantization quantization;
  };
  Quantized TakeOffQuantization();
  void PutOnQuantization(const Quantized& quantized);

  // For operators along one dimension. If argument 0 is a tensor without dimensions, it and all others of
  // rank 0 become vectors of one element. Returns whether the result has to lose that dimension.
  bool TakeAsVectors();

  void Return(ir::ValueId id) { result_ = Of(id); }
  // Elements that lie in memory as their dimensions say, whatever the arguments do.
  void ReturnInOrder(ir::ValueId id) { result_ = Value::OfTensor(table_.Make(id)); }
  void ReturnTuple(const std::vector<ir::ValueId>& ids) { result_ = Many(Kind::kTuple, ids); }
  void ReturnList(const std::vector<ir::ValueId>& ids) { result_ = Many(Kind::kList, ids); }
  void ReturnValue(Value value) { result_ = std::move(value); }
  // A part of argument 0: changed in place, it changes that one. As in Tensor, both functions may be null.
  using ReadPart = std::function<ir::ValueId(ir::Builder&, ir::ValueId)>;
  using WritePart = std::function<ir::ValueId(ir::Builder&, ir::ValueId, ir::ValueId)>;
  Value View(ir::ValueId id, ReadPart read, WritePart write);
  // The same, but a part of `whole` instead of argument 0.
  Value View(const Value& whole, ir::ValueId id, ReadPart read, WritePart write);
  void ReturnView(ir::ValueId id, ReadPart read, WritePart write);
  // The value for what is read or written later, maybe in a graph inside this one.
  std::function<ir::ValueId()> Later(ir::ValueId id);
  const Value& result() const { return result_; }

 private:
  void TakeOff(Value* value, Quantized* first);
  Value Of(ir::ValueId id);
  Value Many(Kind kind, const std::vector<ir::ValueId>& ids);

  Value result_;
};

// Notes that the elements of the returned view do not lie one behind the other in memory, or may lie there in
// another order.
void MarkSpread(OpContext& c);
void MarkReordered(OpContext& c);
// Whether argument 0 is such a view, or may be one of the latter, or lie as one does.
bool IsSpread(const OpContext& c);
bool MayBeReordered(const OpContext& c);

}  // namespace micrort::frontend::torchscript
