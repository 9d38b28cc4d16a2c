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

// Elements that advance with the output from `first` on, or one element for all.
struct Operand {
  const void* data;
  size_t first;
  size_t stride;  // 1 or 0
};

size_t MostAtATime(const BinaryParams& p) {
  const size_t a = ElementsAtATime(p.a, p.y), b = ElementsAtATime(p.b, p.y);
  return a < b ? a : b;
}

struct Buffers {
  Chunk a, b, y;
  Chunk expanded[2];
};

// Output elements [first, first + n), n <= MostAtATime().
bool RunChunk(const BinaryTask& t, const ElementConverter& convert, const Operand& a, const Operand& b,
              void* y, size_t first, size_t n, Buffers* buffers) {
  const BinaryParams& p = t.params;
  if (t.fixed != nullptr) {
    t.fixed(t.fixed_op, static_cast<const int8_t*>(a.data) + a.first, a.stride,
            static_cast<const int8_t*>(b.data) + b.first, b.stride, static_cast<int8_t*>(y) + first, n);
    return true;
  }
  const void* from_a = convert.Load(p.a, a.data, a.first, a.stride == 0 ? 1 : n, &buffers->a);
  const void* from_b = convert.Load(p.b, b.data, b.first, b.stride == 0 ? 1 : n, &buffers->b);
  const bool gives_bool = IsComparison(p.kind);
  void* to = gives_bool ? static_cast<uint8_t*>(y) + first
                        : ElementConverter::Target(p.y, t.type, y, first, &buffers->y);
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

// Below this many elements a run does not pay for a call of a micro-kernel: operands are expanded to whole
// chunks.
constexpr size_t kShortRun = 32;

// Whether every run has the same elements of the inputs that are broadcast, as channels of an image that are
// scaled, and several runs fit into a chunk: these are expanded once.
bool RunsRepeat(const BroadcastPlan& plan) {
  if (plan.rank != 1 || 2 * plan.run > kChunkElements) return false;
  return (plan.is_dense[0] || plan.strides[0][0] == 0) && (plan.is_dense[1] || plan.strides[1][0] == 0);
}

Operand Expand(const BroadcastPlan& plan, int input, const ElementFormat& format, const void* data,
               size_t first, size_t n, Chunk* chunk) {
  ExpandBroadcast(plan, input, SizeOf(format.dtype), data, first, n, chunk->bytes);
  return {chunk->bytes, 0, 1};
}

// Output elements [begin, end), whose operands are expanded.
bool RunExpanded(const BinaryTask& t, const void* a, const void* b, void* y, size_t begin, size_t end) {
  const BroadcastPlan& plan = t.params.plan;
  const ElementConverter convert(t.convert);
  const bool repeats = RunsRepeat(plan);
  const size_t step = repeats ? kChunkElements / plan.run * plan.run : kChunkElements;
  Buffers buffers;
  Operand x[2] = {};
  bool ok = true;
  for (size_t first = begin; first < end; first += step) {
    const size_t n = end - first < step ? end - first : step;
    for (int i = 0; i < 2; ++i) {
      const void* data = i == 0 ? a : b;
      if (plan.is_dense[i]) {
        x[i] = {data, first, 1};
      } else if (first == begin || !repeats) {
        x[i] = Expand(plan, i, i == 0 ? t.params.a : t.params.b, data, first, n, &buffers.expanded[i]);
      }
    }
    ok &= RunChunk(t, convert, x[0], x[1], y, first, n, &buffers);
  }
  return ok;
}

// Output elements [begin, end).
bool RunRange(const BinaryTask& t, const void* a, const void* b, void* y, size_t begin, size_t end) {
  const BroadcastPlan& plan = t.params.plan;
  if (plan.run < kShortRun || RunsRepeat(plan)) return RunExpanded(t, a, b, y, begin, end);
  const ElementConverter convert(t.convert);
  Buffers buffers;
  bool ok = true;
  ForEachPiece(plan, begin, end, MostAtATime(t.params), [&](size_t first, const size_t* offsets, size_t n) {
    const Operand piece_a = {a, offsets[0], plan.run_strides[0]},
                  piece_b = {b, offsets[1], plan.run_strides[1]};
    ok &= RunChunk(t, convert, piece_a, piece_b, y, first, n, &buffers);
  });
  return ok;
}

bool IsInt8(const ElementFormat& f) { return f.quantized && f.dtype == DType::kInt8; }

bool PlanFixed(const BinaryParams& p, CpuFeatures features, BinaryTask* task) {
  const bool clips = p.activation.kind == UnaryKind::kClip;
  if (!IsInt8(p.a) || !IsInt8(p.b) || !IsInt8(p.y)) return false;
  if (!clips && p.activation.kind != UnaryKind::kIdentity) return false;
  const Clamp clamp = clips ? Clamp{p.activation.a, p.activation.b} : Clamp{};
  if (!PlanBinaryFixed(p.kind, p.a.quantization, p.b.quantization, p.y.quantization, clamp,
                       &task->fixed_op)) {
    return false;
  }
  const BinaryFixedKernel& kernel = SelectBinaryFixed(features);
  task->fixed = kernel.run;
  task->algorithm = kernel.name;
  return true;
}

}  // namespace

bool PlanBinary(const BinaryParams& params, CpuFeatures features, BinaryTask* task) {
  const ComputeType type = ComputeTypeOf(params.a);
  const bool has_activation = params.activation.kind != UnaryKind::kIdentity;
  if (ComputeTypeOf(params.b) != type || !HasKind(params, type)) return false;
  if (has_activation && (type != ComputeType::kF32 || IsComparison(params.kind))) return false;
  *task = {params, SelectConvertF32(features).id, "scalar", type, nullptr, nullptr, nullptr, nullptr, {}};
  if (params.rounding == Rounding::kTflite) return PlanFixed(params, features, task);
  if (has_activation) task->activation = SelectUnaryF32(params.activation.kind, features).run;
  if (type != ComputeType::kF32) {
    task->in_64_bits = SelectBinaryIn64Bits(params.kind, type);
    return task->in_64_bits != nullptr;
  }
  const BinaryF32Kernel kernel = SelectBinaryF32(params.kind, features);
  task->f32 = kernel.run;
  task->algorithm = kernel.name;
  return *kernel.name != '\0';
}

bool RunBinary(const BinaryTask& task, const void* a, const void* b, void* y, const Parallel& parallel) {
  std::atomic<bool> ok = true;
  ForEachTile(parallel, task.params.plan.elements, [&](size_t begin, size_t end) {
    if (!RunRange(task, a, b, y, begin, end)) ok = false;
  });
  return ok;
}

}  // namespace micrort
