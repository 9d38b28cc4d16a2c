#include "kernels/gemm/pack_b.h"

#include <type_traits>

#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "kernels/gemm/transposed_panels.h"

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
  const bool adjacent = b.taps == nullptr && b.depth_stride == 1;
  const TransposedPanels transposed(b.data, b.column_stride * static_cast<int64_t>(sizeof(float)), adjacent,
                                    depth, columns, nr);
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
      for (size_t k = 0; k < depth; ++k) {
        const int64_t row = b.row(k);
        const int64_t scale = column * b.scale_stride + (b.group == 0 ? 0 : row / b.group);
        out[k * nr + j] =
            static_cast<float>(ReadInt4(data, row) - b.grid.zero_point(scale)) * b.grid.scale(scale);
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

}  // namespace micrort
