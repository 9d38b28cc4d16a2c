#include "kernels/base/part.h"
#include "kernels/elementwise/binary_chunk.h"

namespace micrort {

MICRORT_PART(SelectBinaryIn64Bits);

namespace {

bool IsBoolLike(const ElementFormat& f) { return f.dtype == DType::kBool; }

bool HasKind(const BinaryParams& p, ComputeType type) {
  if (IsLogical(p.kind)) return IsBoolLike(p.a) && IsBoolLike(p.b);
  if (IsBitwise(p.kind)) return type == ComputeType::kS64 || type == ComputeType::kU64;
  return true;
}

}  // namespace

bool PlanConvertedBinary(CpuFeatures features, BinaryTask* task) {
  const BinaryParams& p = task->params;
  const bool has_activation = p.activation.kind != UnaryKind::kIdentity;
  const bool is_float = task->type == ComputeType::kF32;
  if (ComputeTypeOf(p.b) != task->type || !HasKind(p, task->type)) return false;
  if (!CanConvert(p.a) || !CanConvert(p.b) || !(IsComparison(p.kind) || CanConvert(p.y))) return false;
  if (has_activation && (!is_float || IsComparison(p.kind))) return false;
  task->convert = SelectConvertF32(features).id;
  if (has_activation) task->activation = SelectUnaryF32(p.activation.kind, features).run;
  if (!is_float) {
    if (MICRORT_HAS_PART(SelectBinaryIn64Bits)) task->in_64_bits = SelectBinaryIn64Bits(p.kind, task->type);
    return task->in_64_bits != nullptr;
  }
  const BinaryF32Kernel kernel = SelectBinaryF32(p.kind, features);
  task->f32 = kernel.run;
  task->algorithm = kernel.name;
  return *kernel.name != '\0';
}

bool RunConvertedChunk(const BinaryTask& t, const BinaryOperand& a, const BinaryOperand& b, void* y,
                       size_t first, size_t n) {
  const BinaryParams& p = t.params;
  Chunk of_a, of_b, of_y;
  const ElementConverter convert(t.convert);
  const void* from_a = convert.Load(p.a, a.data, a.first, a.stride == 0 ? 1 : n, &of_a);
  const void* from_b = convert.Load(p.b, b.data, b.first, b.stride == 0 ? 1 : n, &of_b);
  const bool gives_bool = IsComparison(p.kind);
  void* to =
      gives_bool ? static_cast<uint8_t*>(y) + first : ElementConverter::Target(p.y, t.type, y, first, &of_y);
  if (t.in_64_bits != nullptr) {
    if (!t.in_64_bits(p.kind, from_a, a.stride, from_b, b.stride, to, n)) return false;
  } else {
    t.f32(p.kind, static_cast<const float*>(from_a), a.stride, static_cast<const float*>(from_b), b.stride,
          to, n);
    if (t.activation != nullptr) {
      t.activation(p.activation, static_cast<float*>(to), static_cast<float*>(to), n);
    }
  }
  if (!gives_bool) convert.Store(p.y, t.type, to, n, y, first);
  return true;
}

}  // namespace micrort
