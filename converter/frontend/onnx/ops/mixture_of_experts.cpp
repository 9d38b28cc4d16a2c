// MoE and QMoE of com.microsoft: each row goes through the few experts that the router prefers, two layers
// each. Every expert becomes products of its own, which quantize and run as others do, for all rows; the
// weight of an expert that a row does not choose is 0.

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/quantization.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// Where the inputs of an operator are; kAbsent: it has none. Zero points and third layers follow.
constexpr size_t kAbsent = static_cast<size_t>(-1);
struct LayerInputs {
  size_t weights, scales, bias;
};
struct ExpertInputs {
  LayerInputs first, second;
  size_t count;  // of all that are imported
};
constexpr ExpertInputs kFloatExperts = {{2, kAbsent, 3}, {4, kAbsent, 5}, 6};
constexpr ExpertInputs kIntegerExperts = {{2, 3, 4}, {5, 6, 7}, 8};

enum class ExpertActivation { kIdentity, kRelu, kGelu, kSilu, kSwiGlu };

struct Mixture {
  int64_t experts = 0, hidden = 0, chosen = 0;
  int64_t bits = 0;         // of weights; 0: they are floats
  int64_t block = 0;        // so many weights of a column have one scale; 0: all
  bool normalized = false;  // the weights of the chosen experts add up to 1
  ExpertActivation activation = ExpertActivation::kIdentity;
  float alpha = 1.0f, beta = 0.0f, limit = 0.0f;  // of kSwiGlu

  bool is_gated() const { return activation == ExpertActivation::kSwiGlu; }
};

// [experts][columns][depth] of one of the two layers, with a bias a column.
struct ExpertLayer {
  LayerInputs at;
  int64_t columns = 0, depth = 0;
  bool interleaved = false;  // a gate, and what it lets through, by turns; they become halves
  std::vector<float> weights, scales, bias;

  int64_t blocks(const Mixture& m) const { return m.block == 0 ? 1 : depth / m.block; }
  // The column of the source for column i.
  int64_t column(int64_t i) const {
    const int64_t half = columns / 2;
    return interleaved ? i % half * 2 + i / half : i;
  }
};

Status ReadActivation(NodeContext& c, Mixture* m) {
  const std::string name = c.String("activation_type", "relu");
  const std::pair<const char*, ExpertActivation> kNames[] = {{"identity", ExpertActivation::kIdentity},
                                                             {"relu", ExpertActivation::kRelu},
                                                             {"gelu", ExpertActivation::kGelu},
                                                             {"silu", ExpertActivation::kSilu},
                                                             {"swiglu", ExpertActivation::kSwiGlu}};
  const auto* found =
      std::find_if(std::begin(kNames), std::end(kNames), [&](const auto& n) { return name == n.first; });
  if (found == std::end(kNames)) return Unsupported("activation '{}'", name);
  m->activation = found->second;
  m->alpha = c.Float("activation_alpha", 1.0f);
  m->beta = c.Float("activation_beta", 0.0f);
  m->limit = c.Float("swiglu_limit", std::numeric_limits<float>::infinity());
  if (c.Int("swiglu_fusion", 0) == 1 || !m->is_gated()) return Status();
  return Unsupported(
      "swiglu whose gate does not lie beside what it lets through (swiglu_fusion other than 1)");
}

Status ReadMixture(NodeContext& c, const ExpertInputs& at, Mixture* m) {
  MICRORT_RETURN_IF_ERROR(ReadActivation(c, m));
  m->chosen = c.Int("k", 1);
  m->normalized = c.Int("normalize_routing_weights", 0) != 0;
  if (at.first.scales != kAbsent) {
    m->bits = c.Int("expert_weight_bits", 4);
    m->block = c.Int("block_size", 0);
  }
  if (c.Int("use_sparse_mixer", 0) != 0) return Unsupported("the sparse mixer");
  for (size_t i = at.count; i < c.input_count(); ++i)
    if (c.has_input(i)) return Unsupported("a third layer, zero points or router weights (input {})", i);
  for (const size_t i : {at.first.weights, at.second.weights, at.first.scales, at.second.scales}) {
    if (i != kAbsent && !c.has_input(i)) return Invalid("input {} is absent", i);
  }
  const ir::Value &x = c.x(0), &router = c.x(1), &w = c.x(at.first.weights);
  if (x.rank() != 2 && x.rank() != 3) return Invalid("rows of {} dimensions", x.rank());
  if (router.rank() != 2 || w.rank() != 3) return Invalid("router or weights of other ranks than 2 and 3");
  m->experts = w.dim(0);
  m->hidden = w.dim(2) * (m->bits == 4 ? 2 : 1);
  if (x.shape.back() != ir::kDynamic && x.shape.back() != m->hidden)
    return Invalid("rows of {} numbers, for weights of {}", x.shape.back(), m->hidden);
  if (router.dim(1) != ir::kDynamic && router.dim(1) != m->experts)
    return Invalid("scores of {} experts, of which there are {}", router.dim(1), m->experts);
  if (m->chosen < 1 || m->chosen > m->experts) return Invalid("k is {} of {} experts", m->chosen, m->experts);
  const bool has_bits = m->bits == 0 || m->bits == 4 || m->bits == 8;
  if (!has_bits || m->block < 0) return Unsupported("weights of {} bits in blocks of {}", m->bits, m->block);
  return Status();
}

