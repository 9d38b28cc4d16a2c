#include "kernels/gemm/pack_narrow.h"

#include "kernels/gemm/interleave_columns.h"
#include "kernels/gemm/pack_float_panels.h"

namespace micrort {
namespace {

struct ReadHalf {
  using Element = uint16_t;
  float operator()(uint16_t x, float) const { return HalfToFloat(x); }
};
struct ReadInt8 {
  using Element = int8_t;
  float operator()(int8_t x, float scale) const { return static_cast<float>(x) * scale; }
};

void PackHalves(const PanelOfB& p, uint16_t* out) {
  const auto* columns = static_cast<const uint16_t*>(p.b.data) + p.first * p.b.column_stride;
  InterleaveColumns(columns, p.b.column_stride, p.b.depth_stride, p.depth, p.exist, p.nr, out);
}

void PackInt8(const PanelOfB& p, float* out) {
  const MatrixB& b = p.b;
  const auto* columns = static_cast<const int8_t*>(b.data) + p.first * b.column_stride;
  float* const end =
      InterleaveColumns(b.scales + p.first * b.scale_stride, b.scale_stride, 0, 1, p.exist, p.nr, out);
  InterleaveColumns(columns, b.column_stride, b.depth_stride, p.depth, p.exist, p.nr,
                    reinterpret_cast<int8_t*>(end));
}

}  // namespace

void PackNarrowPanel(const PanelOfB& panel, void* out) {
  if (panel.b.type == DType::kFloat16) {
    PackHalves(panel, static_cast<uint16_t*>(out));
  } else {
    PackInt8(panel, static_cast<float*>(out));
  }
}

void PackNarrowBF32(const MatrixB& b, size_t depth, size_t columns, size_t nr, float* out) {
  if (b.type == DType::kInt8) {
    PackFloatPanels<ReadInt8>(b, depth, columns, nr, out);
  } else {
    PackFloatPanels<ReadHalf>(b, depth, columns, nr, out);
  }
}

}  // namespace micrort
