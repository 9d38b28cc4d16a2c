#pragma once
// Operators that cannot be imported, collected over the whole model.

#include <string>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/frontend.h"

namespace micrort::frontend {

// Where an operator stands, for messages. version 0: the format has none.
struct SourceNode {
  std::string name;
  std::string op;
  int version = 0;
};

// "node 'conv1' (Conv, opset 13)".
std::string Describe(const SourceNode& node);

// An import ends after so many nodes, or reasons that differ: a longer list helps nobody, and a model may ask
// for millions.
inline constexpr size_t kMaxUnsupportedNodes = 16384, kMaxUnsupportedReasons = 1024;

// UnsupportedNodes() where the list is full, and the import ends.
[[nodiscard]] Status NoteUnsupported(const SourceNode& node, const std::string& reason,
                                     ImportDiagnostics* diagnostics);

// kUnsupported, with the number of nodes and the first of them; OK if there is none.
Status UnsupportedNodes(const ImportDiagnostics& diagnostics);

}  // namespace micrort::frontend
