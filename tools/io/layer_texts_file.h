#pragma once
// Files that state something for each layer: {"layers": {"NAME": VALUE, ...}}.

#include <string>
#include <utility>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::io {

// Names and values, these as JSON: "\"int8\"" for a text.
Status ReadLayerTexts(const std::string& path, std::vector<std::pair<std::string, std::string>>* layers);

}  // namespace micrort::io
