#include "kernels/gemm/pack_b.h"

#include <cstring>
#include <type_traits>

#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "kernels/copy/transpose_tile.h"

namespace micrort {
namespace {

struct ReadFloat {
  using Element = float;
  float operator()(float x, float) const { return x; }
};
struct ReadHalf {
  using Element = uint16_t;
  float operator()(uint16_t x, float) const { return HalfToFloat(x); }
};
struct ReadInt8 {
  using Element = int8_t;
  float operator()(int8_t x, float scale) const { return static_cast<float>(x) * scale; }
};

// Floats whose columns lie whole one after the other: full panels are transposed, a tile at a time.
class TransposedPanels {
 public:
  TransposedPanels(const MatrixB& b, size_t depth, size_t columns, size_t nr)
      // For the CPU that packs, which need not be the one that computes.
      : kernel_(*SelectTransposeTile(sizeof(float), DetectCpuFeatures())), b_(b), nr_(nr) {
    const bool fits = b.taps == nullptr && b.depth_stride == 1 && nr % kernel_.tile == 0;
    depth_ = fits ? depth / kernel_.tile * kernel_.tile : 0;
    columns_ = fits ? columns / nr * nr : 0;
  }

  // How much of the depth of the panel that begins with this column is done here.
  size_t Pack(size_t first, float* out) const {
    if (first >= columns_) return 0;
    const size_t tile = kernel_.tile;
    const auto stride = static_cast<ptrdiff_t>(b_.column_stride * static_cast<int64_t>(sizeof(float)));
    const auto* columns = static_cast<const uint8_t*>(b_.data) + static_cast<ptrdiff_t>(first) * stride;
    for (size_t k = 0; k < depth_; k += tile) {
      for (size_t j = 0; j < nr_; j += tile) {
        kernel_.run(columns + static_cast<ptrdiff_t>(j) * stride + k * sizeof(float), stride,
                    reinterpret_cast<uint8_t*>(out + k * nr_ + j),
                    static_cast<ptrdiff_t>(nr_ * sizeof(float)));
      }
    }
    return depth_;
  }

 private:
  const TransposeTileKernel& kernel_;
  const MatrixB& b_;
  const size_t nr_;
  size_t depth_, columns_;
};

template <typename Read>
void PackFloats(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out) {
  const Read read;
  const TransposedPanels transposed(b, depth, columns, nr);
  for (size_t first = 0; first < columns; first += nr) {
    const size_t exist = columns - first < nr ? columns - first : nr;
    const auto column = static_cast<int64_t>(first);
    const auto* panel = static_cast<const typename Read::Element*>(b.data) + column * b.column_stride;
    const float* scales = b.scales == nullptr ? nullptr : b.scales + column * b.scale_stride;
    size_t k = 0;
    if constexpr (std::is_same_v<Read, ReadFloat>) k = transposed.Pack(first, out);
    out += k * nr;
    for (; k < depth; ++k, out += nr) {
      const auto* row = panel + b.row(k) * b.depth_stride;
      for (size_t j = 0; j < exist; ++j) {
        const auto at = static_cast<int64_t>(j);
        out[j] = read(row[at * b.column_stride], scales == nullptr ? 1.0f : scales[at * b.scale_stride]);
      }
      for (size_t j = exist; j < nr; ++j) out[j] = 0.0f;
    }
  }
}

void PackInt4(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out) {
  for (size_t first = 0; first < columns; first += nr, out += depth * nr) {
    for (size_t j = 0; j < nr; ++j) {
      if (first + j >= columns) {
        for (size_t k = 0; k < depth; ++k) out[k * nr + j] = 0.0f;
        continue;
      }
      const auto column = static_cast<int64_t>(first + j);
      const auto* data = static_cast<const uint8_t*>(b.data) + column * b.column_stride / 2;
      const float* scales = b.scales + column * b.scale_stride;
      for (size_t k = 0; k < depth; ++k) {
        const int64_t row = b.row(k);
        out[k * nr + j] = static_cast<float>(ReadInt4(data, row)) * scales[b.group == 0 ? 0 : row / b.group];
      }
    }
  }
}

}  // namespace

void PackBF32(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out) {
  if (b.type == DType::kInt8) {
    PackFloats<ReadInt8>(b, depth, columns, nr, out);
  } else if (b.type == DType::kInt4) {
    PackInt4(b, depth, columns, nr, out);
  } else if (b.type == DType::kFloat16) {
    PackFloats<ReadHalf>(b, depth, columns, nr, out);
  } else {
    PackFloats<ReadFloat>(b, depth, columns, nr, out);
  }
}

void PackBS8(const MatrixB& b, size_t depth, size_t columns, size_t nr, size_t kr, int8_t* out,
             int32_t* sums) {
  const auto* data = static_cast<const int8_t*>(b.data);
  for (size_t first = 0; first < columns; first += nr) {
    const size_t exist = columns - first < nr ? columns - first : nr;
    const int8_t* panel = data + static_cast<int64_t>(first) * b.column_stride;
    for (size_t j = 0; j < exist; ++j) sums[first + j] = 0;
    for (size_t k = 0; k < depth; k += kr, out += nr * kr) {
      const size_t left = depth - k < kr ? depth - k : kr;
      std::memset(out, 0, nr * kr);
      for (size_t j = 0; j < exist; ++j) {
        const int8_t* column = panel + static_cast<int64_t>(j) * b.column_stride;
        int32_t sum = 0;
        for (size_t i = 0; i < left; ++i) {
          const int8_t w = column[b.row(k + i) * b.depth_stride];
          out[j * kr + i] = w;
          sum += w;
        }
        sums[first + j] += sum;
      }
    }
  }
}

}  // namespace micrort
