#include "kernels/copy/gather_table.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "kernels/base/int4.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/task_sizes.h"
#include "kernels/elementwise/convert_f32.h"

namespace micrort {
namespace {

class TableReader {
 public:
  TableReader(const TableRows& table, const ConvertF32Kernel& kernel) : table_(table), kernel_(kernel) {}

  void Read(const uint8_t* row, size_t index, float* y) const {
    if (kHasNarrowTables && table_.dtype == DType::kFloat16)
      return kernel_.from_half(reinterpret_cast<const uint16_t*>(row), y, table_.elements);
    size_t scale = index * table_.row_scales;
    for (size_t first = 0; first < table_.elements; first += table_.run, ++scale) {
      const size_t n = std::min(table_.run, table_.elements - first);
      if (kHasNarrowTables && table_.dtype == DType::kInt4) {
        const auto at = static_cast<int64_t>(scale);
        ReadInt4s(row, first, n, {table_.grid.scale(at), table_.grid.zero_point(at)}, y + first);
        continue;
      }
      const int32_t zero_point = table_.zero_points == nullptr ? 0 : table_.zero_points[scale];
      kernel_.dequantize_s8(reinterpret_cast<const int8_t*>(row) + first, y + first, n,
                            {table_.scales[scale], zero_point});
    }
  }

 private:
  void ReadInt4s(const uint8_t* row, size_t first, size_t n, QuantizationParams q, float* y) const {
    constexpr size_t kMost = 64;
    int8_t widened[kMost];
    for (size_t done = 0; done < n; done += kMost) {
      const size_t count = std::min(kMost, n - done);
      for (size_t i = 0; i < count; ++i)
        widened[i] = static_cast<int8_t>(ReadInt4(row, static_cast<int64_t>(first + done + i)));
      kernel_.dequantize_s8(widened, y + done, count, q);
    }
  }

  const TableRows& table_;
  const ConvertF32Kernel& kernel_;
};

template <typename Index>
size_t Run(const GatherCall& call, const uint8_t* src, const Index* indices, float* dst,
           const Parallel& parallel) {
  const size_t count = call.shape.count, bound = call.shape.bound, elements = call.table.elements;
  const size_t bad = FindBadIndex(indices, count, bound);
  if (bad != count || count == 0 || elements == 0) return bad;
  const TableReader reader(call.table, VariantOf(ConvertF32Kernels(), call.table.kernel));
  const size_t per_task = std::clamp<size_t>(kTaskGatherBytes / sizeof(float) / elements, 1, count);
  ParallelFor(parallel, CeilDiv(count, per_task), [&](size_t task, int) {
    const size_t end = std::min(count, (task + 1) * per_task);
    for (size_t i = task * per_task; i < end; ++i) {
      const size_t index = static_cast<size_t>(indices[i]) + (indices[i] < 0 ? bound : 0);
      reader.Read(src + index * call.shape.block_bytes, index, dst + i * elements);
    }
  });
  return bad;
}

}  // namespace

size_t RunGatherTable(const GatherCall& call, const void* src, const void* indices, float* dst,
                      const Parallel& parallel) {
  const auto* const bytes = static_cast<const uint8_t*>(src);
  return call.indices == DType::kInt32
             ? Run(call, bytes, static_cast<const int32_t*>(indices), dst, parallel)
             : Run(call, bytes, static_cast<const int64_t*>(indices), dst, parallel);
}

}  // namespace micrort
