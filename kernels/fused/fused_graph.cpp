#include "kernels/fused/fused_graph.h"

namespace micrort {

bool IsFusedInputFormat(const ElementFormat& format) {
  switch (format.dtype) {
    case DType::kFloat32:
    case DType::kFloat16:
    case DType::kInt8:
    case DType::kUInt8:
      return true;
    case DType::kInt32:
      return format.quantization.zero_point == 0;
    default:
      return false;
  }
}

bool IsFusedOutputFormat(const ElementFormat& format) {
  const bool is_byte = format.dtype == DType::kInt8 || format.dtype == DType::kUInt8;
  return format.dtype == DType::kFloat32 || format.dtype == DType::kFloat16 || (is_byte && format.quantized);
}

bool IsFusedNode(const FusedNode& node) {
  if (!node.is_binary) {
    const UnaryKind kind = node.unary.kind;
    return kind != UnaryKind::kNot && kind != UnaryKind::kIsNaN && kind != UnaryKind::kIsInf &&
           kind != UnaryKind::kBitwiseNot;
  }
  return node.binary < BinaryKind::kEqual;
}

}  // namespace micrort
