// Merges nodes that compute the same from the same, and equal constants.

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "converter/ir/options_bytes.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

bool SameIntegers(const ir::Value& a, const ir::Value& b) {
  const auto &x = a.source_integers, &y = b.source_integers;
  return x == y || (x != nullptr && y != nullptr && *x == *y);
}

bool SameConstant(const ir::Value& a, const ir::Value& b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.quantization == b.quantization && SameIntegers(a, b) &&
         (a.data == b.data || *a.data == *b.data);
}

// Both ends of a large constant, of which more need not be read: constants with one hash are compared.
size_t HashOf(const ir::Value& constant) {
  constexpr size_t kEnd = 64 << 10;
  const std::string_view bytes(reinterpret_cast<const char*>(constant.data->data()), constant.data->size());
  const size_t hash = std::hash<std::string_view>()(bytes.substr(0, kEnd));
  if (bytes.size() <= kEnd) return hash;
  return hash * 1000003 + std::hash<std::string_view>()(bytes.substr(bytes.size() - kEnd));
}

// Only inputs of nodes are renamed: a constant that is a graph output stays.
bool MergeConstants(ir::Graph& graph) {
  bool changed = false;
  std::unordered_multimap<size_t, ir::ValueId> seen;
  std::unordered_map<ir::ValueId, ir::ValueId> representative;
  const auto representative_of = [&](ir::ValueId id) {
    const auto [known, added] = representative.emplace(id, id);
    if (!added) return known->second;
    const size_t hash = HashOf(graph.value(id));
    const auto [first, last] = seen.equal_range(hash);
    for (auto other = first; other != last; ++other) {
      if (SameConstant(graph.value(other->second), graph.value(id))) return known->second = other->second;
    }
    seen.emplace(hash, id);
    return id;
  };
  for (const auto& node : graph.nodes) {
    for (ir::ValueId& id : node->inputs) {
      if (id == ir::kNoValue || !graph.value(id).is_constant()) continue;
      const ir::ValueId merged = representative_of(id);
      changed |= merged != id;
      id = merged;
    }
  }
  return changed;
}

template <typename T>
void AppendBytes(const std::vector<T>& elements, std::string* key) {
  const auto count = static_cast<uint32_t>(elements.size());
  key->append(reinterpret_cast<const char*>(&count), sizeof count);
  key->append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T));
}

// Equal exactly for nodes that compute the same.
std::string KeyOf(const ir::Graph& graph, const ir::Node& node) {
  std::string key = ir::OptionsBytes(node);
  AppendBytes(node.inputs, &key);
  for (ir::ValueId id : node.outputs) {
    const ir::Value& output = graph.value(id);
    AppendBytes(std::vector<int>{static_cast<int>(output.dtype), output.quantization.axis}, &key);
    AppendBytes(output.quantization.scales, &key);
    AppendBytes(output.quantization.zero_points, &key);
  }
  return key;
}

// Equal for nodes that compute the same, and seldom for others.
size_t HashOf(const ir::Node& node) {
  size_t hash = static_cast<size_t>(node.code);
  for (const ir::ValueId id : node.inputs) hash = hash * 1000003 + static_cast<size_t>(id);
  return hash;
}

// The nodes that were looked at, by what they compute. Most are the only ones of their operator and inputs,
// and then nobody asks for more.
class Computed {
 public:
  explicit Computed(const ir::Graph& graph) : graph_(graph) {}

  // The output of the first node that computes what this one does: of itself, if there was none.
  ir::ValueId FirstLike(const ir::Node& node) {
    const auto [alike, is_first] = by_hash_.emplace(HashOf(node), &node);
    if (is_first) return node.outputs[0];
    // The first one of a hash gets its key when there is a second one.
    if (alike->second != nullptr) by_key_.emplace(KeyOf(graph_, *alike->second), alike->second->outputs[0]);
    alike->second = nullptr;
    return by_key_.emplace(KeyOf(graph_, node), node.outputs[0]).first->second;
  }

 private:
  const ir::Graph& graph_;
  std::unordered_map<size_t, const ir::Node*> by_hash_;  // null: it is in the other
  std::unordered_map<std::string, ir::ValueId> by_key_;
};

// By ValueId.
std::vector<bool> Contained(const std::vector<ir::ValueId>& ids, const ir::Graph& graph) {
  std::vector<bool> is_contained(graph.value_count());
  for (const ir::ValueId id : ids) is_contained[static_cast<size_t>(id)] = true;
  return is_contained;
}

}  // namespace

Status MergeCommonSubexpressions(ir::Graph& graph, bool* changed) {
  *changed |= MergeConstants(graph);
  Computed computed(graph);
  std::vector<bool> is_output = Contained(graph.outputs, graph);
  // For each value that is computed twice, the one computed first. Looked up by who reads it: going through
  // the graph for each would take the square of its size.
  std::unordered_map<ir::ValueId, ir::ValueId> first;
  for (const auto& node : graph.nodes) {
    for (ir::ValueId& id : node->inputs) {
      const auto found = first.find(id);
      if (found != first.end()) id = found->second;
    }
    if (node->outputs.size() != 1 || !node->bodies.empty()) continue;
    const ir::ValueId output = node->outputs[0];
    const ir::ValueId known = computed.FirstLike(*node);
    if (known == output) continue;
    std::vector<bool>::reference was_output = is_output[static_cast<size_t>(output)],
                                 is_kept = is_output[static_cast<size_t>(known)];
    if (!HandNameOver(graph, output, was_output, known, is_kept)) continue;
    first.emplace(output, known);
    is_kept = is_kept || was_output;
  }
  if (first.empty()) return Status();
  for (ir::ValueId& id : graph.outputs) {
    const auto found = first.find(id);
    if (found != first.end()) id = found->second;
  }
  RemoveDeadNodes(graph);
  *changed = true;
  return Status();
}

}  // namespace micrort::passes
