// Mul and Add of constants after a normalization become its scale and bias.

#include "converter/passes/match.h"
#include "converter/passes/normalize_fits.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;

constexpr size_t kScale = 1, kBias = 2;

const ir::Value* ParameterOf(const Site& site, const ir::Node& normalize, size_t i) {
  return normalize.has_input(i) ? &site.graph.value(normalize.inputs[i]) : nullptr;
}

bool TakesParameter(const Site& site, const ir::Node& normalize, size_t i, const ir::Value& parameter) {
  if (!parameter.is_constant() || normalize.has_input(i) || normalize.has_input(kBias)) return false;
  return NormalizeFits(site.graph.value(normalize.inputs[0]), normalize.as<schema::NormalizeOptionsT>().axes,
                       i == kScale ? &parameter : ParameterOf(site, normalize, kScale),
                       i == kBias ? &parameter : nullptr);
}

bool FoldAffine(const Site& site) {
  const bool is_scale = IsBinary(site.node, BinaryKind::Mul);
  if (!is_scale && !IsBinary(site.node, BinaryKind::Add)) return false;
  const size_t parameter = is_scale ? kScale : kBias;
  for (size_t i = 0; i < 2; ++i) {
    ir::Node* normalize = site.own_producer(i);
    if (normalize == nullptr || normalize->code != schema::OpCode::Normalize) continue;
    if (!TakesParameter(site, *normalize, parameter, site.input(1 - i))) continue;
    normalize->inputs.resize(parameter + 1, ir::kNoValue);
    normalize->inputs[parameter] = site.node.inputs[1 - i];
    MergeIntoConsumer(*normalize, site.node);
    return true;
  }
  return false;
}

}  // namespace

Status FoldAffineIntoNormalize(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, FoldAffine);
  return Status();
}

}  // namespace micrort::passes
