// Mul and Add of constants after a normalization become its scale and bias.

#include <optional>
#include <utility>
#include <vector>

#include "converter/passes/layout/reshape_groups.h"
#include "converter/passes/match.h"
#include "converter/passes/normalize_fits.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;

constexpr size_t kScaleInput = 1, kBiasInput = 2;

const ir::Value* ParameterOf(const Site& site, const ir::Node& normalize, size_t i) {
  return normalize.has_input(i) ? &site.graph.value(normalize.inputs[i]) : nullptr;
}

bool TakesParameter(const Site& site, const ir::Node& normalize, size_t i, const ir::Value& parameter) {
  if (!parameter.is_constant() || normalize.has_input(i) || normalize.has_input(kBiasInput)) return false;
  return NormalizeFits(site.graph.value(normalize.inputs[0]), normalize.as<schema::NormalizeOptionsT>().axes,
                       i == kScaleInput ? &parameter : ParameterOf(site, normalize, kScaleInput),
                       i == kBiasInput ? &parameter : nullptr);
}

// The parameter of a reshaped normalization as one of the normalization itself: each of its dimensions
// becomes those that the reshape has merged. Nothing if it has not just merged some.
std::optional<std::vector<int64_t>> ShapeBeforeReshape(const Site& site, const ir::Node& reshape,
                                                       const ir::Value& parameter) {
  const auto groups = ReshapeGroups::Find(site.graph, reshape);
  const std::vector<int64_t>& normalized = site.graph.value(reshape.inputs[0]).shape;
  const size_t rank = site.graph.value(reshape.outputs[0]).shape.size();
  if (!groups || parameter.shape.size() > rank) return std::nullopt;
  std::vector<int64_t> shape(normalized.size(), 1);
  for (size_t i = 0; i < parameter.shape.size(); ++i) {
    if (parameter.shape[i] == 1) continue;
    const ReshapeGroup* group = groups->OfOutput(static_cast<int>(rank - parameter.shape.size() + i));
    if (group == nullptr || group->output.size() != 1) return std::nullopt;
    int64_t merged = 1;
    for (const int dim : group->input) {
      shape[static_cast<size_t>(dim)] = normalized[static_cast<size_t>(dim)];
      merged *= normalized[static_cast<size_t>(dim)];
    }
    if (merged != parameter.shape[i]) return std::nullopt;
  }
  return shape;
}

struct AffineNode {
  size_t parameter = 0;  // kScaleInput or kBiasInput; 0: the node is neither
  size_t operand = 0;    // which input is the normalization, the other one being a constant
};

bool FoldDirectly(const Site& site, const AffineNode& affine) {
  ir::Node* normalize = site.own_producer(affine.operand);
  if (normalize == nullptr || normalize->code != schema::OpCode::Normalize) return false;
  if (!TakesParameter(site, *normalize, affine.parameter, site.input(1 - affine.operand))) return false;
  normalize->inputs.resize(affine.parameter + 1, ir::kNoValue);
  normalize->inputs[affine.parameter] = site.node.inputs[1 - affine.operand];
  MergeIntoConsumer(*normalize, site.node);
  return true;
}

bool FoldThroughReshape(const Site& site, const AffineNode& affine) {
  ir::Node* reshape = site.own_producer(affine.operand);
  if (reshape == nullptr || reshape->code != schema::OpCode::Reshape || reshape->has_input(1)) return false;
  ir::Node* normalize = site.uses.producer(reshape->inputs[0]);
  const bool is_own = site.uses.single_consumer(reshape->inputs[0]) != nullptr;
  if (normalize == nullptr || normalize->code != schema::OpCode::Normalize || !is_own) return false;
  ir::Value parameter = site.input(1 - affine.operand);
  if (!parameter.is_constant()) return false;
  const auto shape = ShapeBeforeReshape(site, *reshape, parameter);
  if (!shape) return false;
  parameter.shape = *shape;
  if (!TakesParameter(site, *normalize, affine.parameter, parameter)) return false;

  std::vector<ir::ValueId> inputs = normalize->inputs;
  inputs.resize(affine.parameter + 1, ir::kNoValue);
  inputs[affine.parameter] =
      site.graph.AddConstant(parameter.name, parameter.dtype, parameter.shape, *parameter.data);
  const ir::ValueId y =
      site.Build().Add(normalize->as<schema::NormalizeOptionsT>(), std::move(inputs), DType::kFloat32);
  schema::ReshapeOptionsT options = reshape->as<schema::ReshapeOptionsT>();
  site.node.code = schema::OpCode::Reshape;
  site.node.options.Set(std::move(options));
  site.node.inputs = {y};
  return true;
}

bool FoldAffine(const Site& site) {
  AffineNode affine;
  if (IsBinary(site.node, BinaryKind::Mul)) affine.parameter = kScaleInput;
  if (IsBinary(site.node, BinaryKind::Add)) affine.parameter = kBiasInput;
  if (affine.parameter == 0) return false;
  for (; affine.operand < 2; ++affine.operand) {
    if (FoldDirectly(site, affine) || FoldThroughReshape(site, affine)) return true;
  }
  return false;
}

}  // namespace

Status FoldAffineIntoNormalize(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Binary}, FoldAffine);
  return Status();
}

}  // namespace micrort::passes
