#include "kernels/elementwise/binary.h"

#include <atomic>

#include "kernels/elementwise/tiles.h"

namespace micrort {
namespace {

bool IsBoolLike(const ElementFormat& f) { return f.dtype == DType::kBool; }

bool HasKind(const BinaryParams& p, ComputeType type) {
  if (IsLogical(p.kind)) return IsBoolLike(p.a) && IsBoolLike(p.b);
  if (IsBitwise(p.kind)) return type == ComputeType::kS64 || type == ComputeType::kU64;
  return true;
}

struct Buffers {
  Chunk a, b, y;
};

// Output elements [first, first + n), n <= kChunkElements.
bool RunChunk(const BinaryTask& t, const ElementConverter& convert, const void* a, const void* b, void* y,
              size_t first, const size_t* offsets, size_t n, Buffers* buffers) {
  const BinaryParams& p = t.params;
  const size_t a_stride = p.plan.run_strides[0], b_stride = p.plan.run_strides[1];
  const void* from_a = convert.Load(p.a, a, offsets[0], a_stride == 0 ? 1 : n, &buffers->a);
  const void* from_b = convert.Load(p.b, b, offsets[1], b_stride == 0 ? 1 : n, &buffers->b);
  const bool gives_bool = IsComparison(p.kind);
  void* to = gives_bool ? static_cast<uint8_t*>(y) + first
                        : ElementConverter::Target(p.y, t.type, y, first, &buffers->y);
  if (t.wide != nullptr) {
    if (!t.wide(p.kind, from_a, a_stride, from_b, b_stride, to, n)) return false;
  } else {
    t.f32(p.kind, static_cast<const float*>(from_a), a_stride, static_cast<const float*>(from_b), b_stride,
          to, n);
    if (t.activation != nullptr)
      t.activation(p.activation, static_cast<float*>(to), static_cast<float*>(to), n);
  }
  if (!gives_bool) convert.Store(p.y, t.type, to, n, y, first);
  return true;
}

}  // namespace

bool PlanBinary(const BinaryParams& params, CpuFeatures features, BinaryTask* task) {
  const ComputeType type = ComputeTypeOf(params.a);
  const bool has_activation = params.activation.kind != UnaryKind::kIdentity;
  if (ComputeTypeOf(params.b) != type || !HasKind(params, type)) return false;
  if (has_activation && (type != ComputeType::kF32 || IsComparison(params.kind))) return false;
  *task = {params, features, "scalar", type, nullptr, nullptr, nullptr};
  if (type == ComputeType::kF32) {
    const BinaryF32Kernel kernel = SelectBinaryF32(params.kind, features);
    task->f32 = kernel.run;
    task->algorithm = kernel.name;
  } else {
    task->wide = SelectBinaryWide(params.kind, type);
  }
  if (has_activation) task->activation = SelectUnaryF32(params.activation.kind, features).run;
  return task->f32 != nullptr || task->wide != nullptr;
}

bool RunBinary(const BinaryTask& task, const void* a, const void* b, void* y, const Parallel& parallel) {
  std::atomic<bool> ok = true;
  ForEachTile(parallel, task.params.plan.elements, [&](size_t begin, size_t end) {
    const ElementConverter convert(task.features);
    Buffers buffers;
    ForEachPiece(task.params.plan, begin, end, kChunkElements,
                 [&](size_t first, const size_t* offsets, size_t n) {
                   if (!RunChunk(task, convert, a, b, y, first, offsets, n, &buffers)) ok = false;
                 });
  });
  return ok;
}

}  // namespace micrort
