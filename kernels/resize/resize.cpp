#include "kernels/resize/resize.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/task_sizes.h"
#include "kernels/copy/gather.h"

namespace micrort {

namespace {

bool IsResized(const ResizeMethod& method, const ResizeAxis& axis) {
  const bool crops = method.coordinates == ResizeCoordinates::kTfCropAndResize &&
                     (axis.roi_begin != 0.0f || axis.roi_end != 1.0f);
  return axis.in != axis.out || axis.scale != 1.0f || crops;
}

// The bytes of the indices or of the weights.
uint64_t TableBytes(const ResizePlan& plan) {
  return (plan.table_entries * sizeof(int32_t) + kAlignment - 1) / kAlignment * kAlignment;
}

// Scratch: indices of all levels, their weights, then a buffer for every worker.
struct Tables {
  int32_t* indices;
  float* weights;
  float* buffers;

  Tables(const ResizePlan& plan, void* scratch) {
    const uint64_t bytes = TableBytes(plan);
    auto* base = static_cast<uint8_t*>(scratch);
    const bool weighted = plan.method.mode != ResizeMode::kNearest;
    indices = reinterpret_cast<int32_t*>(base);
    weights = weighted ? reinterpret_cast<float*>(base + bytes) : nullptr;
    buffers = weighted ? reinterpret_cast<float*>(base + 2 * bytes) : nullptr;
  }
};

class Resizer {
 public:
  Resizer(const ResizePlan& plan, const BlendF32Kernel& blend, const Tables& tables)
      : plan_(plan),
        blend_(blend),
        tables_(tables),
        crops_(plan.method.coordinates == ResizeCoordinates::kTfCropAndResize),
        nearest_(plan.method.mode == ResizeMode::kNearest),
        element_(static_cast<int64_t>(plan.element_bytes)),
        inner_element_(nearest_ ? element_ : static_cast<int64_t>(sizeof(float))) {}

  void MakeTables() const {
    for (int l = 0; l < plan_.count; ++l) {
      const ResizeLevel& level = plan_.levels[l];
      float* weights = nearest_ ? nullptr : tables_.weights + level.table_begin;
      MakeResizeTable(plan_.method, level.axis, tables_.indices + level.table_begin, weights);
    }
  }

  // Output positions [begin, end) of a level. `src` is the level's whole input, `dst` the output of `begin`.
  void RunLevel(int l, int64_t begin, int64_t end, const uint8_t* src, uint8_t* dst, float* buffer) const {
    const ResizeLevel& level = plan_.levels[l];
    if (l + 1 == plan_.count) return RunLast(l, begin, end, src, dst);
    const int32_t* indices = tables_.indices + level.table_begin;
    const int64_t out_bytes = level.out_block * element_;
    for (int64_t o = begin; o < end; ++o, dst += out_bytes) {
      if (IsOutside(level, o)) {
        Fill(level.out_block, dst);
      } else if (!nearest_) {
        float* slice = buffer + level.buffer_begin;
        Blend(l, o, 1, src, reinterpret_cast<uint8_t*>(slice));
        RunInner(l + 1, reinterpret_cast<const uint8_t*>(slice), dst, buffer);
      } else if (o > begin && indices[o] == indices[o - 1]) {
        std::memcpy(dst, dst - out_bytes, static_cast<size_t>(out_bytes));
      } else {
        RunInner(l + 1, src + indices[o] * level.in_block * element_, dst, buffer);
      }
    }
  }

 private:
  // All of a level, for one position of the level before.
  void RunInner(int l, const uint8_t* src, uint8_t* dst, float* buffer) const {
    const ResizeLevel& level = plan_.levels[l];
    for (int64_t i = 0; i < level.repeats; ++i) {
      RunLevel(l, 0, level.axis.out, src + i * level.axis.in * level.in_block * inner_element_,
               dst + i * level.axis.out * level.out_block * element_, buffer);
    }
  }

