// MatMulNBits of com.microsoft: weights of 2, 4 or 8 bits, with a scale and a zero point a block of rows.

#include <cmath>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/quantization.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

constexpr size_t kWeights = 1, kScales = 2, kZeroPoints = 3, kGroups = 4, kBiasOfColumns = 5;

// The layout of the weights: [columns][blocks] blobs of `block` numbers of `bits` bits, low bits first.
struct Packing {
  int64_t depth = 0, columns = 0, bits = 4, block = 0;

  int64_t blocks() const { return (depth + block - 1) / block; }
  int64_t blob_bytes() const { return (block * bits + 7) / 8; }
  int64_t zero_point_bytes() const { return (blocks() * bits + 7) / 8; }  // of one column
};

int NumberAt(const uint8_t* bytes, int64_t i, int64_t bits) {
  const int64_t bit = i * bits;
  return (bytes[bit / 8] >> (bit % 8)) & ((1 << bits) - 1);
}

Status ReadPacking(NodeContext& c, Packing* p) {
  p->depth = c.Int("K", 0);
  p->columns = c.Int("N", 0);
  p->bits = c.Int("bits", 4);
  p->block = c.Int("block_size", 0);
  constexpr int64_t kMax = 1 << 24;
  if (p->bits != 2 && p->bits != 4 && p->bits != 8) return Unsupported("weights of {} bits", p->bits);
  if (p->depth < 1 || p->columns < 1 || p->block < 8 || p->depth > kMax || p->columns > kMax ||
      p->block > kMax) {
    return Invalid("K, N or block_size is not given or out of range");
  }
  const ir::Value& w = c.x(kWeights);
  if (!w.is_constant() || w.dtype != DType::kUInt8)
    return Unsupported("weights that are not a constant of bytes");
  if (w.elements() == p->columns * p->blocks() * p->blob_bytes()) return Status();
  return Invalid("the weights have {} bytes, which is not what K, N and block_size say", w.elements());
}

// One zero point for each block of each column.
Status ReadZeroPoints(NodeContext& c, const Packing& p, std::vector<float>* out) {
  const auto entries = static_cast<size_t>(p.columns * p.blocks());
  out->assign(entries, static_cast<float>(1 << (p.bits - 1)));
  if (!c.has_input(kZeroPoints)) return Status();
  if (c.x(kZeroPoints).dtype != DType::kUInt8) {
    MICRORT_ASSIGN_OR_RETURN(*out, c.ConstantFloats(kZeroPoints));
    if (out->size() == entries) return Status();
  } else if (c.x(kZeroPoints).is_constant() &&
             c.x(kZeroPoints).elements() == p.columns * p.zero_point_bytes()) {
    const uint8_t* bytes = c.x(kZeroPoints).as<uint8_t>();
    for (int64_t i = 0; i < p.columns * p.blocks(); ++i) {
      const uint8_t* column = bytes + i / p.blocks() * p.zero_point_bytes();
      (*out)[static_cast<size_t>(i)] = static_cast<float>(NumberAt(column, i % p.blocks(), p.bits));
    }
    return Status();
  }
  return Invalid("expected a constant zero point for each block");
}

// The block whose scale each row has.
Status ReadGroups(NodeContext& c, const Packing& p, std::vector<int64_t>* out) {
  if (c.has_input(kGroups)) {
    MICRORT_ASSIGN_OR_RETURN(*out, c.ConstantIntegers(kGroups));
    if (static_cast<int64_t>(out->size()) < p.depth) return Invalid("g_idx is too short");
  } else {
    for (int64_t k = 0; k < p.depth; ++k) out->push_back(k / p.block);
  }
  for (int64_t group : *out) {
    if (group < 0 || group >= p.blocks()) return Invalid("g_idx is out of range");
  }
  return Status();
}

// The grid of the weights, if they have at most 4 bits, groups of neighbours, and integer zero points.
// Otherwise the result is empty.
ir::Quantization GridOf(const Packing& p, bool has_groups, const std::vector<float>& scales,
                        const std::vector<float>& zero_points) {
  constexpr int64_t kMostBits = 4;
  if (p.bits > kMostBits || has_groups) return {};
  const int32_t center = 1 << (p.bits - 1);
  std::vector<int32_t> centered;
  for (const float z : zero_points) {
    if (!(z >= 0 && z < static_cast<float>(2 * center)) || z != std::floor(z)) return {};
    centered.push_back(static_cast<int32_t>(z) - center);
  }
  return Int4Grid(0, p.block, scales, std::move(centered));
}

// [N,K]
Status ReadMatrix(NodeContext& c, const Packing& p, std::vector<float>* out, ir::Quantization* grid) {
  std::vector<float> zero_points;
  std::vector<int64_t> groups;
  MICRORT_ASSIGN_OR_RETURN(std::vector<float> scales, c.ConstantFloats(kScales));
  if (static_cast<int64_t>(scales.size()) != p.columns * p.blocks())
    return Invalid("expected a scale for each block");
  MICRORT_RETURN_IF_ERROR(ReadZeroPoints(c, p, &zero_points));
  MICRORT_RETURN_IF_ERROR(ReadGroups(c, p, &groups));
  *grid = GridOf(p, c.has_input(kGroups), scales, zero_points);
  const uint8_t* bytes = c.x(kWeights).as<uint8_t>();
  out->reserve(static_cast<size_t>(p.columns * p.depth));
  for (int64_t column = 0; column < p.columns; ++column) {
    for (int64_t k = 0; k < p.depth; ++k) {
      const uint8_t* blob = bytes + (column * p.blocks() + k / p.block) * p.blob_bytes();
      const auto at = static_cast<size_t>(column * p.blocks() + groups[static_cast<size_t>(k)]);
      const auto q = static_cast<float>(NumberAt(blob, k % p.block, p.bits));
      out->push_back((q - zero_points[at]) * scales[at]);
    }
  }
  return Status();
}

Status ImportMatMulNBits(NodeContext& c) {
  c.Ignore({"accuracy_level", "weight_prepacked"});
  Packing packing;
  MICRORT_RETURN_IF_ERROR(ReadPacking(c, &packing));
  std::vector<float> matrix;
  ir::Quantization grid;
  MICRORT_RETURN_IF_ERROR(ReadMatrix(c, packing, &matrix, &grid));
  const ir::ValueId weights = c.build.Constant({packing.columns, packing.depth}, matrix);
  c.build.graph().value(weights).source_quantization = std::move(grid);
  std::vector<ir::ValueId> inputs = {c.input(0), weights};
  if (c.has_input(kBiasOfColumns)) inputs.push_back(c.input(kBiasOfColumns));
  return c.Return(c.build.MatMul(std::move(inputs), true));
}

}  // namespace

const ImporterList MatMulNBitsImporters = {
    {"com.microsoft.MatMulNBits", 3, 6, InFloat32<ImportMatMulNBits>,
     Types(kFloats).Without("weights that are not constant")},
};

}  // namespace micrort::frontend::onnx
