#include "kernels/reduce/reduce.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kernels/base/has_int16.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/part.h"
#include "kernels/elementwise/convert_elements.h"
#include "kernels/elementwise/tiles.h"
#include "kernels/reduce/plain_fold.h"

namespace micrort {
namespace {

MICRORT_LINK(LoadElements);
MICRORT_LINK(StoreElements);

FoldKind FoldOf(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::kMax:
      return FoldKind::kMax;
    case ReduceKind::kMin:
      return FoldKind::kMin;
    case ReduceKind::kProd:
      return FoldKind::kProd;
    case ReduceKind::kL1:
      return FoldKind::kSumAbs;
    case ReduceKind::kL2:
    case ReduceKind::kSumSquare:
      return FoldKind::kSumSquare;
    case ReduceKind::kLogSumExp:
      return FoldKind::kSumExp;
    default:
      return FoldKind::kSum;
  }
}

// What is left to do with a folded value.
UnaryKind FinishOf(ReduceKind kind) {
  if (kind == ReduceKind::kL2) return UnaryKind::kSqrt;
  if (kind == ReduceKind::kLogSum || kind == ReduceKind::kLogSumExp) return UnaryKind::kLog;
  return UnaryKind::kIdentity;
}

// Works on one block of at most kChunkElements adjacent outputs.
template <typename T>
class BlockReducer {
 public:
  BlockReducer(const ReduceTask& task, const void* x, void* y)
      : task_(task),
        plan_(task.params.plan),
        convert_(task.convert),
        fold_(VariantOf(FoldF32Kernels(), task.fold)),
        x_(x),
        y_(y) {}

  // Columns [column, column + n) of one index of the kept loops.
  void Columns(size_t kept_index, size_t column, size_t n) {
    const size_t base = plan_.kept.Offset(kept_index) + column;
    if (task_.params.kind == ReduceKind::kLogSumExp) {
      FoldColumnBlock(FoldKind::kMax, base, n, shift_);
      for (size_t c = 0; c < n; ++c) shift_[c] = ShiftOf(shift_[c]);
    }
    FoldColumnBlock(FoldOf(task_.params.kind), base, n, acc_);
    Finish(n);
    Store(kept_index * plan_.columns + column, n);
  }

  // Outputs [first, first + n) of a plan with one column.
  void Runs(size_t first, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      const size_t base = plan_.kept.Offset(first + i);
      if (task_.params.kind == ReduceKind::kLogSumExp) {
        shift_[i] = ShiftOf(FoldRun(FoldKind::kMax, T{0}, base));
      }
      acc_[i] = FoldRun(FoldOf(task_.params.kind), shift_[i], base);
    }
    Finish(n);
    Store(first, n);
  }

 private:
  static constexpr size_t kLanes = 8;

  const T* Load(size_t first, size_t n) {
    return static_cast<const T*>(convert_.Load(task_.params.x, x_, first, n, &chunk_));
  }

  // What to subtract before exponentials are taken. An infinite maximum needs nothing: they are 0, 1 or
  // infinite.
  static T ShiftOf(T max) { return std::isinf(static_cast<double>(max)) ? T{0} : max; }

  void FoldRows(FoldKind kind, const T* x, size_t rows, size_t n, T* acc) {
    const T* shift = kind == FoldKind::kSumExp ? shift_ : nullptr;
    if constexpr (std::is_same_v<T, float>) {
      fold_.columns(kind, shift, x, rows, plan_.row_stride, n, acc);
    } else {
      PlainFoldColumns(kind, shift, x, rows, plan_.row_stride, n, acc);
    }
  }

  void FoldColumnBlock(FoldKind kind, size_t base, size_t n, T* acc) {
    std::fill(acc, acc + n, FoldIdentity<T>(kind));
    if (plan_.rows == 0) return;  // nor is there an x
    const size_t outer = plan_.reduced.iterations();
    const bool direct = IsComputeType(task_.params.x.dtype);
    for (size_t i = 0; i < outer; ++i) {
      const size_t first = base + plan_.reduced.Offset(i);
      if (direct) {
        FoldRows(kind, static_cast<const T*>(x_) + first, plan_.rows, n, acc);
      } else {
        for (size_t r = 0; r < plan_.rows; ++r)
          FoldRows(kind, Load(first + r * plan_.row_stride, n), 1, n, acc);
      }
    }
  }

  T FoldRun(FoldKind kind, T shift, size_t base) {
    T lanes[kLanes];
    std::fill(lanes, lanes + kLanes, FoldIdentity<T>(kind));
    const size_t outer = plan_.reduced.iterations();
    for (size_t i = 0; i < outer; ++i) {
      const size_t first = base + plan_.reduced.Offset(i);
      for (size_t r = 0; r < plan_.rows; r += kChunkElements) {
        const size_t n = std::min(kChunkElements, plan_.rows - r);
        FoldAdjacent(kind, shift, Load(first + r, n), n, lanes);
      }
    }
    return Combine(kind, lanes);
  }

  void FoldAdjacent(FoldKind kind, T shift, const T* x, size_t n, T* lanes) {
    if constexpr (std::is_same_v<T, float>) {
      fold_.run(kind, shift, x, n, lanes);
    } else {
      PlainFoldColumns(kind, &shift, x, n, 1, 1, lanes);
    }
  }

  // The tree of vec8.h.
  static T Combine(FoldKind kind, const T* x) {
    T tree[4];
    for (size_t i = 0; i < 4; ++i) tree[i] = FoldPair(kind, x[i], x[i + 4]);
    return FoldPair(kind, FoldPair(kind, tree[0], tree[2]), FoldPair(kind, tree[1], tree[3]));
  }

