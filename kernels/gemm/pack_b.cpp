#include "kernels/gemm/pack_b.h"

#include "kernels/base/half.h"
#include "kernels/base/int4.h"

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

template <typename Read>
void PackFloats(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out) {
  const Read read;
  for (size_t first = 0; first < columns; first += nr) {
    const size_t exist = columns - first < nr ? columns - first : nr;
    const auto column = static_cast<int64_t>(first);
    const auto* row = static_cast<const typename Read::Element*>(b.data) + column * b.column_stride;
    const float* scales = b.scales == nullptr ? nullptr : b.scales + column * b.scale_stride;
    for (size_t k = 0; k < depth; ++k, row += b.depth_stride, out += nr) {
      for (size_t j = 0; j < exist; ++j) {
        const auto at = static_cast<int64_t>(j);
        out[j] = read(row[at * b.column_stride], scales == nullptr ? 1.0f : scales[at * b.scale_stride]);
      }
      for (size_t j = exist; j < nr; ++j) out[j] = 0.0f;
    }
  }
}

void PackInt4(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out) {
  const size_t group = b.group == 0 ? depth : static_cast<size_t>(b.group);
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
        out[k * nr + j] = static_cast<float>(ReadInt4(data, static_cast<int64_t>(k))) * scales[k / group];
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
  const size_t padded_depth = (depth + kr - 1) / kr * kr;
  for (size_t first = 0; first < columns; first += nr, out += padded_depth * nr) {
    for (size_t j = 0; j < nr; ++j) {
      const auto column = static_cast<int64_t>(first + j);
      int32_t sum = 0;
      for (size_t k = 0; k < padded_depth; ++k) {
        const int64_t at = column * b.column_stride + static_cast<int64_t>(k) * b.depth_stride;
        const int8_t w = first + j < columns && k < depth ? data[at] : int8_t{0};
        out[(k / kr * nr + j) * kr + k % kr] = w;
        sum += w;
      }
      if (first + j < columns) sums[column] = sum;
    }
  }
}

}  // namespace micrort
