#include "kernels/index/gather_nd.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/task_sizes.h"
#include "kernels/index/index_type.h"

namespace micrort {

namespace {

// kBytes: the size of a block where it is known at compile time, else 0.
template <size_t kBytes, typename Index>
void GatherTuples(const TupleIndex& plan, size_t element_bytes, const uint8_t* data, const Index* indices,
                  uint8_t* y, size_t begin, size_t end) {
  const size_t bytes = kBytes == 0 ? plan.block * element_bytes : kBytes;
  for (size_t i = begin; i < end; ++i) {
    std::memcpy(y + i * bytes, data + BlockOffset(plan, indices, i) * element_bytes, bytes);
  }
}

}  // namespace

template <typename Index>
void GatherND(const TupleIndex& plan, size_t element_bytes, const void* data, const Index* indices, void* y,
              const Parallel& parallel) {
  const size_t bytes = plan.block * element_bytes;
  if (plan.tuples() == 0 || bytes == 0) return;
  const auto* from = static_cast<const uint8_t*>(data);
  auto* to = static_cast<uint8_t*>(y);
  const size_t per_tile = std::max<size_t>(1, kTaskGatherBytes / bytes);
  ParallelFor(parallel, CeilDiv(plan.tuples(), per_tile), [&](size_t tile, int) {
    const size_t begin = tile * per_tile;
    const size_t end = std::min(begin + per_tile, plan.tuples());
    switch (bytes) {
      case 4:
        return GatherTuples<4>(plan, element_bytes, from, indices, to, begin, end);
      case 8:
        return GatherTuples<8>(plan, element_bytes, from, indices, to, begin, end);
      default:
        return GatherTuples<0>(plan, element_bytes, from, indices, to, begin, end);
    }
  });
}

template void GatherND(const TupleIndex&, size_t, const void*, const int32_t*, void*, const Parallel&);
template void GatherND(const TupleIndex&, size_t, const void*, const int64_t*, void*, const Parallel&);

size_t RunGatherND(const GatherNDCall& call, const void* data, const void* indices, void* y,
                   const Parallel& parallel) {
  return WithIndexType(call.indices, indices, [&](const auto* values) {
    const size_t bad = FindBadTupleIndex(call.plan, values);
    if (bad == call.plan.indices()) GatherND(call.plan, call.element_bytes, data, values, y, parallel);
    return bad;
  });
}

}  // namespace micrort
