#include "converter/ir/near_names.h"

#include <algorithm>
#include <utility>

namespace micrort::ir {
namespace {

constexpr size_t kNearestNames = 5;

// Insertions, deletions and changes of single characters that turn one text into the other.
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// A part of the name is near, too: people leave out what exporters put before and behind.
size_t Distance(const std::string& asked, const std::string& name) {
  const bool is_part = !asked.empty() && name.find(asked) != std::string::npos;
  return is_part ? 0 : EditDistance(asked, name);
}

}  // namespace

std::string NearNames(const std::string& asked, std::vector<std::string> names) {
  std::vector<std::pair<size_t, std::string>> ranked;
  for (std::string& name : names) {
    const size_t distance = Distance(asked, name);
    ranked.emplace_back(distance, std::move(name));
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
  std::string text;
  for (size_t i = 0; i < std::min(ranked.size(), kNearestNames); ++i)
    text += (i == 0 ? "'" : ", '") + ranked[i].second + "'";
  return text;
}

std::vector<std::string> ComputedNames(const Graph& graph) {
  std::vector<std::string> names;
  for (const ValueId id : graph.inputs) names.push_back(graph.value(id).name);
  for (const auto& node : graph.nodes) {
    for (const ValueId id : node->outputs) {
      if (id != kNoValue && graph.value(id).in_source) names.push_back(graph.value(id).name);
    }
  }
  return names;
}

}  // namespace micrort::ir
