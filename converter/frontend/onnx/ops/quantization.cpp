#include "converter/frontend/onnx/ops/quantization.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "converter/ir/graph.h"
#include "converter/ir/source_quantization.h"

namespace micrort::frontend::onnx {

namespace {

using schema::OpCode;

constexpr int kMaxMoves = 256;  // one after the other; each is looked for among all nodes

bool OnlyMoves(const ir::Node& node) {
  switch (node.code) {
    case OpCode::Reshape:
    case OpCode::Transpose:
    case OpCode::Slice:
    case OpCode::Gather:
    case OpCode::Tile:
    case OpCode::Expand:
      return true;
    case OpCode::Pool2D:
      return node.as<schema::Pool2DOptionsT>().kind == schema::PoolKind::Max;
    default:
      return false;
  }
}

// Whether the value means the same to its readers, the later ones of which are told of its quantization.
bool ReadersAgree(const ir::Graph& graph, ir::ValueId id) {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(), [id](const auto& node) {
    const bool reads = std::count(node->inputs.begin(), node->inputs.end(), id) != 0;
    return !reads || node->code == OpCode::Dequantize || OnlyMoves(*node);
  });
}

const ir::Node* ProducerOf(const ir::Graph& graph, ir::ValueId id) {
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::count((*node)->outputs.begin(), (*node)->outputs.end(), id) != 0) return node->get();
  }
  return nullptr;
}

// `moves`: how many more there may be before the value.
bool Carry(ir::Graph* graph, ir::ValueId id, const ir::Quantization& quantization, int moves) {
  ir::Value& value = graph->value(id);
  if (!value.quantization.empty()) return value.quantization == quantization;
  if (value.is_constant() || !ReadersAgree(*graph, id)) return false;
  if (const ir::Node* producer = ProducerOf(*graph, id); producer != nullptr) {
    // Cast gives bare integers, whatever is said about them.
    const bool gives_integers = producer->code == OpCode::Cast;
    if (!gives_integers && moves == 0) return false;
    if (!gives_integers && (!OnlyMoves(*producer) || quantization.axis >= 0)) return false;
    if (!gives_integers && !Carry(graph, producer->inputs[0], quantization, moves - 1)) return false;
  }
  value.quantization = quantization;
  return true;
}

// In our graphs a quantization belongs to the value that is read, in ONNX to the operator that reads it.
// Gives the value this quantization, and what it was moved from. False, and nothing is changed, where that
// would change the meaning of the value for somebody else.
bool CarryQuantization(ir::Graph* graph, ir::ValueId id, const ir::Quantization& quantization) {
  return Carry(graph, id, quantization, kMaxMoves);
}

bool IsByte(DType dtype) { return dtype == DType::kInt8 || dtype == DType::kUInt8; }

bool IsOne(const ir::Value& v) { return v.is_static() && v.elements() == 1; }

bool FitsInt32(int64_t v) {
  return v >= std::numeric_limits<int32_t>::min() && v <= std::numeric_limits<int32_t>::max();
}

// Parameters that differ along the axis only, or not at all, and that our quantized values can have.
bool AsConstant(const NodeContext& c, const LinearParams& p, int axis, ir::Quantization* out) {
  std::vector<int64_t> zero_points;
  if (p.block_size != 0 || c.value(p.scale).rank() > 1 || !ir::FloatsOf(c.value(p.scale), &out->scales))
    return false;
  if (p.zero_point != ir::kNoValue && !ir::AnyIntegersOf(c.value(p.zero_point), &zero_points)) return false;
  if (!std::all_of(zero_points.begin(), zero_points.end(), FitsInt32)) return false;
  out->zero_points.assign(zero_points.begin(), zero_points.end());
  if (!zero_points.empty() && zero_points.size() != out->scales.size()) return false;
  // No zero points are the same as those that are all 0.
  if (std::all_of(out->zero_points.begin(), out->zero_points.end(), [](int32_t z) { return z == 0; }))
    out->zero_points.clear();
  out->axis = out->scales.size() == 1 ? -1 : axis;
  return !out->scales.empty() && std::all_of(out->scales.begin(), out->scales.end(),
                                             [](float scale) { return std::isfinite(scale) && scale > 0; });
}

