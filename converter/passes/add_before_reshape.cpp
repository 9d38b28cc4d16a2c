// A constant that is added between a Reshape that splits the first dimension and one that joins it again is
// added without them: so networks with windows mask the scores of their attention.

#include <algorithm>

#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::OpCode;

// Whether `whole` is `split` with its first two dimensions as one.
bool JoinsFirstTwo(const std::vector<int64_t>& split, const std::vector<int64_t>& whole) {
  return split.size() == whole.size() + 1 && !whole.empty() && split[0] * split[1] == whole[0] &&
         std::equal(split.begin() + 2, split.end(), whole.begin() + 1);
}

// The constant [a,b,...] or with fewer dimensions, as it is added to [N1 * N2,...] in place of [N1,N2,...].
ir::ValueId WithoutSplit(ir::Builder& build, ir::ValueId constant, const std::vector<int64_t>& split) {
  std::vector<int64_t> shape = build.graph().value(constant).shape;
  if (shape.size() + 2 <= split.size()) return constant;
  shape.insert(shape.begin(), split.size() - shape.size(), 1);
  shape[0] = split[0];
  shape[1] = split[1];
  schema::ExpandOptionsT expand;
  expand.shape.assign(shape.begin(), shape.end());
  std::vector<int32_t> joined(shape.begin() + 1, shape.end());
  joined[0] = static_cast<int32_t>(split[0] * split[1]);
  return build.Reshape(build.Add(std::move(expand), {constant}), joined);
}

bool AddWithoutReshapes(const Site& site) {
  if (!site.output().is_static()) return false;
  const ir::Node* sum = site.own_producer(0);
  if (sum == nullptr || !IsBinary(*sum, schema::BinaryKind::Add)) return false;
  for (size_t i = 0; i < 2; ++i) {
    const ir::Value& constant = site.graph.value(sum->inputs[1 - i]);
    const ir::Node* splitter = site.uses.producer(sum->inputs[i]);
    if (!constant.is_constant() || constant.dtype != DType::kFloat32 || splitter == nullptr ||
        splitter->code != OpCode::Reshape || site.uses.single_consumer(sum->inputs[i]) == nullptr) {
      continue;
    }
    const std::vector<int64_t>& split = site.input(0).shape;
    const bool same = site.graph.value(splitter->inputs[0]).shape == site.output().shape &&
                      site.graph.value(sum->inputs[i]).shape == split;
    if (!same || !JoinsFirstTwo(split, site.output().shape)) continue;
    ir::Builder build = site.Build();
    const ir::ValueId added = WithoutSplit(build, sum->inputs[1 - i], split);
    schema::BinaryOptionsT options;
    options.kind = schema::BinaryKind::Add;
    site.node.inputs = {splitter->inputs[0], added};
    site.node.code = OpCode::Binary;
    site.node.options.Set(std::move(options));
    return true;
  }
  return false;
}

}  // namespace

Status MoveAddBeforeReshape(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::Reshape}, AddWithoutReshapes);
  return Status();
}

}  // namespace micrort::passes
