#include "kernels/attention/attention.h"

#include <algorithm>
#include <limits>

#include "kernels/attention/attend_few.h"
#include "kernels/attention/cache_rows.h"
#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/machine_model.h"
#include "kernels/base/part.h"
#include "kernels/base/target.h"
#include "kernels/elementwise/softmax_f32.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/pack_b.h"

namespace micrort {

MICRORT_PART(PlanCacheRows);
MICRORT_PART(ReadCacheRows);
MICRORT_PART(AttendFewNarrow);

namespace {

KernelId KernelFor(const AttentionParams& p, int64_t columns) {
  return GemmF32Kernels()[SelectGemmF32(p.features, static_cast<size_t>(columns))].id;
}
const GemmF32Kernel& KeyKernel(const AttentionParams& p) {
  return VariantOf(GemmF32Kernels(), p.plan.key_kernel);
}
const GemmF32Kernel& ValueKernel(const AttentionParams& p) {
  return VariantOf(GemmF32Kernels(), p.plan.value_kernel);
}

constexpr bool ReadsNarrowRows(const AttentionParams& p) {
  return kHasNarrowCaches && p.rows != DType::kFloat32;
}

// Numbers in a row of scores: a sink stands behind those of the keys.
constexpr int64_t ScoresOfRow(const AttentionParams& p) {
  return SeenKeys(p) + (kHasSoftcaps && p.sinks ? 1 : 0);
}

// Whole cache lines.
constexpr uint64_t RoundUp(uint64_t elements) { return (elements + 15) / 16 * 16; }

// The parts of scratch, in floats and bytes. Panels of keys and values exist for as many heads as there are
// workers; scores and row pointers for every worker.
struct Layout {
  uint64_t keys, values;                  // floats of the panels of one head
  uint64_t key_rows = 0, value_rows = 0;  // floats of its rows, where they lie as others or in a ring
  uint64_t scores;                        // floats of one block of queries
  uint64_t pointers;                      // rows of one block, rounded up to whole tiles
  int64_t heads;                          // packed at a time
  size_t pointer_bytes;                   // of one pointer

  explicit Layout(const AttentionParams& p) {
    const auto panels = [](const GemmF32Kernel& kernel, int64_t depth, int64_t columns) {
      return PackedBF32Elements(static_cast<uint64_t>(depth), static_cast<uint64_t>(columns), kernel.nr);
    };
    const int64_t seen = SeenKeys(p);
    keys = RoundUp(panels(KeyKernel(p), p.depth, seen));
    values = RoundUp(panels(ValueKernel(p), seen, p.value_depth));
    if (kHasNarrowCaches) {
      const uint64_t rows_of_head = ReadsNarrowRows(p) || p.ring ? static_cast<uint64_t>(seen) : 0;
      key_rows = RoundUp(rows_of_head * static_cast<uint64_t>(p.depth));
      value_rows = RoundUp(rows_of_head * static_cast<uint64_t>(p.value_depth));
    }
    const int64_t rows = std::min<int64_t>(p.queries, p.plan.query_rows);
    scores = RoundUp(static_cast<uint64_t>(rows) * static_cast<uint64_t>(ScoresOfRow(p)));
    const size_t most = std::max(KeyKernel(p).mr, ValueKernel(p).mr);
    pointers = RoundUp(static_cast<uint64_t>(rows) + most);
    heads = std::min<int64_t>(p.batch * p.key_heads, p.workers);
    pointer_bytes = PointerBytes(p.features);
  }
  uint64_t head_floats() const { return keys + values + (kHasNarrowCaches ? key_rows + value_rows : 0); }
  uint64_t worker_bytes() const { return scores * sizeof(float) + pointers * pointer_bytes; }
};

// A block of rows times a packed matrix, row by row of tiles.
struct Product {
  const GemmF32Kernel& kernel;
  const int64_t depth_block;  // that is summed up at a time, so that its panel stays in the first-level cache
  const float* const* rows;   // pointers, readable up to a whole tile
  int64_t row_count, depth, columns;
  const float* panels;
  float* c;
  size_t c_stride;