// Whether a parameter of blocks has the sizes of the tensor, as far as both are known, but along their axis.
bool FitsBesideAxis(const ir::Value& param, const ir::Value& v, int axis) {
  if (param.rank() != v.rank()) return false;
  for (int i = 0; i < v.rank(); ++i) {
    const int64_t size = v.dim(static_cast<size_t>(i)), found = param.dim(static_cast<size_t>(i));
    if (i != axis && size != ir::kDynamic && found != ir::kDynamic && size != found) return false;
  }
  return true;
}

// A constant is as large as its elements in the file, unless it has none; other sizes are only stated.
bool IsTooLongForBlocks(const ir::Value& v, int64_t size) {
  return size > ir::kMaxMade && !(v.is_constant() && v.elements() > 0);
}

// The axis of the parameters, which fit the tensor.
Result<int> CheckParams(const NodeContext& c, ir::ValueId x, const LinearParams& p) {
  const ir::Value &v = c.value(x), &scale = c.value(p.scale);
  if (p.zero_point != ir::kNoValue && c.value(p.zero_point).is_static() && scale.is_static() &&
      c.value(p.zero_point).elements() != scale.elements())
    return Invalid("{} scales, {} zero points", scale.elements(), c.value(p.zero_point).elements());
  if (p.block_size < 0) return Invalid("block_size {}", p.block_size);
  if (p.block_size == 0 && IsOne(scale)) return 0;
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(p.axis, v.rank()));
  const int64_t size = v.shape[static_cast<size_t>(axis)];
  if (p.block_size == 0) {
    if (scale.rank() != 1 || size == ir::kDynamic || scale.shape[0] == ir::kDynamic ||
        scale.shape[0] == size) {
      return axis;
    }
    return Invalid("{} scales for {} slices", scale.shape[0], size);
  }
  if (scale.rank() != v.rank() || size == ir::kDynamic)
    return Unsupported("quantization in blocks along a dimension that is not fixed");
  if (IsTooLongForBlocks(v, size))
    return Unsupported("quantization in blocks along a dimension of size {}", size);
  const int64_t blocks = size / p.block_size + (size % p.block_size != 0 ? 1 : 0);
  if (scale.shape[static_cast<size_t>(axis)] != blocks)
    return Invalid("expected {} blocks along axis {}, found {}", blocks, axis,
                   scale.shape[static_cast<size_t>(axis)]);
  const bool zero_points_fit = p.zero_point == ir::kNoValue || FitsBesideAxis(c.value(p.zero_point), v, axis);
  if (zero_points_fit && FitsBesideAxis(scale, v, axis)) return axis;
  return Invalid("scales or zero points of blocks differ from the tensor in another dimension than {}", axis);
}

// A parameter shaped so that it broadcasts with the tensor.
ir::ValueId Spread(NodeContext& c, ir::ValueId x, const LinearParams& p, int axis, ir::ValueId param) {
  if (p.block_size != 0) {
    const int64_t size = c.value(x).dim(static_cast<size_t>(axis));
    std::vector<int64_t> block_of(static_cast<size_t>(std::max<int64_t>(size, 0)));
    for (size_t i = 0; i < block_of.size(); ++i) block_of[i] = static_cast<int64_t>(i) / p.block_size;
    return c.build.Gather(param, c.build.Integers(block_of), axis);
  }
  const bool one = IsOne(c.value(param)) || (c.value(param).rank() == 1 && c.value(x).rank() == 0);
  if (one) return c.build.Reshape(param, {});
  if (c.value(param).rank() != 1) return param;
  return c.build.Along(param, axis, c.value(x).rank());
}

ir::ValueId CastTo(NodeContext& c, ir::ValueId x, DType to) { return c.build.As(x, to); }

IntegerRange RangeOf(DType to, bool four_bit) {
  switch (to) {
    case DType::kInt8:
      return four_bit ? IntegerRange{-8, 7} : IntegerRange{-128, 127};
    case DType::kInt16:
      return {-32768, 32767};
    case DType::kUInt16:
      return {0, 65535};
    default:
      return four_bit ? IntegerRange{0, 15} : IntegerRange{0, 255};
  }
}

