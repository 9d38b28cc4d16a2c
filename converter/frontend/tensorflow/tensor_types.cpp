#include "converter/frontend/tensorflow/tensor_types.h"

namespace micrort::frontend::tensorflow {

namespace {

// A reference to a type is that many above it.
constexpr int kReference = 100;

}  // namespace

DType DTypeOfTensorflow(::tensorflow::DataType type) {
  const int plain = type > kReference ? type - kReference : type;
  switch (plain) {
    case ::tensorflow::DT_FLOAT:
      return DType::kFloat32;
    case ::tensorflow::DT_DOUBLE:
      return DType::kFloat64;
    case ::tensorflow::DT_HALF:
      return DType::kFloat16;
    case ::tensorflow::DT_BFLOAT16:
      return DType::kBFloat16;
    case ::tensorflow::DT_INT8:
    case ::tensorflow::DT_QINT8:
      return DType::kInt8;
    case ::tensorflow::DT_UINT8:
    case ::tensorflow::DT_QUINT8:
      return DType::kUInt8;
    case ::tensorflow::DT_INT16:
    case ::tensorflow::DT_QINT16:
      return DType::kInt16;
    case ::tensorflow::DT_UINT16:
    case ::tensorflow::DT_QUINT16:
      return DType::kUInt16;
    case ::tensorflow::DT_INT32:
    case ::tensorflow::DT_QINT32:
      return DType::kInt32;
    case ::tensorflow::DT_UINT32:
      return DType::kUInt32;
    case ::tensorflow::DT_INT64:
      return DType::kInt64;
    case ::tensorflow::DT_UINT64:
      return DType::kUInt64;
    case ::tensorflow::DT_BOOL:
      return DType::kBool;
    default:
      return DType::kUnknown;
  }
}

std::string TypeName(::tensorflow::DataType type) {
  const std::string& name = ::tensorflow::DataType_Name(type);
  return name.empty() ? "type " + std::to_string(static_cast<int>(type)) : name;
}

}  // namespace micrort::frontend::tensorflow