  void Run() const {
    const auto nr = static_cast<int64_t>(kernel.nr), mr = static_cast<int64_t>(kernel.mr);
    for (int64_t k = 0; k < depth; k += depth_block) {
      for (int64_t column = 0; column < columns; column += nr) {
        for (int64_t row = 0; row < row_count; row += mr) RunTile(k, column, row);
      }
    }
  }

 private:
  void RunTile(int64_t k, int64_t column, int64_t row) const {
    const auto nr = static_cast<int64_t>(kernel.nr), mr = static_cast<int64_t>(kernel.mr);
    GemmF32Tile tile = {};
    tile.m = static_cast<size_t>(std::min(mr, row_count - row));
    tile.n = static_cast<size_t>(std::min(nr, columns - column));
    tile.taps = 1;
    tile.channels = static_cast<size_t>(std::min(depth_block, depth - k));
    tile.a = rows + row;
    tile.a_offset = static_cast<size_t>(k);
    tile.b = panels + column * depth + k * nr;
    tile.c = c + row * static_cast<int64_t>(c_stride) + column;
    tile.c_stride = c_stride;
    if (k > 0) {
      tile.start = tile.c;
      tile.start_stride = c_stride;
    }
    tile.lo = -std::numeric_limits<float>::infinity();
    tile.hi = std::numeric_limits<float>::infinity();
    kernel.run(tile);
  }
};

class AttentionRunner {
 public:
  AttentionRunner(const AttentionParams& p, const AttentionTensors& t, void* scratch)
      : p_(p),
        t_(t),
        keys_(SeenKeys(p)),
        stride_(ScoresOfRow(p)),
        layout_(p),
        key_kernel_(KeyKernel(p)),
        value_kernel_(ValueKernel(p)),
        softmax_(VariantOf(SoftmaxF32Kernels(), p.plan.softmax)),
        panels_(static_cast<float*>(scratch)),
        workers_(reinterpret_cast<uint8_t*>(panels_ +
                                            static_cast<uint64_t>(layout_.heads) * layout_.head_floats())) {}

  void Run(const Parallel& parallel) {
    const int64_t all = p_.batch * p_.key_heads;
    for (int64_t first = 0; first < all; first += layout_.heads) {
      RunHeads(first, std::min(layout_.heads, all - first), parallel);
    }
  }

 private:
  // Key heads [first, first + count), counted through the batch.
  void RunHeads(int64_t first, int64_t count, const Parallel& parallel) {
    const int64_t sharing = p_.heads / p_.key_heads,
                  blocks = CeilDiv<int64_t>(p_.queries, p_.plan.query_rows);
    ParallelFor(parallel, static_cast<size_t>(2 * count), [&](size_t part, int) {
      const auto head = static_cast<int64_t>(part) / 2;
      part % 2 == 0 ? PackKeys(first + head, Panels(head)) : PackValues(first + head, Panels(head));
    });
    ParallelFor(parallel, static_cast<size_t>(count * sharing * blocks), [&](size_t task, int worker) {
      const auto t = static_cast<int64_t>(task);
      const int64_t head = t / (sharing * blocks);
      const int64_t query_head = (first + head) * sharing + t / blocks % sharing;
      RunBlock(query_head, t % blocks * p_.plan.query_rows, Panels(head), worker);
    });
  }

  float* Panels(int64_t head) const { return panels_ + static_cast<uint64_t>(head) * layout_.head_floats(); }

  static int64_t Offset(const AttentionStrides& s, int64_t heads, int64_t head) {
    return head / heads * s.batch + head % heads * s.head;
  }