ir::ValueId DequantizedByArithmetic(NodeContext& c, ir::ValueId x, const LinearParams& p, int axis) {
  ir::ValueId y = c.build.Cast(x, DType::kFloat32);
  if (p.zero_point != ir::kNoValue) {
    const ir::ValueId zero_point = Spread(c, x, p, axis, p.zero_point);
    y = c.build.Sub(y, CastTo(c, zero_point, DType::kFloat32));
  }
  const ir::ValueId scale = Spread(c, x, p, axis, p.scale);
  return c.build.Mul(y, CastTo(c, scale, DType::kFloat32));
}

// The quotient is rounded to the scale's type, which may be half, before it becomes an integer.
ir::ValueId QuantizedByArithmetic(NodeContext& c, ir::ValueId x, const LinearParams& p, int axis, DType to,
                                  bool four_bit) {
  const ir::ValueId scale = Spread(c, x, p, axis, p.scale);
  ir::ValueId y = c.build.Div(CastTo(c, x, c.value(p.scale).dtype), scale);
  y = c.build.Round(CastTo(c, y, DType::kFloat32));
  if (p.zero_point != ir::kNoValue) {
    const ir::ValueId zero_point = Spread(c, x, p, axis, p.zero_point);
    y = c.build.Add(y, CastTo(c, zero_point, DType::kFloat32));
  }
  const IntegerRange range = RangeOf(to, four_bit);
  return c.build.Cast(c.build.Unary(schema::UnaryKind::Clip, y, range.lowest, range.highest), to);
}

}  // namespace

Result<ir::ValueId> Dequantized(NodeContext& c, ir::ValueId x, const LinearParams& params) {
  ir::ValueId y = ir::kNoValue;
  MICRORT_ASSIGN_OR_RETURN(int axis, CheckParams(c, x, params));
  const DType scale_type = c.value(params.scale).dtype;
  ir::Quantization quantization;
  const bool constant = AsConstant(c, params, axis, &quantization);
  if (DequantizeConstant(c, x, params, axis, &y)) {
    if (constant && IsByte(c.value(x).dtype)) c.build.graph().value(y).source_quantization = quantization;
  } else if (constant && scale_type == DType::kFloat32 && IsByte(c.value(x).dtype) &&
             CarryQuantization(&c.build.graph(), x, quantization)) {
    y = c.build.Add(schema::DequantizeOptionsT(), {x});
  } else {
    y = DequantizedByArithmetic(c, x, params, axis);
  }
  return c.build.Checked(CastTo(c, y, scale_type));
}

Result<ir::ValueId> Quantized(NodeContext& c, ir::ValueId x, const LinearParams& params, DType to,
                              bool four_bit) {
  MICRORT_ASSIGN_OR_RETURN(int axis, CheckParams(c, x, params));
  ir::Quantization quantization;
  const bool one_step = IsByte(to) && !four_bit && c.value(x).dtype == DType::kFloat32 &&
                        c.value(params.scale).dtype == DType::kFloat32 &&
                        AsConstant(c, params, axis, &quantization);
  return c.build.Checked(one_step ? c.build.Quantize(x, to, std::move(quantization))
                                  : QuantizedByArithmetic(c, x, params, axis, to, four_bit));
}

bool UnderstandsQuantization(const std::string& op) {
  static constexpr const char* kOps[] = {"DequantizeLinear", "com.microsoft.DequantizeLinear",
                                         // They move elements, whatever these mean.
                                         "DepthToSpace", "Expand", "Flatten", "Gather", "Identity", "MaxPool",
                                         "Reshape", "Slice", "SpaceToDepth", "Split", "Squeeze", "Tile",
                                         "Transpose", "Unsqueeze"};
  const bool integer_op = op.find("QLinear") != std::string::npos || op == "com.microsoft.QGemm";
  return integer_op || std::find(std::begin(kOps), std::end(kOps), op) != std::end(kOps);
}

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
