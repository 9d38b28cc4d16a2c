#include "tools/io/near_names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace micrort::io {
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

// Neither capitals nor the kind of dash tell names apart for people.
std::string Simplified(std::string text) {
  text.erase(0, text.find_first_not_of('-'));
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c == '_' ? '-' : static_cast<char>(std::tolower(c)); });
  return text;
}

bool BeginsWith(const std::string& text, const std::string& begin) {
  return text.compare(0, begin.size(), begin) == 0;
}

// The distance of simplified names: 0 for equal ones, SIZE_MAX for those that no slip turns into each other.
size_t SlipDistance(const std::string& asked, const std::string& name) {
  constexpr size_t kShortest = 3;  // shorter names begin many others
  constexpr size_t kLettersASlip = 3;
  const size_t distance = EditDistance(asked, name);
  const size_t shorter = std::min(asked.size(), name.size());
  if (shorter >= kShortest && (BeginsWith(asked, name) || BeginsWith(name, asked)))
    return std::min<size_t>(distance, 1);
  return distance <= std::max<size_t>(1, (shorter + 1) / kLettersASlip) && distance < shorter ? distance
                                                                                              : SIZE_MAX;
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

std::string NearestName(const std::string& asked, const std::vector<std::string>& names) {
  size_t least = SIZE_MAX;
  std::string nearest;
  for (const std::string& name : names) {
    const size_t distance = SlipDistance(Simplified(asked), Simplified(name));
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

std::string DidYouMean(const std::string& asked, const std::vector<std::string>& names) {
  const std::string nearest = NearestName(asked, names);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::vector<std::string> SplitNames(const std::string& listed) {
  std::vector<std::string> names;
  for (size_t at = 0; at < listed.size();) {
    const size_t end = std::min(listed.find(", ", at), listed.size());
    names.push_back(listed.substr(at, end - at));
    at = end + 2;
  }
  return names;
}

}  // namespace micrort::io
