#include "kernels/elementwise/unary.h"

#include "kernels/base/has_int16.h"
#include "kernels/base/part.h"
#include "kernels/base/target.h"
#include "kernels/elementwise/tiles.h"

namespace micrort {

MICRORT_PART(SelectUnaryIn64Bits);
MICRORT_PART(ClassifyFloats);
MICRORT_PART(PlanUnaryS16);
MICRORT_PART(SelectUnaryS16);

namespace {

bool IsClassification(UnaryKind kind) { return kind == UnaryKind::kIsNaN || kind == UnaryKind::kIsInf; }

struct Buffers {
  Chunk x, y;
};

// Elements [first, first + n), n <= ElementsAtATime().
void RunChunk(const UnaryTask& t, const void* x, void* y, size_t first, size_t n, Buffers* buffers) {
  const UnaryParams& p = t.params;
  const ElementConverter convert(t.convert);
  const void* from = convert.Load(p.x, x, first, n, &buffers->x);
  if (IsClassification(p.op.kind))
    return ClassifyFloats(p.op.kind, t.type, from, static_cast<uint8_t*>(y) + first, n);
  void* to = ElementConverter::Target(p.y, t.type, y, first, &buffers->y);
  if (t.f32 != nullptr) {
    t.f32(p.op, static_cast<const float*>(from), static_cast<float*>(to), n);
  } else {
    t.in_64_bits(p.op, from, to, n);
  }
  convert.Store(p.y, t.type, to, n, y, first);
}

void InvertBools(const void* x, void* y, size_t begin, size_t end) {
  const auto* in = static_cast<const uint8_t*>(x);
  auto* out = static_cast<uint8_t*>(y);
  for (size_t i = begin; i < end; ++i) out[i] = in[i] == 0;
}

void LookUp(const uint8_t* table, const void* x, void* y, size_t begin, size_t end) {
  const auto* in = static_cast<const uint8_t*>(x);
  auto* out = static_cast<uint8_t*>(y);
  for (size_t i = begin; i < end; ++i) out[i] = table[in[i]];
}

// Elements [begin, end).
void RunRange(const UnaryTask& t, const void* x, void* y, size_t begin, size_t end) {
  if (kHasInt16 && t.is_s16) {
    return t.s16(t.s16_op, static_cast<const char*>(x) + begin * SizeOf(t.s16_op.x),
                 static_cast<char*>(y) + begin * SizeOf(t.s16_op.y), end - begin);
  }
  if (t.params.op.kind == UnaryKind::kNot) return InvertBools(x, y, begin, end);
  if (t.by_table) return LookUp(t.table, x, y, begin, end);
  Buffers buffers;
  const size_t most = ElementsAtATime(t.params.x, t.params.y);
  for (size_t first = begin, n = 0; first < end; first += n) {
    n = end - first < most ? end - first : most;
    RunChunk(t, x, y, first, n, &buffers);
  }
}

// On the CPU at hand, whose results are those of every other.
void FillTable(CpuFeatures allowed, UnaryTask* task) {
  UnaryTask here = *task;
  const CpuFeatures features = AvailableFeatures(allowed);
  here.convert = SelectConvertF32(features).id;
  if (task->type == ComputeType::kF32) here.f32 = SelectUnaryF32(task->params.op.kind, features).run;
  constexpr size_t kEntries = 256;
  uint8_t bytes[kEntries];
  static_assert(kEntries % kChunkElements == 0);
  for (size_t i = 0; i < kEntries; ++i) bytes[i] = static_cast<uint8_t>(i);
  Buffers buffers;
  for (size_t first = 0; first < kEntries; first += kChunkElements) {
    RunChunk(here, bytes, task->table, first, kChunkElements, &buffers);
  }
}

bool PlanFixed(const UnaryParams& params, CpuFeatures features, UnaryTask* task) {
  *task = {};
  task->params = params;
  task->is_s16 = kHasInt16 && MICRORT_HAS_PART(PlanUnaryS16) &&
                 PlanUnaryS16(params.op, params.x, params.y, &task->s16_op);
  if (!task->is_s16) return false;
  const UnaryS16Kernel& kernel = SelectUnaryS16(task->s16_op, features);
  task->s16 = kernel.run;
  task->algorithm = kernel.name;
  return true;
}

}  // namespace

bool PlanUnary(const UnaryParams& params, CpuFeatures features, UnaryTask* task) {
  if (params.rounding != Rounding::kExact) return PlanFixed(params, features, task);
  const UnaryKind kind = params.op.kind;
  const ComputeType type = ComputeTypeOf(params.x);
  *task = {params, SelectConvertF32(features).id, "scalar", type, nullptr, nullptr, false, {}, false, {},
           nullptr};
  if (kind == UnaryKind::kNot) return params.x.dtype == DType::kBool && params.y.dtype == DType::kBool;
  if (IsClassification(kind)) {
    return MICRORT_HAS_PART(ClassifyFloats) && IsFloat(params.x.dtype) && params.y.dtype == DType::kBool;
  }
  if (ComputeTypeOf(params.y) != type || !CanConvert(params.x) || !CanConvert(params.y)) return false;
  if (params.x.dtype == DType::kBool && kind != UnaryKind::kIdentity) return false;
  if (type == ComputeType::kF32) {
    const UnaryF32Kernel kernel = SelectUnaryF32(kind, features);
    if (*kernel.name == '\0') return false;
    task->f32 = kernel.run;
    task->algorithm = kernel.name;
  } else {
    if (MICRORT_HAS_PART(SelectUnaryIn64Bits)) task->in_64_bits = SelectUnaryIn64Bits(kind, type);
    if (task->in_64_bits == nullptr) return false;
  }
  task->by_table = params.x.quantized && params.y.quantized;
  if (task->by_table) {
    task->algorithm = "table";
    FillTable(features, task);
  }
  return true;
}

void RunUnary(const UnaryTask& task, const void* x, void* y, size_t n, const Parallel& parallel) {
  ForEachTile(parallel, n, [&](size_t begin, size_t end) { RunRange(task, x, y, begin, end); });
}

}  // namespace micrort
