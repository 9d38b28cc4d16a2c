#pragma once
// Values of a graph by their names in the source model; inputs and outputs that cannot have theirs.

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "converter/frontend/frontend.h"
#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

class NamedValues {
 public:
  // kInvalidModel if the name is empty or taken.
  Status Define(const std::string& name, ir::ValueId id);
  // From now on the name stands for this value, for formats whose nodes may overwrite what they read.
  void Assign(const std::string& name, ir::ValueId id);
  // kNoValue if there is none.
  ir::ValueId Find(const std::string& name) const;

  // The value comes after an operator that cannot be imported.
  void MarkUnreachable(const std::string& name);
  bool IsUnreachable(const std::string& name) const { return unreachable_.count(name) != 0; }

 private:
  std::unordered_map<std::string, ir::ValueId> ids_;
  std::set<std::string> unreachable_;
};

inline std::string RenamedText(const char* role, const std::string& name, const std::string& now) {
  return std::string(role) + " '" + name + "' is called '" + now + "': another input or output has its name";
}

// role: "input" or "output", which the source calls `name`. Warns if the value is called otherwise.
inline void WarnIfRenamed(const char* role, const std::string& name, const ir::Value& value,
                          ImportDiagnostics* diagnostics) {
  if (name.empty() || value.name == name) return;
  diagnostics->warnings.push_back(RenamedText(role, name, value.name));
  if (std::string(role) == "output") diagnostics->renamed_outputs[value.name] = name;
}

// Returns those of ImportDiagnostics::renamed_outputs that can have the name of their source again where an
// input may have it, too.
inline std::map<std::string, std::string> NamesBesideInputs(const ir::Graph& graph,
                                                            const ImportDiagnostics& diagnostics) {
  std::set<std::string> taken;
  for (const ir::ValueId id : graph.outputs) taken.insert(graph.value(id).name);
  std::map<std::string, std::string> names;
  for (const ir::ValueId id : graph.outputs) {
    const auto renamed = diagnostics.renamed_outputs.find(graph.value(id).name);
    if (renamed != diagnostics.renamed_outputs.end() && taken.insert(renamed->second).second)
      names.insert(*renamed);
  }
  return names;
}

}  // namespace micrort::frontend