  struct RowsOfHead {
    const float* first;
    int64_t stride;
  };
  // The rows of the keys that are seen, in order of position: where they lie, or, if these are no floats or a
  // ring ends between them, as `floats`.
  RowsOfHead Rows(const void* all, const AttentionStrides& strides, int64_t head, int64_t width,
                  float* floats) const {
    const bool is_ring = kHasRings && p_.ring;
    const int64_t first = is_ring ? (t_.positions - keys_) % p_.keys : p_.keys - keys_;
    const int64_t offset = Offset(strides, p_.key_heads, head), behind = offset + first * strides.row;
    const int64_t in_front = kHasRings ? std::min(keys_, p_.keys - first) : keys_;
    if (!ReadsNarrowRows(p_) && in_front == keys_)
      return {static_cast<const float*>(all) + behind, strides.row};
    ReadRows(all, behind, strides.row, in_front, width, floats);
    ReadRows(all, offset, strides.row, keys_ - in_front, width, floats + in_front * width);
    return {floats, width};
  }
  void ReadRows(const void* all, int64_t offset, int64_t stride, int64_t count, int64_t width,
                float* floats) const {
    if (ReadsNarrowRows(p_)) {
      return ReadCacheRows(PlanCacheRows(p_.rows, width, p_.features),
                           static_cast<const uint8_t*>(all) + static_cast<size_t>(offset) * SizeOf(p_.rows),
                           stride, count, floats);
    }
    const float* const rows = static_cast<const float*>(all) + offset;
    for (int64_t r = 0; r < count; ++r) std::copy_n(rows + r * stride, width, floats + r * width);
  }

  // Scaled here, where it takes the fewest multiplications.
  void PackKeys(int64_t head, float* panels) const {
    const RowsOfHead rows = Rows(t_.k, p_.k, head, p_.depth, panels + layout_.keys + layout_.values);
    const MatrixB b = {rows.first, DType::kFloat32, rows.stride, 1, nullptr, {}, 0};
    PackBF32(b, static_cast<size_t>(p_.depth), static_cast<size_t>(keys_), key_kernel_.nr, panels);
    if (p_.scale == 1.0f) return;
    for (uint64_t i = 0; i < layout_.keys; ++i) panels[i] *= p_.scale;
  }
  void PackValues(int64_t head, float* panels) const {
    float* const floats = panels + layout_.keys + layout_.values + layout_.key_rows;
    const RowsOfHead rows = Rows(t_.v, p_.v, head, p_.value_depth, floats);
    const MatrixB b = {rows.first, DType::kFloat32, 1, rows.stride, nullptr, {}, 0};
    PackBF32(b, static_cast<size_t>(keys_), static_cast<size_t>(p_.value_depth), value_kernel_.nr,
             panels + layout_.keys);
  }

  void RunBlock(int64_t head, int64_t first_row, const float* panels, int worker) const {
    const int64_t rows = std::min<int64_t>(p_.plan.query_rows, p_.queries - first_row);
    auto* const scores =
        reinterpret_cast<float*>(workers_ + static_cast<uint64_t>(worker) * layout_.worker_bytes());
    auto* const pointers = reinterpret_cast<const float**>(scores + layout_.scores);
    const auto stride = static_cast<size_t>(stride_);

    const float* q = t_.q + Offset(p_.q, p_.heads, head) + first_row * p_.q.row;
    ListRows(q, p_.q.row, rows, pointers);
    Product{key_kernel_, p_.plan.depth_block, pointers, rows, p_.depth, keys_, panels, scores, stride}.Run();
    if (kHasSoftcaps && p_.softcap != 0) CapRows(rows, scores);
    if (t_.mask != nullptr)
      AddMask(t_.mask + Offset(p_.mask, p_.heads, head) + first_row * p_.mask.row, rows, scores);
    if (p_.causal) HideKeys(first_row, rows, scores);
    if (kHasSoftcaps && p_.sinks) {
      for (int64_t r = 0; r < rows; ++r) scores[r * stride_ + keys_] = t_.sinks[head % p_.heads];
    }
    softmax_.rows(scores, scores, static_cast<size_t>(rows), stride, false);

    float* y = t_.y + Offset(p_.y, p_.heads, head) + first_row * p_.y.row;
    ListRows(scores, stride_, rows, pointers);
    Product{value_kernel_,
            p_.plan.depth_block,
            pointers,
            rows,
            keys_,
            p_.value_depth,
            panels + layout_.keys,
            y,
            static_cast<size_t>(p_.y.row)}
        .Run();
  }

  void CapRows(int64_t rows, float* scores) const {
    const CapScoresFn cap = VariantOf(AttendFewKernels(), p_.plan.few).cap;
    for (int64_t r = 0; r < rows; ++r) cap(1 / p_.softcap, p_.softcap, keys_, scores + r * stride_);
  }