Status ReadLayer(NodeContext& c, const Mixture& m, int64_t depth, ExpertLayer* layer) {
  const ir::Value& w = c.x(layer->at.weights);
  const int64_t a_byte = m.bits == 4 ? 2 : 1;
  if (!w.is_constant() || w.rank() != 3 || w.dim(0) != m.experts || w.dim(1) < 1 || depth < 1 ||
      w.dim(2) * a_byte != depth || (m.bits != 0) != (w.dtype == DType::kUInt8)) {
    return Invalid("expected constant weights of [{}][columns][{}] in input {}", m.experts, depth,
                   layer->at.weights);
  }
  layer->columns = w.dim(1);
  layer->depth = depth;
  if (m.block != 0 && depth % m.block != 0) return Unsupported("blocks of {} of {} weights", m.block, depth);
  if (layer->interleaved && layer->columns % 2 != 0) return Invalid("an odd number of gates");
  const auto count = static_cast<size_t>(m.experts * layer->columns);
  if (c.has_input(layer->at.bias)) {
    MICRORT_ASSIGN_OR_RETURN(layer->bias, c.ConstantFloats(layer->at.bias));
    if (layer->bias.size() != count) return Invalid("the biases are not one a column");
  }
  if (m.bits == 0) {
    MICRORT_ASSIGN_OR_RETURN(layer->weights, c.ConstantFloats(layer->at.weights));
    return Status();
  }
  MICRORT_ASSIGN_OR_RETURN(layer->scales, c.ConstantFloats(layer->at.scales));
  if (layer->scales.size() == count * static_cast<size_t>(layer->blocks(m))) return Status();
  return Invalid("the scales are not one a block");
}

// Element i of the weights of all experts. Integers, `bytes`, are centered around half of their range.
float WeightAt(const uint8_t* bytes, const Mixture& m, const ExpertLayer& layer, int64_t i) {
  if (m.bits == 0) return layer.weights[static_cast<size_t>(i)];
  const int q = m.bits == 8 ? bytes[i] : bytes[i / 2] >> (i % 2 * 4) & 15;
  const int64_t block = m.block == 0 ? layer.depth : m.block;
  return static_cast<float>(q - (1 << (m.bits - 1))) * layer.scales[static_cast<size_t>(i / block)];
}

// The product of x by the matrix of an expert.
ir::ValueId MultiplyByExpert(NodeContext& c, const Mixture& m, const ExpertLayer& layer, int64_t expert,
                             ir::ValueId x) {
  std::vector<float> matrix, scales, bias;
  matrix.reserve(static_cast<size_t>(layer.columns * layer.depth));
  const uint8_t* const bytes = m.bits == 0 ? nullptr : c.x(layer.at.weights).as<uint8_t>();
  for (int64_t i = 0; i < layer.columns; ++i) {
    const int64_t column = expert * layer.columns + layer.column(i), blocks = layer.blocks(m);
    for (int64_t k = 0; k < layer.depth; ++k)
      matrix.push_back(WeightAt(bytes, m, layer, column * layer.depth + k));
    for (int64_t b = 0; b < blocks && m.bits == 4; ++b)
      scales.push_back(layer.scales[static_cast<size_t>(column * blocks + b)]);
    if (!layer.bias.empty()) bias.push_back(layer.bias[static_cast<size_t>(column)]);
  }
  const ir::ValueId weights = c.build.Constant({layer.columns, layer.depth}, matrix);
  if (m.bits == 4) {
    std::vector<int32_t> zero_points(scales.size(), 0);
    c.build.graph().value(weights).source_quantization =
        Int4Grid(0, m.block == 0 ? layer.depth : m.block, std::move(scales), std::move(zero_points));
  }
  std::vector<ir::ValueId> inputs = {x, weights};
  if (!bias.empty()) inputs.push_back(c.build.Constant({layer.columns}, bias));
  return c.build.MatMul(std::move(inputs), true);
}

