#include "kernels/copy/strided_copy.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/base/task_sizes.h"
#include "kernels/copy/copy_rectangle.h"
#include "kernels/copy/move_bytes.h"

namespace micrort {

namespace {

// Appends a dimension, or merges it into the one before where both views step over it without a gap.
void AppendDim(const CopyDim& dim, StridedCopy* copy) {
  if (dim.size == 1) return;
  if (copy->rank > 0) {
    CopyDim& outer = copy->dims[copy->rank - 1];
    if (outer.src_stride == dim.src_stride * dim.size && outer.dst_stride == dim.dst_stride * dim.size) {
      outer = {outer.size * dim.size, dim.src_stride, dim.dst_stride};
      return;
    }
  }
  copy->dims[copy->rank++] = dim;
}

void JoinContiguousElements(StridedCopy* copy) {
  if (copy->rank == 0) return;
  const CopyDim& last = copy->dims[copy->rank - 1];
  const int64_t block = static_cast<int64_t>(copy->block_bytes);
  if (last.src_stride != block || last.dst_stride != block) return;
  copy->block_bytes *= static_cast<size_t>(last.size);
  --copy->rank;
}

// Where the last dimension jumps in the source but another one is contiguous there, that one becomes the rows
// of the rectangle, which is then copied in tiles.
void FindTranspose(CpuFeatures features, StridedCopy* copy) {
  const int last = copy->rank - 1;
  const int64_t block = static_cast<int64_t>(copy->block_bytes);
  if (last < 1 || copy->block_bytes > 8 || copy->dims[last].src_stride == 0) return;
  for (int i = last - 1; i >= 0; --i) {
    if (copy->dims[i].src_stride != block) continue;
    std::rotate(copy->dims + i, copy->dims + i + 1, copy->dims + last);
    copy->transposed = true;
    if (copy->dims[last].dst_stride == block)
      copy->tile_kernel = SelectTransposeTile(copy->block_bytes, features);
    return;
  }
}

void PadToRectangle(StridedCopy* copy) {
  while (copy->rank < 2) {
    std::copy_backward(copy->dims, copy->dims + copy->rank, copy->dims + copy->rank + 1);
    copy->dims[0] = {1, 0, 0};
    ++copy->rank;
  }
}

size_t TotalBytes(const StridedCopy& copy) {
  size_t bytes = copy.block_bytes;
  for (int i = 0; i < copy.rank; ++i) bytes *= static_cast<size_t>(copy.dims[i].size);
  return bytes;
}

void CopyLevel(const StridedCopy& copy, int level, CopyRectangleFn rectangle, const uint8_t* src,
               uint8_t* dst) {
  if (level == copy.rank - 2) {
    rectangle(copy, copy.dims[level], copy.dims[level + 1], src, dst);
    return;
  }
  const CopyDim& dim = copy.dims[level];
  for (int64_t i = 0; i < dim.size; ++i) {
    CopyLevel(copy, level + 1, rectangle, src + i * dim.src_stride, dst + i * dim.dst_stride);
  }
}

// The outermost dimension that gives every tile something to do, else the longest.
int DimToSplit(const StridedCopy& copy, size_t tiles) {
  int longest = 0;
  for (int i = 0; i < copy.rank; ++i) {
    if (static_cast<size_t>(copy.dims[i].size) >= tiles) return i;
    if (copy.dims[i].size > copy.dims[longest].size) longest = i;
  }
  return longest;
}

}  // namespace

StridedCopy PlanCopy(size_t element_bytes, Span<const CopyDim> dims, CpuFeatures features) {
  MICRORT_DCHECK(dims.size() <= static_cast<size_t>(kMaxCopyRank));
  for (const CopyDim& dim : dims) MICRORT_DCHECK(dim.size >= 0);
  StridedCopy copy;
  copy.block_bytes = element_bytes;
  for (const CopyDim& dim : dims) copy.empty |= dim.size == 0;
  if (copy.empty) return copy;  // strides of dimensions without elements may be anything
  for (const CopyDim& dim : dims) AppendDim(dim, &copy);
  JoinContiguousElements(&copy);
  FindTranspose(features, &copy);
  PadToRectangle(&copy);
  return copy;
}

void RunCopy(const StridedCopy& copy, const void* src, void* dst, const Parallel& parallel) {
  if (copy.empty) return;
  const auto* from = static_cast<const uint8_t*>(src);
  auto* to = static_cast<uint8_t*>(dst);
  const size_t bytes = TotalBytes(copy);
  if (bytes == copy.block_bytes) return RunMoveCall({bytes}, src, dst, parallel);
  const size_t most = parallel.workers() == 1 ? 1 : static_cast<size_t>(kTasksPerWorker * parallel.workers());
  const size_t tiles = std::clamp<size_t>(bytes / kTaskCopyBytes, 1, most);
  const int split = DimToSplit(copy, tiles);
  const CopyDim whole = copy.dims[split];
  const int64_t chunk = CeilDiv(whole.size, static_cast<int64_t>(tiles));
  ParallelFor(parallel, static_cast<size_t>(CeilDiv(whole.size, chunk)), [&](size_t tile, int) {
    const int64_t begin = static_cast<int64_t>(tile) * chunk;
    StridedCopy part = copy;
    part.dims[split].size = std::min(chunk, whole.size - begin);
    CopyLevel(part, 0, ChooseCopyRectangle(part), from + begin * whole.src_stride,
              to + begin * whole.dst_stride);
  });
}

void RunCopyCall(const CopyCall& call, const void* src, void* dst, const Parallel& parallel) {
  const void* from = static_cast<const uint8_t*>(src) + call.src_offset;
  if (from != dst) RunCopy(call.copy, from, dst, parallel);
}

}  // namespace micrort
