// Attention whose keys and values are copied for each head that shares them reads them where they are.

#include <optional>
#include <string>

#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::OpCode;

constexpr size_t kKeyInput = 1, kValueInput = 2;

// Whether two dimensions are the same, whatever the graph's inputs are.
bool SameDim(const ir::Value& a, size_t i, const ir::Value& b, size_t j) {
  const auto name = [](const ir::Value& v, size_t d) {
    return d < v.dim_names.size() ? v.dim_names[d] : std::string();
  };
  if (a.shape[i] != b.shape[j]) return false;
  return a.shape[i] != ir::kDynamic || (!name(a, i).empty() && name(a, i) == name(b, j));
}

const ir::Node* Producer(const Site& site, ir::ValueId id, OpCode code) {
  const ir::Node* node = site.uses.producer(id);
  return node != nullptr && node->code == code ? node : nullptr;
}

// x [B,K,S,D], where the value is [B,K*n,S,D], made of [B,K,n,S,D], made of [B,K,1,S,D], of x; kNoValue where
// it is not.
ir::ValueId BeforeCopies(const Site& site, ir::ValueId id) {
  const ir::Node* const join = Producer(site, id, OpCode::Reshape);
  const ir::Node* const copy = join == nullptr ? nullptr : Producer(site, join->inputs[0], OpCode::Expand);
  const ir::Node* const split = copy == nullptr ? nullptr : Producer(site, copy->inputs[0], OpCode::Reshape);
  if (split == nullptr) return ir::kNoValue;
  const ir::Value &joined = site.graph.value(id), &copied = site.graph.value(copy->outputs[0]);
  const ir::Value &one = site.graph.value(split->outputs[0]), &x = site.graph.value(split->inputs[0]);
  if (joined.rank() != 4 || copied.rank() != 5 || one.rank() != 5 || x.rank() != 4) return ir::kNoValue;
  const bool are_copies = one.shape[2] == 1 && copied.shape[1] > 0 && copied.shape[2] > 0 &&
                          joined.shape[1] == copied.shape[1] * copied.shape[2];
  if (!are_copies) return ir::kNoValue;
  constexpr struct { size_t of_joined, of_copied; } kSame[] = {{0, 0}, {2, 3}, {3, 4}};
  for (const auto& same : kSame) {
    const size_t d = same.of_joined, e = same.of_copied;
    if (!SameDim(x, d, joined, d) || !SameDim(x, d, copied, e) || !SameDim(x, d, one, e)) return ir::kNoValue;
  }
  return SameDim(x, 1, copied, 1) && SameDim(x, 1, one, 1) ? split->inputs[0] : ir::kNoValue;
}

bool ReadShared(const Site& site) {
  const auto& options = site.node.as<schema::AttentionOptionsT>();
  if (!options.key_by_head || !options.value_by_head) return false;
  const ir::ValueId key = BeforeCopies(site, site.node.inputs[kKeyInput]),
                    value = BeforeCopies(site, site.node.inputs[kValueInput]);
  if (key == ir::kNoValue || value == ir::kNoValue) return false;
  if (site.graph.value(key).shape[1] != site.graph.value(value).shape[1]) return false;
  site.node.inputs[kKeyInput] = key;
  site.node.inputs[kValueInput] = value;
  return true;
}

}  // namespace

Status ReadSharedHeads(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::Attention}, ReadShared);
  return Status();
}

}  // namespace micrort::passes
