#include "kernels/elementwise/binary.h"

#include <atomic>

#include "kernels/base/has_int16.h"
#include "kernels/base/part.h"
#include "kernels/elementwise/binary_chunk.h"
#include "kernels/elementwise/tiles.h"

namespace micrort {

MICRORT_PART(PlanConvertedBinary);
MICRORT_PART(RunConvertedChunk);
MICRORT_PART(PlanBinaryFixed);
MICRORT_PART(SelectBinaryFixed);
MICRORT_PART(SelectBinaryS8);
MICRORT_PART(PlanBinaryS16);
MICRORT_PART(SelectBinaryS16);

namespace {

size_t MostAtATime(const BinaryParams& p) {
  const size_t a = ElementsAtATime(p.a, p.y), b = ElementsAtATime(p.b, p.y);
  return a < b ? a : b;
}

// The elements from `first` on.
template <typename T>
const T* From(const BinaryOperand& x) {
  return static_cast<const T*>(x.data) + x.first;
}

bool RunInt8Chunk(const BinaryTask& t, const BinaryOperand& a, const BinaryOperand& b, void* y, size_t first,
                  size_t n) {
  int8_t* const out = static_cast<int8_t*>(y) + first;
  if (t.is_s8) {
    t.s8(t.s8_op, From<int8_t>(a), a.stride, From<int8_t>(b), b.stride, out, n);
  } else {
    t.fixed(t.fixed_op, From<int8_t>(a), a.stride, From<int8_t>(b), b.stride, out, n);
  }
  return true;
}

bool RunInt16Chunk(const BinaryTask& t, const BinaryOperand& a, const BinaryOperand& b, void* y, size_t first,
                   size_t n) {
  const BinaryParams& p = t.params;
  t.s16(t.fixed_op, From<int16_t>(a), a.stride,
        static_cast<const char*>(b.data) + b.first * SizeOf(p.b.dtype), b.stride,
        static_cast<char*>(y) + first * SizeOf(p.y.dtype), n);
  return true;
}

RunBinaryChunkFn ChunkOf(const BinaryTask& t) {
  if (kHasInt16 && t.is_s16) return RunInt16Chunk;
  return t.is_s8 || t.fixed != nullptr ? RunInt8Chunk : &RunConvertedChunk;
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

BinaryOperand Expand(const BroadcastPlan& plan, int input, const ElementFormat& format, const void* data,
                     size_t first, size_t n, Chunk* chunk) {
  ExpandBroadcast(plan, input, SizeOf(format.dtype), data, first, n, chunk->bytes);
  return {chunk->bytes, 0, 1};
}

// Output elements [begin, end), whose operands are expanded. Not inlined, so that its chunks are on the stack
// only where they are needed.
[[gnu::noinline]] bool RunExpanded(const BinaryTask& t, const void* a, const void* b, void* y, size_t begin,
                                   size_t end) {
  const BroadcastPlan& plan = t.params.plan;
  const RunBinaryChunkFn run = ChunkOf(t);
  const bool repeats = RunsRepeat(plan);
  const size_t step = repeats ? kChunkElements / plan.run * plan.run : kChunkElements;
  Chunk expanded[2];
  BinaryOperand x[2] = {};
  bool ok = true;
  for (size_t first = begin; first < end; first += step) {
    const size_t n = end - first < step ? end - first : step;
    for (int i = 0; i < 2; ++i) {
      const void* data = i == 0 ? a : b;
      if (plan.is_dense[i]) {
        x[i] = {data, first, 1};
      } else if (first == begin || !repeats) {
        x[i] = Expand(plan, i, i == 0 ? t.params.a : t.params.b, data, first, n, &expanded[i]);
      }
    }
    ok &= run(t, x[0], x[1], y, first, n);
  }
  return ok;
}

// Output elements [begin, end).
bool RunRange(const BinaryTask& t, const void* a, const void* b, void* y, size_t begin, size_t end) {
  const BroadcastPlan& plan = t.params.plan;
  if (plan.run < kShortRun || RunsRepeat(plan)) return RunExpanded(t, a, b, y, begin, end);
  const RunBinaryChunkFn run = ChunkOf(t);
  bool ok = true;
  ForEachPiece(plan, begin, end, MostAtATime(t.params), [&](size_t first, const size_t* offsets, size_t n) {
    ok &= run(t, {a, offsets[0], plan.run_strides[0]}, {b, offsets[1], plan.run_strides[1]}, y, first, n);
  });
  return ok;
}

bool IsInt8(const ElementFormat& f) { return f.quantized && f.dtype == DType::kInt8; }
bool IsInt16(const ElementFormat& f) { return f.quantized && f.dtype == DType::kInt16; }

// Which the kernels of int8 apply themselves; false: they cannot.
bool ReadClamp(const UnaryOp& activation, Clamp* clamp) {
  const bool clips = activation.kind == UnaryKind::kClip;
  if (clips) *clamp = {activation.a, activation.b};
  return clips || activation.kind == UnaryKind::kIdentity;
}

bool PlanFixed(const Clamp& clamp, CpuFeatures features, BinaryTask* task) {
  const BinaryParams& p = task->params;
  if (!MICRORT_HAS_PART(PlanBinaryFixed) || !PlanBinaryFixed(p.kind, p.a.quantization, p.b.quantization,
                                                             p.y.quantization, clamp, &task->fixed_op)) {
    return false;
  }
  const BinaryFixedKernel& kernel = SelectBinaryFixed(features);
  task->fixed = kernel.run;
  task->algorithm = kernel.name;
  return true;
}

bool PlanS8(const Clamp& clamp, CpuFeatures features, BinaryTask* task) {
  const BinaryParams& p = task->params;
  if (!MICRORT_HAS_PART(SelectBinaryS8) || !HasBinaryS8(p.kind)) return false;
  const BinaryS8Kernel& kernel = SelectBinaryS8(features);
  const bool clamps = p.activation.kind == UnaryKind::kClip;
  task->is_s8 = true;
  task->s8 = kernel.run;
  task->s8_op = {p.kind, p.a.quantization, p.b.quantization, p.y.quantization, clamps, clamp.lo, clamp.hi};
  task->algorithm = kernel.name;
  return true;
}

// Beside an int16.
bool HasS16Types(const BinaryParams& p) {
  const bool has_b = p.kind == BinaryKind::kPRelu ? IsInt8(p.b) : IsInt16(p.b);
  return has_b && (IsComparison(p.kind) ? p.y.dtype == DType::kBool : IsInt16(p.y));
}

bool PlanS16(CpuFeatures features, BinaryTask* task) {
  const BinaryParams& p = task->params;
  Clamp clamp;
  if (!HasS16Types(p) || !ReadClamp(p.activation, &clamp) || !MICRORT_HAS_PART(PlanBinaryS16)) {
    return false;
  }
  const BinaryS16Kernel& kernel = SelectBinaryS16(features);
  task->s16 = kernel.run;
  task->algorithm = kernel.name;
  task->is_s16 =
      PlanBinaryS16(p.kind, p.a.quantization, p.b.quantization, p.y.quantization, clamp, &task->fixed_op);
  return task->is_s16;
}

}  // namespace

bool PlanBinary(const BinaryParams& params, CpuFeatures features, BinaryTask* task) {
  *task = {};
  task->params = params;
  task->algorithm = "scalar";
  task->type = ComputeTypeOf(params.a);
  if (kHasInt16 && IsInt16(params.a)) return PlanS16(features, task);
  const bool exact = params.rounding == Rounding::kExact;
  Clamp clamp;
  if (IsInt8(params.a) && IsInt8(params.b) && IsInt8(params.y) && ReadClamp(params.activation, &clamp) &&
      (exact ? PlanS8(clamp, features, task) : PlanFixed(clamp, features, task))) {
    return true;
  }
  return exact && MICRORT_HAS_PART(PlanConvertedBinary) && PlanConvertedBinary(features, task);
}

bool RunBinary(const BinaryTask& task, const void* a, const void* b, void* y, const Parallel& parallel) {
  std::atomic<bool> ok = true;
  ForEachTile(parallel, task.params.plan.elements, [&](size_t begin, size_t end) {
    if (!RunRange(task, a, b, y, begin, end)) ok = false;
  });
  return ok;
}

}  // namespace micrort
