#pragma once
// What the algorithms' cost functions and packing share.

#include "kernels/base/checked_math.h"
#include "kernels/base/machine_model.h"
#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/pack_b.h"
#include "kernels/gemm/work_partition.h"

namespace micrort {

// The unit of cost is a multiply-add of a GEMM micro-kernel with vectors of kCostLanes floats, about 1/60 ns.
constexpr size_t kCostLanes = 8;

// Cost of products cut into tiles of mr by nr; those at the edges cost as much as whole ones.
inline double TiledCost(double products, int64_t rows, int64_t columns, int64_t depth, size_t mr, size_t nr,
                        size_t lanes) {
  const auto tiles = static_cast<double>(CeilDiv(rows, static_cast<int64_t>(mr))) *
                     static_cast<double>(CeilDiv(columns, static_cast<int64_t>(nr)));
  return products * tiles * static_cast<double>(mr * nr) * static_cast<double>(depth) *
         static_cast<double>(kCostLanes) / static_cast<double>(lanes);
}

// The same of float products, whose micro-kernels leave out vectors of columns that do not exist.
inline double TiledCost(double products, int64_t rows, int64_t columns, int64_t depth,
                        const GemmF32Kernel& kernel) {
  return TiledCost(products, rows, columns, depth, kernel.mr, GemmF32Step(kernel), kernel.lanes);
}

// Cost of streaming bytes that no cache near the core holds.
inline double TrafficCost(const ConvTarget& target, double bytes) {
  return bytes * MachineModelOf(target.features).byte_moved;
}

// Cost of reading packed weights once, for layers whose weights may be packed as floats or narrow. (With
// float weights, algorithms that read much more than others count that themselves.)
inline double WeightTrafficCost(const Conv2DParams& p, const ConvTarget& target, double packed_bytes) {
  return p.types.weights == DType::kFloat32 ? 0.0 : TrafficCost(target, packed_bytes);
}

// Each worker reads all weights and its own rows of input and output, or its own weights and all rows: what
// the other workers have just written, or will read next. That takes about twice as long as reading weights.
inline GemmShare ShareOf(const Conv2DParams& p) {
  const int64_t weights = p.out_c * p.depth(), pixels = p.rows() * (p.in_c + p.out_c);
  return weights <= 2 * pixels ? GemmShare::kRows : GemmShare::kPanels;
}

// Columns [first, out_c) as a right-hand matrix.
inline MatrixB ColumnsFrom(const Conv2DParams& p, const ConvWeights& weights, int64_t first) {
  const auto* bytes = static_cast<const uint8_t*>(weights.data);
  const auto element = static_cast<int64_t>(SizeOf(p.types.weights));
  const int64_t in_byte = p.types.weights == DType::kInt4 ? 2 : 1;  // columns of int4 fill whole bytes
  const float* scales = weights.scales == nullptr ? nullptr : weights.scales + first * weights.scale_stride;
  return {bytes + first * weights.column_stride / in_byte * element,
          p.types.weights,
          weights.column_stride,
          weights.depth_stride,
          scales,
          weights.grid.From(first * weights.scale_stride),
          weights.scale_stride,
          weights.group,
          weights.taps,
          p.group_channels()};
}

}  // namespace micrort