  bool IsOutside(const ResizeLevel& level, int64_t o) const {
    return crops_ && tables_.indices[level.table_begin + static_cast<uint64_t>(o * level.taps)] == kOutside;
  }

  void Fill(int64_t count, uint8_t* dst) const {
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(dst + i * element_, plan_.outside, static_cast<size_t>(element_));
    }
  }

  void RunLast(int l, int64_t begin, int64_t end, const uint8_t* src, uint8_t* dst) const {
    if (!crops_) return RunLastInside(l, begin, end, src, dst);
    const ResizeLevel& level = plan_.levels[l];
    for (int64_t o = begin; o < end; ++o, dst += level.out_block * element_) {
      if (IsOutside(level, o)) {
        Fill(level.out_block, dst);
      } else {
        RunLastInside(l, o, o + 1, src, dst);
      }
    }
  }

  void RunLastInside(int l, int64_t begin, int64_t end, const uint8_t* src, uint8_t* dst) const {
    if (!nearest_) return Blend(l, begin, end - begin, src, dst);
    const ResizeLevel& level = plan_.levels[l];
    GatherRow(src, tables_.indices + level.table_begin + begin, static_cast<size_t>(end - begin),
              static_cast<size_t>(level.in_block * element_), dst);
  }

  // Between the levels there are floats.
  void Blend(int l, int64_t begin, int64_t count, const uint8_t* src, uint8_t* dst) const {
    const bool from_s8 = l == 0 && element_ == 1, to_s8 = l + 1 == plan_.count && element_ == 1;
    if (from_s8 && to_s8) return BlendWith(blend_.s8, l, begin, count, src, dst);
    if (from_s8) return BlendWith(blend_.from_s8, l, begin, count, src, dst);
    if (to_s8) return BlendWith(blend_.to_s8, l, begin, count, src, dst);
    BlendWith(blend_.run, l, begin, count, src, dst);
  }

  template <typename From, typename To>
  void BlendWith(void (*run)(const BlendOf<From, To>&), int l, int64_t begin, int64_t count,
                 const uint8_t* src, uint8_t* dst) const {
    const ResizeLevel& level = plan_.levels[l];
    const uint64_t entry = level.table_begin + static_cast<uint64_t>(begin * level.taps);
    run({static_cast<size_t>(level.in_block), static_cast<size_t>(count), static_cast<size_t>(level.taps),
         reinterpret_cast<const From*>(src), tables_.indices + entry, tables_.weights + entry,
         reinterpret_cast<To*>(dst)});
  }

  const ResizePlan& plan_;
  const BlendF32Kernel& blend_;
  const Tables& tables_;
  const bool crops_;
  const bool nearest_;
  const int64_t element_;
  const int64_t inner_element_;  // of what a level after the first reads
};

}  // namespace

