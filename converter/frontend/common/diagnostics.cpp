#include "converter/frontend/common/diagnostics.h"

#include <algorithm>

namespace micrort::frontend {

namespace {

std::string WithVersion(const std::string& op, int version) {
  return version == 0 ? op : op + ", opset " + std::to_string(version);
}

}  // namespace

std::string Describe(const SourceNode& node) {
  return "node '" + node.name + "' (" + WithVersion(node.op, node.version) + ")";
}

void NoteUnsupported(const SourceNode& node, const std::string& reason, ImportDiagnostics* diagnostics) {
  auto& list = diagnostics->unsupported;
  auto entry = std::find_if(list.begin(), list.end(),
                            [&](const UnsupportedOp& u) { return u.op == node.op && u.reason == reason; });
  if (entry == list.end()) entry = list.insert(list.end(), {node.op, node.version, reason, {}});
  entry->nodes.push_back(node.name);
}

Status UnsupportedNodes(const ImportDiagnostics& diagnostics) {
  if (diagnostics.unsupported.empty()) return Status();
  size_t nodes = 0;
  for (const UnsupportedOp& u : diagnostics.unsupported) nodes += u.nodes.size();
  const UnsupportedOp& first = diagnostics.unsupported.front();
  return MICRORT_ERROR(kUnsupported, "%zu node%s cannot be converted, the first is '%s' (%s): %s", nodes,
                       nodes == 1 ? "" : "s", first.nodes.front().c_str(),
                       WithVersion(first.op, first.opset).c_str(), first.reason.c_str());
}

}  // namespace micrort::frontend
