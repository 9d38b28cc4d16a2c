#pragma once
// mnnconvert --emit resolver: the operators of models as C++, so that a program links just these.

#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::cli {

// A header with `inline micrort::OpResolver FUNCTION()` for the MicroRT files in `models`. Operators of the
// program's own are named in a comment: only the program has them.
Status ResolverFor(const std::vector<std::string>& models, const std::string& function, std::string* header);

}  // namespace micrort::cli
