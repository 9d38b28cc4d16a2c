// The micro-kernels of matrix products and their int8 epilogue: one tile, operands in the first-level cache.

#include <limits>
#include <string>
#include <vector>

#include "bench/kernel_bench/variant.h"
#include "kernels/gemm/dequantize_weights.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/gemm/half_row_f32.h"
#include "kernels/gemm/requantize.h"
#include "kernels/grouped_conv/grouped_f32.h"

namespace micrort::bench {

namespace {

constexpr size_t kDepth = 192;

double TileOperations(size_t mr, size_t nr) { return 2.0 * static_cast<double>(mr * nr * kDepth); }

void AddFloatTile(const GemmF32Kernel& kernel) {
  const Buffer a(kernel.mr * kDepth * sizeof(float)), b(kernel.nr * kDepth * sizeof(float)),
      c(kernel.mr * kernel.nr * sizeof(float));
  std::vector<const float*> rows;
  for (size_t i = 0; i < kernel.mr; ++i) rows.push_back(a.as<float>() + i * kDepth);
  AddVariant(std::string("gemm_f32/") + kernel.name, kernel.features,
             {TileOperations(kernel.mr, kernel.nr), 0}, [&kernel, a, b, c, rows] {
               constexpr float kInfinity = std::numeric_limits<float>::infinity();
               kernel.run({kernel.mr, kernel.nr, 1, kDepth, rows.data(), 0, 0, b.as<float>(), 0,
                           c.as<float>(), kernel.nr, nullptr, nullptr, 0, -kInfinity, kInfinity, nullptr, 0});
             });
}

// 3x3 filters over groups of so many channels, of pixels side by side.
void AddGroupedTile(const GroupedF32Kernel& kernel, size_t channels) {
  constexpr size_t kTaps = 9;
  const Buffer a(kernel.mr * kernel.nr * sizeof(float)), b(kTaps * channels * kernel.nr * sizeof(float)),
      c(kernel.mr * kernel.nr * sizeof(float));
  std::vector<const float*> rows;
  for (size_t i = 0; i < kTaps * kernel.mr; ++i) rows.push_back(a.as<float>() + i % kernel.mr * kernel.nr);
  const double operations = 2.0 * static_cast<double>(kTaps * channels * kernel.mr * kernel.nr);
  AddVariant(std::string("grouped_f32/") + kernel.name + "/" + std::to_string(channels), kernel.features,
             {operations, 0}, [&kernel, channels, a, b, c, rows] {
               constexpr float kInfinity = std::numeric_limits<float>::infinity();
               kernel.run({kernel.mr, kernel.nr, kTaps, channels, rows.data(), 0, 0, b.as<float>(), 0,
                           c.as<float>(), kernel.nr, nullptr, nullptr, 0, -kInfinity, kInfinity, nullptr, 0});
             });
}

// All the columns that one row takes at a time.
void AddHalfRow(const GemmF32Kernel& gemm, const HalfRowF32Kernel& kernel) {
  const size_t columns = gemm.nr * GemmF32RowPanels(gemm);
  const Buffer a(kDepth * sizeof(float)), b(columns * kDepth * sizeof(uint16_t)), c(columns * sizeof(float));
  AddVariant(std::string("half_row_f32/") + kernel.name, kernel.features, {TileOperations(1, columns), 0},
             [&kernel, a, b, c, columns, nr = gemm.nr] {
               constexpr float kInfinity = std::numeric_limits<float>::infinity();
               const float* const row = a.as<float>();
               kernel.run({1, columns, 1, kDepth, &row, 0, 0, nullptr, kDepth * nr, c.as<float>(), columns,
                           nullptr, nullptr, 0, -kInfinity, kInfinity, nullptr, 0},
                          b.as<uint16_t>());
             });
}

void AddInt8Tile(const GemmS8Kernel& kernel) {
  const size_t element = kernel.left == GemmS8Left::kInt16 ? sizeof(int16_t) : sizeof(int8_t);
  const Buffer a(kernel.mr * kDepth * element), b(kernel.nr * kDepth),
      tile(kernel.mr * kernel.nr * sizeof(int32_t));
  AddVariant(std::string("gemm_s8/") + kernel.name, kernel.features,
             {TileOperations(kernel.mr, kernel.nr), 0}, [&kernel, element, a, b, tile] {
               kernel.run({kernel.mr, kernel.nr, kDepth, a.as<uint8_t>(), kDepth * element, b.as<int8_t>(),
                           tile.as<int32_t>()});
             });
}

void AddInt4Tile(const GemmS4Kernel& kernel) {
  const Int4Panel panel = {kernel.nr, kInt4Chunk, kernel.halves, true, false};
  const size_t groups = kDepth / kInt4Chunk;
  const Buffer a(kernel.mr * kDepth),
      of_groups(2 * kernel.mr * groups * sizeof(float)),  // twice with kEights
      b(groups * panel.group_bytes()), y(kernel.mr * kernel.nr * sizeof(float));
  AddVariant(std::string("gemm_s4/") + kernel.name, kernel.features,
             {TileOperations(kernel.mr, kernel.nr), 0}, [&kernel, panel, groups, a, of_groups, b, y] {
               kernel.run({panel, kernel.mr, groups, a.as<int8_t>(), of_groups.as<float>(),
                           of_groups.as<int32_t>(), b.as<uint8_t>(), y.as<float>()});
             });
}

void AddRequantize(const RequantizeKernel& kernel, const DequantizeTileKernel& to_floats) {
  constexpr size_t kRows = 6, kColumns = 64;
  const Buffer sums(kRows * kColumns * sizeof(int32_t)), bias(kColumns * sizeof(int32_t)),
      multipliers(kColumns * sizeof(float)), y(kRows * kColumns * sizeof(float));
  const AccumulatorTile tile = {
      kRows,   kColumns, sums.as<int32_t>(), kColumns, bias.as<int32_t>(), multipliers.as<float>(),
      nullptr, nullptr,  bias.as<int32_t>()};
  const double elements = kRows * kColumns;
  AddVariant(std::string("requantize/") + kernel.name + "/to_s8", kernel.features, {0, 5 * elements},
             [&kernel, tile, sums, bias, multipliers, y] {
               kernel.run(tile, {y.as<int8_t>(), nullptr, kColumns, 0, 0, 1, -128, 127});
             });
  AddVariant(std::string("requantize/") + kernel.name + "/to_f32", kernel.features, {0, 8 * elements},
             [&to_floats, tile, sums, bias, multipliers, y] {
               constexpr float kInfinity = std::numeric_limits<float>::infinity();
               to_floats.run(tile, {y.as<float>(), nullptr, nullptr, kColumns, -kInfinity, kInfinity});
             });
}

// A block of a panel as wide as two vectors.
void AddDequantizeWeights(const DequantizeWeightsKernel& kernel) {
  constexpr size_t kRows = 256;
  const size_t nr = 2 * kernel.lanes, weights = kRows * nr;
  const Buffer scales(nr * sizeof(float)), b(weights), out(weights * sizeof(float));
  const std::string name = std::string("dequantize_weights/") + kernel.name;
  const auto written = static_cast<double>(weights * sizeof(float));
  AddVariant(name + "/s8", kernel.features, {0, written + static_cast<double>(weights)},
             [&kernel, scales, b, out, nr] {
               kernel.s8(b.as<int8_t>(), scales.as<float>(), kRows, nr, out.as<float>());
             });
  AddVariant(name + "/s4", kernel.features,
             {0, written + static_cast<double>(kRows / kInt4Run * Int4RunBytes(kInt4Run, nr, true))},
             [run = DequantizeWeightsS4Of(kernel.id), b, out, nr] {
               run(b.as<uint8_t>(), kRows, nr, true, out.as<float>());
             });
}

}  // namespace

void AddGemmTiles() {
  for (const GemmF32Kernel& kernel : GemmF32Kernels()) {
    AddFloatTile(kernel);
    for (const HalfRowF32Kernel& row : HalfRowF32Kernels()) {
      if (row.gemm == kernel.id) AddHalfRow(kernel, row);
    }
  }
  for (const GroupedF32Kernel& kernel : GroupedF32Kernels()) {
    for (const size_t channels : {4, 8}) AddGroupedTile(kernel, channels);
  }
  for (const GemmS8Kernel& kernel : GemmS8Kernels()) AddInt8Tile(kernel);
  for (const GemmS4Kernel& kernel : GemmS4Kernels()) AddInt4Tile(kernel);
  for (size_t i = 0; i < RequantizeKernels().size(); ++i) {
    AddRequantize(RequantizeKernels()[i], DequantizeTileKernels()[i]);
  }
  for (const DequantizeWeightsKernel& kernel : DequantizeWeightsKernels()) AddDequantizeWeights(kernel);
}

}  // namespace micrort::bench
