#pragma once
// The branches of an If that a run decides: one that cannot run with the sizes at hand is an error only if it
// is taken.

#include <functional>

#include "converter/frontend/common/imported_body.h"
#include "converter/ir/infer.h"

namespace micrort::frontend {

// Imports branch 0, then branch 1, with other sizes of dynamic dimensions where one cannot run with those at
// hand. Where none fit, what fails takes its place, and the branch says that it misfits; the other one does
// not. `import` may be called more than once for a branch, and says of an operator that failed in the body
// whether it misfits (ir::MaySuitOtherSizes).
Status ImportEachBranch(const std::function<Status(size_t branch, ImportedBody* out)>& import,
                        ir::ShapeInference& inference, ImportedBody (*out)[2]);

}  // namespace micrort::frontend