  // To whole scores: a sum that begins with a large negative number keeps few bits of each product, and a row
  // may have no other numbers.
  void AddMask(const float* mask, int64_t rows, float* scores) const {
    for (int64_t r = 0; r < rows; ++r) {
      float* const row = scores + r * stride_;
      for (int64_t s = 0; s < p_.keys; ++s) row[s] += mask[r * p_.mask.row + s];
    }
  }

  // Those behind the position of each query, and before its window.
  void HideKeys(int64_t first_row, int64_t rows, float* scores) const {
    constexpr float kHidden = -std::numeric_limits<float>::infinity();
    for (int64_t r = 0; r < rows; ++r) {
      float* const row = scores + r * stride_;
      const int64_t seen = keys_ - p_.queries + first_row + r + 1;
      std::fill(row + seen, row + keys_, kHidden);
      if (kHasRings && p_.window != 0 && seen > p_.window) std::fill(row, row + seen - p_.window, kHidden);
    }
  }

  // The last row again where a tile goes on behind it.
  void ListRows(const float* first, int64_t stride, int64_t rows, const float** pointers) const {
    for (uint64_t i = 0; i < layout_.pointers; ++i) {
      pointers[i] = first + std::min(static_cast<int64_t>(i), rows - 1) * stride;
    }
  }

  const AttentionParams& p_;
  const AttentionTensors& t_;
  const int64_t keys_;    // that some query sees: the last ones
  const int64_t stride_;  // from a row of scores to the next
  const Layout layout_;
  const GemmF32Kernel& key_kernel_;
  const GemmF32Kernel& value_kernel_;
  const SoftmaxF32Kernel& softmax_;
  float* const panels_;
  uint8_t* const workers_;
};

// Below that, no padding of a matrix that has an address overflows 64 bits.
constexpr int64_t kMostOfADimension = int64_t{1} << 48;

// A block of floats for each worker.
size_t BlockBytes(const AttentionParams& p) {
  if (std::max(p.depth, p.value_depth) > kMostOfADimension) return kTooManyBytes;
  const double bytes = static_cast<double>(AttendFewBlockFloats(p)) * static_cast<double>(p.workers) *
                       static_cast<double>(sizeof(float));
  return bytes > static_cast<double>(PTRDIFF_MAX / 2) ? kTooManyBytes : static_cast<size_t>(bytes);
}

}  // namespace

void PlanAttention(AttentionParams* p) {
  const MachineModel& model = MachineModelOf(p->features);
  p->plan = {KernelFor(*p, p->keys),
             KernelFor(*p, p->value_depth),
             SelectSoftmaxF32(p->features).id,
             SelectAttendFew(p->features).id,
             static_cast<int32_t>(model.panel_depth),
             static_cast<int32_t>(model.query_rows)};
}

const char* AttentionName(const AttentionParams& p) {
  return SuitsAttendFew(p) ? AttendFewName(p) : KeyKernel(p).name;
}

size_t AttentionScratchBytes(const AttentionParams& p) {
  if (SuitsAttendFew(p)) return ReadsNarrowRows(p) ? BlockBytes(p) : 0;
  if (std::max({p.keys, p.depth, p.value_depth}) > kMostOfADimension) return kTooManyBytes;
  const Layout layout(p);
  const auto floats = static_cast<double>(layout.heads) * static_cast<double>(layout.head_floats());
  const double total =
      floats * sizeof(float) + static_cast<double>(p.workers) * static_cast<double>(layout.worker_bytes());
  if (total > static_cast<double>(PTRDIFF_MAX / 2)) return kTooManyBytes;
  return static_cast<size_t>(layout.heads) * static_cast<size_t>(layout.head_floats()) * sizeof(float) +
         static_cast<size_t>(p.workers) * static_cast<size_t>(layout.worker_bytes());
}

void Attention(const AttentionParams& p, const AttentionTensors& tensors, void* scratch,
               const Parallel& parallel) {
  MICRORT_DCHECK(parallel.workers() <= p.workers);
  if (p.batch * p.queries * p.value_depth == 0) return;
  if (SuitsAttendFew(p)) {
    return ReadsNarrowRows(p) ? AttendFewNarrow(p, tensors, scratch, parallel)
                              : AttendFew(p, tensors, parallel);
  }
  MICRORT_DCHECK(IsAligned(scratch));
  AttentionRunner(p, tensors, scratch).Run(parallel);
}

}  // namespace micrort
