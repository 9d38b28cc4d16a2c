#include "kernels/fused/fused_graph.h"

#include <algorithm>

namespace micrort {

namespace {

bool IsUnary(const FusedNode& node, UnaryKind kind) { return !node.is_binary && node.unary.kind == kind; }

}  // namespace

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

void MergeSigns(Span<const FusedOutput> outputs, FusedNode* nodes, size_t count) {
  const auto readers = [&](FusedValue value) {
    const auto reads = [=](const FusedNode& n) { return n.a == value || (n.is_binary && n.b == value); };
    const auto gives = [=](const FusedOutput& output) { return output.value == value; };
    return std::count_if(nodes, nodes + count, reads) + std::count_if(outputs.begin(), outputs.end(), gives);
  };
  for (size_t k = 0; k < count; ++k) {
    if (!IsUnary(nodes[k], UnaryKind::kNeg) || IsFusedInput(nodes[k].a)) continue;
    FusedNode& abs = nodes[IndexOfFused(nodes[k].a)];
    if (!IsUnary(abs, UnaryKind::kAbs) || readers(nodes[k].a) != 1) continue;
    abs.unary = {UnaryKind::kAbs, -1, 0};
    nodes[k].unary = {UnaryKind::kIdentity, 0, 0};
  }
}

}  // namespace micrort
