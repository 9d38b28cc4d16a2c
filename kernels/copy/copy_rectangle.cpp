#include "kernels/copy/copy_rectangle.h"

#include <algorithm>
#include <cstring>

namespace micrort {

namespace {

// Columns of a transpose that are finished before the next ones: their source lines, 8 KiB, stay in the
// first-level cache of every machine that has one.
constexpr int64_t kTransposeStrip = 128;
constexpr int64_t kDefaultTile = 8;

// A block of a size known at compile time, so that copying it is one or two moves.
template <size_t kBytes>
struct FixedBlock {
  static void Copy(const uint8_t* src, uint8_t* dst, size_t) { std::memcpy(dst, src, kBytes); }
  static size_t size(size_t) { return kBytes; }
};

struct AnyBlock {
  static void Copy(const uint8_t* src, uint8_t* dst, size_t bytes) { std::memcpy(dst, src, bytes); }
  static size_t size(size_t bytes) { return bytes; }
};

template <typename Block>
void CopyRow(const CopyDim& cols, size_t bytes, const uint8_t* src, uint8_t* dst) {
  for (int64_t c = 0; c < cols.size; ++c) {
    Block::Copy(src + c * cols.src_stride, dst + c * cols.dst_stride, bytes);
  }
}

// The same block again and again, side by side: a loop that compilers vectorize.
template <typename Block>
void RepeatBlock(const CopyDim& cols, size_t bytes, const uint8_t* __restrict src, uint8_t* __restrict dst) {
  const size_t stride = Block::size(bytes);
  for (size_t c = 0; c < static_cast<size_t>(cols.size); ++c) Block::Copy(src, dst + c * stride, bytes);
}

template <typename Block>
void CopyRows(const StridedCopy& copy, const CopyDim& rows, const CopyDim& cols, const uint8_t* src,
              uint8_t* dst) {
  const size_t bytes = copy.block_bytes;
  const bool repeats = cols.src_stride == 0 && cols.dst_stride == static_cast<int64_t>(bytes);
  for (int64_t r = 0; r < rows.size; ++r) {
    const uint8_t* s = src + r * rows.src_stride;
    uint8_t* d = dst + r * rows.dst_stride;
    repeats ? RepeatBlock<Block>(cols, bytes, s, d) : CopyRow<Block>(cols, bytes, s, d);
  }
}

// Every second block of each row, side by side: half of the channels before a shuffle. As nothing overlaps,
// not even what is copied and its dimensions, compilers vectorize it.
template <typename Block>
void CopyEverySecond(const StridedCopy& copy, const CopyDim& rows, const CopyDim& cols, const uint8_t* src,
                     uint8_t* dst) {
  const size_t block = Block::size(copy.block_bytes), count = static_cast<size_t>(cols.size);
  for (int64_t r = 0; r < rows.size; ++r) {
    const uint8_t* __restrict s = src + r * rows.src_stride;
    uint8_t* __restrict d = dst + r * rows.dst_stride;
    for (size_t c = 0; c < count; ++c) Block::Copy(s + 2 * c * block, d + c * block, block);
  }
}

// A part of a transpose: by the kernel if it is a whole tile.
template <typename Block>
void CopyPart(const StridedCopy& copy, int64_t tile, const CopyDim& rows, const CopyDim& cols,
              const uint8_t* src, uint8_t* dst) {
  if (copy.tile_kernel != nullptr && rows.size == tile && cols.size == tile) {
    copy.tile_kernel->run(src, static_cast<ptrdiff_t>(cols.src_stride), dst,
                          static_cast<ptrdiff_t>(rows.dst_stride));
  } else {
    CopyRows<Block>(copy, rows, cols, src, dst);
  }
}

// Tile by tile, so that the lines read with a large stride are used up before they leave the cache.
template <typename Block>
void CopyTransposed(const StridedCopy& copy, const CopyDim& rows, const CopyDim& cols, const uint8_t* src,
                    uint8_t* dst) {
  const int64_t tile =
      copy.tile_kernel == nullptr ? kDefaultTile : static_cast<int64_t>(copy.tile_kernel->tile);
  // A rectangle narrower than a tile is a few lines, which are best followed to their end.
  const int64_t row_step = cols.size < tile ? rows.size : tile;
  const int64_t col_step = rows.size < tile ? kTransposeStrip : tile;
  for (int64_t strip = 0; strip < cols.size; strip += kTransposeStrip) {
    const int64_t strip_end = std::min(cols.size, strip + kTransposeStrip);
    for (int64_t r = 0; r < rows.size; r += row_step) {
      const CopyDim part_rows = {std::min(row_step, rows.size - r), rows.src_stride, rows.dst_stride};
      for (int64_t c = strip; c < strip_end; c += col_step) {
        const CopyDim part_cols = {std::min(col_step, strip_end - c), cols.src_stride, cols.dst_stride};
        CopyPart<Block>(copy, tile, part_rows, part_cols, src + r * rows.src_stride + c * cols.src_stride,
                        dst + r * rows.dst_stride + c * cols.dst_stride);
      }
    }
  }
}

// Three planes, block by block in turn: the colors of an image.
template <typename Block>
void CopyThreePlanes(const StridedCopy& copy, const CopyDim& rows, const CopyDim& cols, const uint8_t* src,
                     uint8_t* dst) {
  const size_t block = Block::size(copy.block_bytes), count = static_cast<size_t>(rows.size);
  const uint8_t* __restrict planes[] = {src, src + cols.src_stride, src + 2 * cols.src_stride};
  uint8_t* __restrict d = dst;
  for (size_t r = 0; r < count; ++r, d += 3 * block) {
    for (int i = 0; i < 3; ++i) Block::Copy(planes[i] + r * block, d + i * block, block);
  }
}

template <typename Block>
CopyRectangleFn Choose(const StridedCopy& copy) {
  const CopyDim &rows = copy.dims[copy.rank - 2], &cols = copy.dims[copy.rank - 1];
  const bool side_by_side = cols.dst_stride == static_cast<int64_t>(copy.block_bytes);
  if (copy.transposed) {
    const bool three_planes = side_by_side && cols.size == 3 && rows.dst_stride == 3 * cols.dst_stride;
    return three_planes ? CopyThreePlanes<Block> : CopyTransposed<Block>;
  }
  return side_by_side && cols.src_stride == 2 * cols.dst_stride ? CopyEverySecond<Block> : CopyRows<Block>;
}

}  // namespace

CopyRectangleFn ChooseCopyRectangle(const StridedCopy& copy) {
  switch (copy.block_bytes) {
    case 1:
      return Choose<FixedBlock<1>>(copy);
    case 2:
      return Choose<FixedBlock<2>>(copy);
    case 4:
      return Choose<FixedBlock<4>>(copy);
    case 8:
      return Choose<FixedBlock<8>>(copy);
    case 12:
      return CopyRows<FixedBlock<12>>;
    case 16:
      return CopyRows<FixedBlock<16>>;
    default:
      return CopyRows<AnyBlock>;
  }
}

}  // namespace micrort
