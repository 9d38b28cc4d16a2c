#include "converter/frontend/onnx/ops/constant_dequantize.h"

#include <algorithm>
#include <cmath>

#include "converter/ir/source_quantization.h"

namespace micrort::frontend::onnx {

namespace {

// Where the parameters of an element are, for a tensor seen as [outer, axis, inner].
struct ParamIndex {
  size_t axis_size, inner;
  size_t block;   // elements along the axis that share parameters; 0: no blocks
  size_t blocks;  // along the axis
  bool single;

  size_t operator()(size_t i) const {
    if (single) return 0;
    const size_t j = i / inner % axis_size;
    if (block == 0) return j;
    return (i / (inner * axis_size) * blocks + j / block) * inner + i % inner;
  }
};

ParamIndex IndexFor(const ir::Value& x, const LinearParams& params, int axis, size_t param_count) {
  ParamIndex index = {1, 1, static_cast<size_t>(params.block_size), 1, param_count == 1};
  if (x.rank() == 0) return index;
  index.axis_size = static_cast<size_t>(x.shape[static_cast<size_t>(axis)]);
  for (int d = axis + 1; d < x.rank(); ++d)
    index.inner *= static_cast<size_t>(x.shape[static_cast<size_t>(d)]);
  if (index.block != 0) index.blocks = (index.axis_size + index.block - 1) / index.block;
  return index;
}

// Types whose differences int64 holds.
bool IsNarrow(const ir::Value& v) { return SizeOf(v.dtype) <= sizeof(int32_t); }

// The grid of a matrix of 4-bit integers with a scale for each block along `axis`. Other constants have none.
ir::Quantization GridOfBlocks(const ir::Value& v, const ParamIndex& index, int axis,
                              const std::vector<float>& scales, const std::vector<int64_t>& zero_points) {
  if (!v.is_four_bit || v.rank() != 2 || index.block == 0 || index.single) return {};
  // uint4 become int4 by taking off 8.
  const int64_t center = v.dtype == DType::kUInt8 ? 8 : 0;
  const auto slices = static_cast<size_t>(v.shape[static_cast<size_t>(1 - axis)]);
  std::vector<float> of_groups;
  std::vector<int32_t> centered;
  for (size_t slice = 0; slice < slices; ++slice) {
    for (size_t block = 0; block < index.blocks; ++block) {
      const size_t p = axis == 0 ? block * slices + slice : slice * index.blocks + block;
      of_groups.push_back(scales[p]);
      centered.push_back(static_cast<int32_t>((zero_points.empty() ? 0 : zero_points[p]) - center));
    }
  }
  return Int4Grid(1 - axis, static_cast<int64_t>(index.block), std::move(of_groups), std::move(centered));
}

}  // namespace

bool DequantizeConstant(NodeContext& c, ir::ValueId x, const LinearParams& params, int axis,
                        ir::ValueId* out) {
  const ir::Value& v = c.value(x);
  std::vector<int64_t> integers, zero_points;
  std::vector<float> scales;
  if (!ir::AnyIntegersOf(v, &integers) || !ir::FloatsOf(c.value(params.scale), &scales)) return false;
  if (params.zero_point != ir::kNoValue && !ir::AnyIntegersOf(c.value(params.zero_point), &zero_points))
    return false;
  if (!IsNarrow(v) || (params.zero_point != ir::kNoValue && !IsNarrow(c.value(params.zero_point))))
    return false;
  // A matrix of scales that is not in blocks broadcasts in ways of its own.
  if (scales.empty() || (params.block_size == 0 && c.value(params.scale).rank() > 1 && scales.size() > 1))
    return false;
  const ParamIndex index = IndexFor(v, params, axis, scales.size());
  std::vector<float> floats(integers.size());
  for (size_t i = 0; i < floats.size(); ++i) {
    const size_t p = index(i);
    const int64_t zero_point = zero_points.empty() ? 0 : zero_points[p];
    floats[i] = static_cast<float>(integers[i] - zero_point) * scales[p];
  }
  ir::Quantization grid = GridOfBlocks(v, index, axis, scales, zero_points);
  *out = c.build.Constant(v.shape, floats);
  c.build.graph().value(*out).source_quantization = std::move(grid);
  const bool is_centered =
      std::all_of(zero_points.begin(), zero_points.end(), [](int64_t z) { return z == 0; });
  if (v.dtype == DType::kInt32 && is_centered)
    c.build.graph().value(*out).source_integers = ir::SourceIntegers(integers);
  return true;
}

ir::Quantization Int4Grid(int axis, int64_t group, std::vector<float> scales,
                          std::vector<int32_t> zero_points) {
  for (size_t i = 0; i < scales.size(); ++i) {
    if (!std::isfinite(scales[i])) return {};
    if (scales[i] < 0) {
      scales[i] = -scales[i];
      zero_points[i] = -1 - zero_points[i];
    } else if (scales[i] == 0) {  // all elements are 0
      scales[i] = 1;
      zero_points[i] = 0;
    }
  }
  const bool centered = std::all_of(zero_points.begin(), zero_points.end(), [](int32_t z) { return z == 0; });
  if (centered) zero_points.clear();
  return {std::move(scales), std::move(zero_points), axis, static_cast<int>(group)};
}

}  // namespace micrort::frontend::onnx
