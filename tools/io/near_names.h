#pragma once
// What a name was most likely meant to be.

#include <string>
#include <vector>

namespace micrort::io {

// The few of `names` that the asked one was most likely meant to be, in quotes: "'conv1', 'conv2'".
std::string NearNames(const std::string& asked, std::vector<std::string> names);

// The one of `names` that `asked` is a slip of: letters missing, swapped or too many, other capitals, a name
// that was cut short or continued. "" where none is near.
std::string NearestName(const std::string& asked, const std::vector<std::string>& names);

// "; did you mean NAME?" of it, or "".
std::string DidYouMean(const std::string& asked, const std::vector<std::string>& names);

// Names that stand in a text with ", " between them.
std::vector<std::string> SplitNames(const std::string& listed);

}  // namespace micrort::io
