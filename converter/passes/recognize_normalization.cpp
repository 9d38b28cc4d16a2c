// Recognizes normalizations that exporters spell out: v / sqrt(mean(v^2) + epsilon), which is RMSNorm, and,
// where v = x - mean(x), LayerNorm, InstanceNorm or what else reduces so.

#include <vector>

#include "converter/passes/normalize_fits.h"
#include "converter/passes/passes.h"
#include "converter/passes/site_match.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;
using schema::UnaryKind;

// What a mean that keeps its dimensions is taken of; null if the value is none.
const ir::Node* MeanNode(const Site& site, ir::ValueId id) {
  const ir::Node* node = ProducerOf(site, id);
  if (node == nullptr || node->code != schema::OpCode::Reduce) return nullptr;
  const auto& options = node->as<schema::ReduceOptionsT>();
  return options.kind == schema::ReduceKind::Mean && options.keep_dims ? node : nullptr;
}

struct MeanSquare {
  ir::ValueId v = ir::kNoValue;  // kNoValue: not found
  std::vector<int32_t> axes;
  float epsilon = 0;
};

// mean(v^2) + epsilon
MeanSquare FindMeanSquare(const Site& site, ir::ValueId id) {
  const ir::Node* sum = ProducerOf(site, id);
  if (sum == nullptr || !IsBinary(*sum, BinaryKind::Add)) return {};
  for (size_t i = 0; i < 2; ++i) {
    const auto epsilon = ScalarOf(site.graph.value(sum->inputs[i]));
    const ir::Node* mean = MeanNode(site, sum->inputs[1 - i]);
    if (!epsilon || !(*epsilon >= 0) || mean == nullptr) continue;
    return {OperandOfPower(site, mean->inputs[0], 2), mean->as<schema::ReduceOptionsT>().axes, *epsilon};
  }
  return {};
}

// sqrt(mean(v^2) + epsilon)
MeanSquare FindRoot(const Site& site, ir::ValueId id) {
  const ir::ValueId under_root = OperandOfUnary(site, id, UnaryKind::Sqrt);
  return FindMeanSquare(site, under_root != ir::kNoValue ? under_root : OperandOfPower(site, id, 0.5f));
}

MeanSquare FindInverseRoot(const Site& site, ir::ValueId id) {
  const ir::ValueId root = OperandOfReciprocal(site, id);
  return root != ir::kNoValue ? FindRoot(site, root) : FindMeanSquare(site, OperandOfPower(site, id, -0.5f));
}

// v divided by its root of mean squares.
MeanSquare FindQuotient(const Site& site) {
  const ir::Node& node = site.node;
  if (IsBinary(node, BinaryKind::Div)) {
    MeanSquare found = FindRoot(site, node.inputs[1]);
    return found.v == node.inputs[0] ? found : MeanSquare();
  }
  for (size_t i = 0; IsBinary(node, BinaryKind::Mul) && i < 2; ++i) {
    MeanSquare found = FindInverseRoot(site, node.inputs[1 - i]);
    if (found.v == node.inputs[i]) return found;
  }
  return {};
}

// x where v = x - mean(x) over the same axes; else kNoValue.
ir::ValueId FindUncentered(const Site& site, const MeanSquare& found) {
  const ir::Node* difference = ProducerOf(site, found.v);
  if (difference == nullptr || !IsBinary(*difference, BinaryKind::Sub)) return ir::kNoValue;
  const ir::Node* mean = MeanNode(site, difference->inputs[1]);
  const bool same = mean != nullptr && mean->inputs[0] == difference->inputs[0] &&
                    mean->as<schema::ReduceOptionsT>().axes == found.axes;
  return same ? difference->inputs[0] : ir::kNoValue;
}

bool BecomeNormalize(const Site& site) {
  if (site.output().dtype != DType::kFloat32) return false;
  const MeanSquare found = FindQuotient(site);
  if (found.v == ir::kNoValue) return false;
  const ir::ValueId x = FindUncentered(site, found);
  schema::NormalizeOptionsT options;
  options.axes = found.axes;
  options.epsilon = found.epsilon;
  options.centered = x != ir::kNoValue;
  const ir::ValueId input = options.centered ? x : found.v;
  if (site.graph.value(input).dtype != DType::kFloat32) return false;
  if (!NormalizeFits(site.graph.value(input), options.axes, nullptr, nullptr)) return false;
  site.node.code = schema::OpCode::Normalize;
  site.node.options.Set(std::move(options));
  site.node.inputs = {input};
  return true;
}

}  // namespace

Status RecognizeNormalization(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Binary}, BecomeNormalize);
  return Status();
}

}  // namespace micrort::passes
