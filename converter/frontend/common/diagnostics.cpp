#include "converter/frontend/common/diagnostics.h"

#include <algorithm>

namespace micrort::frontend {

namespace {

std::string WithVersion(const std::string& op, int version) {
  return version == 0 ? op : op + ", opset " + std::to_string(version);
}

size_t CountNodes(const std::vector<UnsupportedOp>& unsupported) {
  size_t nodes = 0;
  for (const UnsupportedOp& u : unsupported) nodes += u.nodes.size();
  return nodes;
}

}  // namespace

std::string Describe(const SourceNode& node) {
  return "node '" + node.name + "' (" + WithVersion(node.op, node.version) + ")";
}

Status NoteUnsupported(const SourceNode& node, const std::string& reason, ImportDiagnostics* diagnostics) {
  auto& list = diagnostics->unsupported;
  auto entry = std::find_if(list.begin(), list.end(),
                            [&](const UnsupportedOp& u) { return u.op == node.op && u.reason == reason; });
  if (entry == list.end()) entry = list.insert(list.end(), {node.op, node.version, reason, {}});
  entry->nodes.push_back(node.name);
  const bool is_full = list.size() >= kMaxUnsupportedReasons || CountNodes(list) >= kMaxUnsupportedNodes;
  if (!is_full) return Status();
  return UnsupportedNodes(*diagnostics).WithPrefix("the rest of the model was not looked at");
}

Status UnsupportedNodes(const ImportDiagnostics& diagnostics) {
  if (diagnostics.unsupported.empty()) return Status();
  const size_t nodes = CountNodes(diagnostics.unsupported);
  const UnsupportedOp& first = diagnostics.unsupported.front();
  return Unsupported("{} node{} cannot be converted, the first is '{}' ({}): {}", nodes,
                     nodes == 1 ? "" : "s", first.nodes.front(), WithVersion(first.op, first.opset),
                     first.reason);
}

}  // namespace micrort::frontend
