#include "kernels/copy/gather.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/task_sizes.h"

namespace micrort {

namespace {

// kBytes: the size of a block where it is known at compile time, else 0.
template <size_t kBytes, typename Index>
void GatherBlocks(const uint8_t* src, const Index* indices, size_t count, size_t bound, size_t block_bytes,
                  uint8_t* dst) {
  const size_t bytes = kBytes == 0 ? block_bytes : kBytes;
  for (size_t i = 0; i < count; ++i) {
    const size_t index =
        indices[i] < 0 ? bound + static_cast<size_t>(indices[i]) : static_cast<size_t>(indices[i]);
    std::memcpy(dst + i * bytes, src + index * bytes, bytes);
  }
}

template <typename Index>
void GatherRange(const uint8_t* src, const Index* indices, size_t count, size_t bound, size_t block_bytes,
                 uint8_t* dst) {
  switch (block_bytes) {
    case 1:
      return GatherBlocks<1>(src, indices, count, bound, block_bytes, dst);
    case 2:
      return GatherBlocks<2>(src, indices, count, bound, block_bytes, dst);
    case 4:
      return GatherBlocks<4>(src, indices, count, bound, block_bytes, dst);
    case 8:
      return GatherBlocks<8>(src, indices, count, bound, block_bytes, dst);
    default:
      return GatherBlocks<0>(src, indices, count, bound, block_bytes, dst);
  }
}

}  // namespace

template <typename Index>
size_t FindBadIndex(const Index* indices, size_t count, size_t bound) {
  for (size_t i = 0; i < count; ++i) {
    const int64_t index = indices[i];
    if (index < -static_cast<int64_t>(bound) || index >= static_cast<int64_t>(bound)) return i;
  }
  return count;
}

template <typename Index>
void Gather(const GatherShape& shape, const void* src, const Index* indices, void* dst,
            const Parallel& parallel) {
  if (shape.outer == 0 || shape.count == 0 || shape.block_bytes == 0) return;
  const size_t per_tile = std::clamp<size_t>(kTaskGatherBytes / shape.block_bytes, 1, shape.count);
  const size_t tiles_per_row = CeilDiv(shape.count, per_tile);
  ParallelFor(parallel, shape.outer * tiles_per_row, [&](size_t tile, int) {
    const size_t outer = tile / tiles_per_row;
    const size_t begin = tile % tiles_per_row * per_tile;
    GatherRange(static_cast<const uint8_t*>(src) + outer * shape.bound * shape.block_bytes, indices + begin,
                std::min(per_tile, shape.count - begin), shape.bound, shape.block_bytes,
                static_cast<uint8_t*>(dst) + (outer * shape.count + begin) * shape.block_bytes);
  });
}

void GatherRow(const uint8_t* src, const int32_t* indices, size_t count, size_t block_bytes, uint8_t* dst) {
  GatherRange(src, indices, count, 0, block_bytes, dst);
}

template size_t FindBadIndex(const int32_t*, size_t, size_t);
template size_t FindBadIndex(const int64_t*, size_t, size_t);
template void Gather(const GatherShape&, const void*, const int32_t*, void*, const Parallel&);
template void Gather(const GatherShape&, const void*, const int64_t*, void*, const Parallel&);

namespace {

template <typename Index>
size_t GatherChecked(const GatherShape& shape, const void* src, const Index* indices, void* dst,
                     const Parallel& parallel) {
  const size_t bad = FindBadIndex(indices, shape.count, shape.bound);
  if (bad == shape.count) Gather(shape, src, indices, dst, parallel);
  return bad;
}

}  // namespace

size_t RunGather(const GatherCall& call, const void* src, const void* indices, void* dst,
                 const Parallel& parallel) {
  return call.indices == DType::kInt32
             ? GatherChecked(call.shape, src, static_cast<const int32_t*>(indices), dst, parallel)
             : GatherChecked(call.shape, src, static_cast<const int64_t*>(indices), dst, parallel);
}

}  // namespace micrort