  // The least upper bound of no elements is the lowest value of the type, the greatest lower bound the
  // highest one: of bools, false and true. Where the type is T, folding began with it.
  void BoundNothing(size_t n) {
    const ReduceKind kind = task_.params.kind;
    const DType dtype = task_.params.y.dtype;
    const size_t bits = dtype == DType::kBool ? 1 : 8 * SizeOf(dtype);
    if ((kind != ReduceKind::kMax && kind != ReduceKind::kMin) || bits == 8 * sizeof(T)) return;
    const bool is_signed = dtype == DType::kInt8 || dtype == DType::kInt16 || dtype == DType::kInt32;
    const T behind = T{1} << (is_signed ? bits - 1 : bits);
    const T lowest = is_signed ? T{0} - behind : T{0};
    std::fill(acc_, acc_ + n, kind == ReduceKind::kMax ? lowest : behind - 1);
  }

  void Finish(size_t n) {
    const ReduceKind kind = task_.params.kind;
    if constexpr (std::is_integral_v<T>) {
      if (plan_.elements_per_output() == 0) BoundNothing(n);
    }
    const auto count = static_cast<T>(plan_.elements_per_output());
    if (kind == ReduceKind::kMean) {
      for (size_t i = 0; i < n; ++i)
        acc_[i] = count == 0 && !std::is_floating_point_v<T> ? T{0} : acc_[i] / count;
    }
    if constexpr (std::is_same_v<T, float>) {
      if (task_.finish != nullptr) task_.finish({FinishOf(kind), 0, 0}, acc_, acc_, n);
    } else if (FinishOf(kind) != UnaryKind::kIdentity) {
      for (size_t i = 0; i < n; ++i) {
        const auto v = static_cast<double>(acc_[i]);
        acc_[i] = static_cast<T>(kind == ReduceKind::kL2 ? std::sqrt(v) : std::log(v));
      }
    }
    if (kind == ReduceKind::kLogSumExp) {
      for (size_t i = 0; i < n; ++i) acc_[i] = acc_[i] + shift_[i];
    }
  }

  void Store(size_t first, size_t n) {
    void* target = ElementConverter::Target(task_.params.y, task_.type, y_, first, &chunk_);
    std::copy(acc_, acc_ + n, static_cast<T*>(target));
    convert_.Store(task_.params.y, task_.type, target, n, y_, first);
  }

  const ReduceTask& task_;
  const ReducePlan& plan_;
  const ElementConverter convert_;
  const FoldF32Kernel& fold_;
  const void* x_;
  void* y_;
  Chunk chunk_;
  T acc_[kChunkElements];
  T shift_[kChunkElements] = {};
};

template <typename T>
void RunTyped(const ReduceTask& task, const void* x, void* y, const Parallel& parallel) {
  const ReducePlan& plan = task.params.plan;
  const size_t work = std::max<size_t>(1, plan.elements_per_output());
  const size_t block = std::clamp<size_t>(kTaskElements / work, plan.columns == 1 ? 1 : 32, kChunkElements);
  if (plan.columns == 1) {
    const size_t outputs = plan.outputs();
    ParallelFor(parallel, CeilDiv(outputs, block), [&](size_t tile, int) {
      const size_t first = tile * block;
      BlockReducer<T>(task, x, y).Runs(first, std::min(block, outputs - first));
    });
    return;
  }
  const size_t blocks = CeilDiv(plan.columns, block);
  ParallelFor(parallel, plan.kept.iterations() * blocks, [&](size_t tile, int) {
    const size_t column = tile % blocks * block;
    BlockReducer<T>(task, x, y).Columns(tile / blocks, column, std::min(block, plan.columns - column));
  });
}

bool IsSymmetricS16(const ElementFormat& f) {
  return f.dtype == DType::kInt16 && f.quantized && f.quantization.zero_point == 0;
}

bool PlanS16(const ReduceParams& p, ReduceTask* task) {
  *task = {p, KernelId::none, ComputeType::kS64, KernelId::none, nullptr, true, {}};
  return IsSymmetricS16(p.x) && IsSymmetricS16(p.y) &&
         PlanReduceS16(p.kind, p.plan.elements_per_output(), p.x.quantization.scale, p.y.quantization.scale,
                       &task->by);
}

}  // namespace

bool PlanReduceTask(const ReduceParams& params, CpuFeatures features, ReduceTask* task) {
  if (params.rounding != Rounding::kExact) return kHasInt16 && PlanS16(params, task);
  const ComputeType type = ComputeTypeOf(params.x);
  const UnaryKind finish = FinishOf(params.kind);
  const bool is_integer = type == ComputeType::kS64 || type == ComputeType::kU64;
  if (ComputeTypeOf(params.y) != type || (is_integer && finish != UnaryKind::kIdentity)) return false;
  *task = {params, SelectConvertF32(features).id, type, SelectFoldF32(features).id, nullptr, false, {}};
  if (finish != UnaryKind::kIdentity) task->finish = SelectUnaryF32(finish, features).run;
  return true;
}

void RunReduce(const ReduceTask& task, const void* x, void* y, const Parallel& parallel) {
  if (kHasInt16 && task.is_s16) {
    return ReduceS16(task.params.plan, task.by, static_cast<const int16_t*>(x), static_cast<int16_t*>(y),
                     parallel);
  }
  switch (task.type) {
    case ComputeType::kF32:
      return RunTyped<float>(task, x, y, parallel);
    case ComputeType::kF64:
      return RunTyped<double>(task, x, y, parallel);
    case ComputeType::kS64:
      return RunTyped<int64_t>(task, x, y, parallel);
    case ComputeType::kU64:
      return RunTyped<uint64_t>(task, x, y, parallel);
  }
}

}  // namespace micrort
