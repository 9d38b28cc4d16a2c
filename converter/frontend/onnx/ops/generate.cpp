// Constants and tensors that are made rather than computed, and type conversion.

#include "converter/frontend/onnx/graph_importer.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/frontend/onnx/sparse_tensor.h"

namespace micrort::frontend::onnx {

namespace {

ir::ValueId AddTensor(NodeContext& c, OnnxTensor tensor) {
  return c.build.graph().AddConstant("constant", tensor.dtype, std::move(tensor.shape),
                                     std::move(tensor.data));
}

Status ImportConstant(NodeContext& c) {
  if (const ::onnx::TensorProto* proto = c.Tensor("value")) {
    OnnxTensor tensor;
    MICRORT_RETURN_IF_ERROR(ReadTensor(*proto, &tensor));
    return c.Return(AddTensor(c, std::move(tensor)));
  }
  if (const ::onnx::SparseTensorProto* proto = c.SparseTensor("sparse_value")) {
    OnnxTensor tensor;
    if (c.graphs != nullptr) MICRORT_RETURN_IF_ERROR(c.graphs->CountDense(*proto));
    MICRORT_RETURN_IF_ERROR(ReadSparseTensor(*proto, &tensor));
    return c.Return(AddTensor(c, std::move(tensor)));
  }
  if (c.Has("value_float")) return c.Return(c.build.Scalar(c.Float("value_float", 0)));
  if (c.Has("value_int")) return c.Return(c.build.Integer(c.Int("value_int", 0)));
  if (c.Has("value_ints")) return c.Return(c.build.Integers(c.Ints("value_ints")));
  if (c.Has("value_floats")) {
    const std::vector<float> values = c.Floats("value_floats");
    return c.Return(c.build.Constant({static_cast<int64_t>(values.size())}, values));
  }
  return Unsupported("a constant of strings, or without a value");
}

// A scalar, expanded.
Status ImportConstantOfShape(NodeContext& c) {
  ir::ValueId value = ir::kNoValue;
  if (const ::onnx::TensorProto* proto = c.Tensor("value")) {
    OnnxTensor tensor;
    MICRORT_RETURN_IF_ERROR(ReadTensor(*proto, &tensor));
    if (tensor.data.size() != SizeOf(tensor.dtype)) return Invalid("attribute 'value' must have one element");
    tensor.shape.clear();
    value = AddTensor(c, std::move(tensor));
  } else {
    value = c.build.Scalar(0);
  }
  return c.Return(c.build.Expand({value, c.input(0)}));
}

// `stash_type`: halves are counted in float32, or more precisely.
Status ImportRange(NodeContext& c) {
  c.Ignore({"stash_type"});
  return c.Return(c.build.Add(schema::RangeOptionsT(), c.inputs()));
}

Status CastTo(NodeContext& c, DType dtype) { return c.Return(c.build.As(c.input(0), dtype)); }

// Up to opset 5 the type is spelled out: "FLOAT".
int64_t ReadElementType(NodeContext& c) {
  if (c.opset() >= 6) return c.Int("to", 0);
  ::onnx::TensorProto::DataType type = ::onnx::TensorProto::UNDEFINED;
  ::onnx::TensorProto_DataType_Parse(c.String("to", ""), &type);
  return type;
}

// `saturate` is about 8-bit floats.
Status ImportCast(NodeContext& c) {
  c.Ignore({"saturate"});
  const int64_t to = ReadElementType(c);
  const DType dtype = DTypeOfOnnx(to);
  if (dtype == DType::kUnknown) return Unsupported("cast to {}", OnnxTypeName(to));
  return CastTo(c, dtype);
}

Status ImportCastLike(NodeContext& c) {
  c.Ignore({"saturate"});
  return CastTo(c, c.x(1).dtype);
}

// The bits as they are, of elements of the same size.
Status ImportBitCast(NodeContext& c) {
  const int64_t to = c.Int("to", 0);
  const DType dtype = DTypeOfOnnx(to), from = c.x().dtype;
  if (dtype == DType::kUnknown) return Unsupported("cast to {}", OnnxTypeName(to));
  if (dtype == from) return c.Return(c.input(0));
  if (dtype == DType::kBool && SizeOf(from) == SizeOf(dtype))
    return Unsupported("bytes other than 0 and 1 are no bool");
  return c.Return(c.build.BitCast(c.input(0), dtype));
}

}  // namespace

const ImporterList GenerateImporters = {
    {"BitCast", 1, 1, ImportBitCast, Types(kAllTypes).Since(26).Without("integers as bool")},
    {"Cast", 1, 1, ImportCast, Types(kAllTypes)},
    {"CastLike", 2, 2, ImportCastLike},
    {"Constant", 0, 0, ImportConstant, Types(kAllTypes).Without("strings")},
    {"ConstantOfShape", 1, 1, ImportConstantOfShape, Types(kAllTypes)},
    {"Range", 3, 3, HalvesInFloat32<ImportRange>},
};

}  // namespace micrort::frontend::onnx