// min(gate) * sigmoid(alpha * gate) * (passed + beta)
ir::ValueId Gated(ir::Builder& b, const Mixture& m, ir::ValueId x, int64_t columns) {
  ir::ValueId gate = b.Slice(x, 1, 0, columns / 2), passed = b.Slice(x, 1, columns / 2, columns);
  if (m.limit < std::numeric_limits<float>::infinity()) {
    gate = b.Min(gate, b.Scalar(static_cast<double>(m.limit)));
    passed = b.Unary(schema::UnaryKind::Clip, passed, -m.limit, m.limit);
  }
  if (m.beta != 0.0f) passed = b.Add(passed, b.Scalar(static_cast<double>(m.beta)));
  const ir::ValueId opened = m.alpha == 1.0f ? b.Unary(schema::UnaryKind::Silu, gate)
                                             : b.Mul(gate, b.Sigmoid(b.Scaled(gate, m.alpha)));
  return b.Mul(opened, passed);
}

ir::ValueId ActivateExpert(ir::Builder& b, const Mixture& m, ir::ValueId x, int64_t columns) {
  switch (m.activation) {
    case ExpertActivation::kRelu:
      return b.Max(x, b.Scalar(0));
    case ExpertActivation::kGelu:
      return b.Unary(schema::UnaryKind::GeluTanh, x);
    case ExpertActivation::kSilu:
      return b.Unary(schema::UnaryKind::Silu, x);
    case ExpertActivation::kSwiGlu:
      return Gated(b, m, x, columns);
    default:
      return x;
  }
}

// [rows][experts]: how much of each expert a row takes; 0 of those that it does not choose.
ir::ValueId Shares(NodeContext& c, const Mixture& m) {
  ir::Builder& b = c.build;
  const ir::ValueId router = c.input(1);
  if (m.chosen == m.experts) return b.Softmax(router, 1);
  const std::vector<ir::ValueId> best = b.TopK(router, b.Integers({m.chosen}), 1);
  const ir::ValueId shares =
      m.normalized ? b.Softmax(best[0], 1) : b.GatherElements({b.Softmax(router, 1), best[1]}, 1);
  return b.ScatterElements({b.Expand({b.Scalar(0), b.ShapeOf(router)}), best[1], shares}, 1);
}

Status ImportExperts(NodeContext& c, const ExpertInputs& at) {
  Mixture m;
  MICRORT_RETURN_IF_ERROR(ReadMixture(c, at, &m));
  ExpertLayer first, second;
  first.at = at.first;
  second.at = at.second;
  first.interleaved = m.is_gated();
  MICRORT_RETURN_IF_ERROR(ReadLayer(c, m, m.hidden, &first));
  MICRORT_RETURN_IF_ERROR(ReadLayer(c, m, first.interleaved ? first.columns / 2 : first.columns, &second));
  ir::Builder& b = c.build;
  const bool is_batch = c.x(0).rank() == 3;
  const ir::ValueId x = is_batch ? b.Reshape(c.input(0), {-1, static_cast<int32_t>(m.hidden)}) : c.input(0);
  const ir::ValueId shares = Shares(c, m);
  ir::ValueId sum = ir::kNoValue;
  for (int64_t e = 0; e < m.experts; ++e) {
    const ir::ValueId inner = ActivateExpert(b, m, MultiplyByExpert(c, m, first, e, x), first.columns);
    const ir::ValueId y = b.Mul(MultiplyByExpert(c, m, second, e, inner), b.Slice(shares, 1, e, e + 1));
    sum = e == 0 ? y : b.Add(sum, y);
  }
  return c.Return(is_batch ? b.ReshapeTo(sum, b.ShapeOf(c.input(0))) : sum);
}

Status ImportMoE(NodeContext& c) { return ImportExperts(c, kFloatExperts); }
Status ImportQMoE(NodeContext& c) { return ImportExperts(c, kIntegerExperts); }

}  // namespace

const ImporterList MixtureOfExpertsImporters = {
    {"com.microsoft.MoE", 3, -1, InFloat32<ImportMoE>,
     Types(kFloats).Without(
         "weights that are not constant; a third layer; the sparse mixer; swiglu_fusion other than 1")},
    {"com.microsoft.QMoE", 3, -1, InFloat32<ImportQMoE>,
     Types(kFloats).Without(
         "weights that are not constant; a third layer; zero points; the sparse mixer; swiglu_fusion "
         "other than 1")},
};

}  // namespace micrort::frontend::onnx
