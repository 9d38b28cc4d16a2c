#include "converter/frontend/common/fetches.h"

#include <algorithm>

#include "tools/io/near_names.h"

namespace micrort::frontend {

Status CheckFetches(const std::vector<std::string>& names, const std::set<std::string>& defined,
                    const char* flag) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (defined.count(name) == 0) {
      return MICRORT_ERROR(kInvalidArgument, "%s: the model has no tensor '%s'; names like it: %s", flag,
                           name.c_str(), io::NearNames(name, {defined.begin(), defined.end()}).c_str());
    }
    if (!seen.insert(name).second)
      return MICRORT_ERROR(kInvalidArgument, "%s: '%s' is given twice", flag, name.c_str());
  }
  return Status();
}

// One walk from the end finds all that is needed.
std::vector<bool> NeededNodes(const std::vector<NodeEdges>& nodes, const std::vector<std::string>& values) {
  std::set<std::string> needed(values.begin(), values.end());
  std::vector<bool> kept(nodes.size());
  for (size_t i = nodes.size(); i-- > 0;) {
    const auto& writes = nodes[i].writes;
    kept[i] = std::any_of(writes.begin(), writes.end(),
                          [&](const std::string& name) { return !name.empty() && needed.count(name) != 0; });
    if (kept[i]) needed.insert(nodes[i].reads.begin(), nodes[i].reads.end());
  }
  return kept;
}

}  // namespace micrort::frontend