namespace {

// Entries of the tables of an axis that a run makes as small as it likes. A filter against aliases grows as
// its output shrinks: each of `out` elements takes 2 * ceil(reach * in / out), twice for a size that was
// rounded up.
uint64_t LargestEntries(const ResizeMethod& method, const ResizeAxis& axis) {
  const int64_t reach = method.mode == ResizeMode::kLinear ? 1 : 2;
  const bool widens = method.antialias && method.mode != ResizeMode::kNearest;
  if (widens) return 2 * (2 * static_cast<uint64_t>(reach * axis.in) + static_cast<uint64_t>(axis.out));
  return static_cast<uint64_t>(axis.out * ResizeTaps(method, axis));
}

ResizePlan PlanLevels(const ResizeMethod& method, const Shape& in, const ResizeAxis* axes, uint32_t decided,
                      size_t element_bytes) {
  ResizePlan plan = {};
  plan.method = method;
  plan.element_bytes = element_bytes;
  int64_t between = 1;
  for (int i = 0; i < in.rank; ++i) {
    const bool is_decided = (decided >> i & 1u) != 0;
    if (!is_decided && !IsResized(method, axes[i])) {
      between *= in[i];
      continue;
    }
    ResizeLevel& level = plan.levels[plan.count++];
    level.axis = axes[i];
    level.repeats = between;
    level.in_block = in.product(i + 1, in.rank);
    level.taps = ResizeTaps(method, axes[i]);
    level.table_begin = plan.table_entries;
    plan.table_entries +=
        is_decided ? LargestEntries(method, axes[i]) : static_cast<uint64_t>(axes[i].out * level.taps);
    between = 1;
  }
  int64_t out_block = between;
  for (int l = plan.count - 1; l >= 0; --l) {
    ResizeLevel& level = plan.levels[l];
    level.out_block = out_block;
    out_block *= level.axis.out * level.repeats;
  }
  for (int l = 0; l + 1 < plan.count && method.mode != ResizeMode::kNearest; ++l) {
    plan.levels[l].buffer_begin = plan.buffer_elements;
    plan.buffer_elements += static_cast<uint64_t>(plan.levels[l].in_block);
  }
  return plan;
}

}  // namespace

ResizePlan PlanResize(const ResizeMethod& method, const Shape& in, const ResizeAxis* axes,
                      size_t element_bytes) {
  return PlanLevels(method, in, axes, 0, element_bytes);
}

ResizePlan PlanLargestResize(const ResizeMethod& method, const Shape& in, const ResizeAxis* axes,
                             uint32_t decided, size_t element_bytes) {
  return PlanLevels(method, in, axes, decided, element_bytes);
}

size_t ResizeScratchBytes(const ResizePlan& plan, int workers) {
  uint64_t buffers = 0;
  uint64_t total = 0;
  if (!CheckedMul<uint64_t>(plan.buffer_elements, sizeof(float) * static_cast<size_t>(workers), &buffers) ||
      !CheckedAdd<uint64_t>(TableBytes(plan) * (plan.method.mode == ResizeMode::kNearest ? 1 : 2), buffers,
                            &total) ||
      total > PTRDIFF_MAX) {
    return kTooManyBytes;
  }
  return static_cast<size_t>(total);
}

void RunResize(const ResizeCall& call, const void* in, void* out, void* scratch, const Parallel& parallel) {
  MICRORT_DCHECK(IsAligned(scratch));
  const ResizePlan& plan = call.plan;
  const ResizeLevel& first = plan.levels[0];
  const int64_t elements = first.repeats * first.axis.out * first.out_block;
  if (elements == 0) return;
  const Tables tables(plan, scratch);
  const Resizer resizer(plan, VariantOf(BlendF32Kernels(), call.blend), tables);
  resizer.MakeTables();

  const int64_t in_bytes = first.axis.in * first.in_block * static_cast<int64_t>(plan.element_bytes);
  const int64_t out_bytes = first.out_block * static_cast<int64_t>(plan.element_bytes);
  const int64_t per_tile = std::clamp<int64_t>(kTaskResized / first.out_block, 1, first.axis.out);
  const int64_t tiles = CeilDiv(first.axis.out, per_tile);
  ParallelFor(parallel, static_cast<size_t>(first.repeats * tiles), [&](size_t tile, int worker) {
    const int64_t outer = static_cast<int64_t>(tile) / tiles;
    const int64_t begin = static_cast<int64_t>(tile) % tiles * per_tile;
    float* buffer = tables.buffers == nullptr
                        ? nullptr
                        : tables.buffers + static_cast<size_t>(worker) * plan.buffer_elements;
    resizer.RunLevel(0, begin, std::min(begin + per_tile, first.axis.out),
                     static_cast<const uint8_t*>(in) + outer * in_bytes,
                     static_cast<uint8_t*>(out) + (outer * first.axis.out + begin) * out_bytes, buffer);
  });
}

}  // namespace micrort
