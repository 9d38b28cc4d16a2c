#pragma once
// The branches of an If that a run decides: one that cannot run with the sizes at hand is an error only if it
// is taken.

#include <functional>

#include "converter/frontend/common/imported_body.h"

namespace micrort::frontend {

// Imports branch 0, then branch 1. Where one can run with no sizes, what fails takes its place, and the
// branch says that it misfits; the other one does not. `import` says of an operator that failed in the body
// whether it misfits (ir::MaySuitOtherSizes).
Status ImportEachBranch(const std::function<Status(size_t branch, ImportedBody* out)>& import,
                        ImportedBody (*out)[2]);

}  // namespace micrort::frontend
