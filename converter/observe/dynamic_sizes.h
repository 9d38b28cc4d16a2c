#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::observe {

using Dims = std::vector<int64_t>;  // of a shape; negative: dynamic

// Tries sizes for the dynamic dimensions of the shapes, 1 first, until `attempt` succeeds or fails with what
// `is_final` says no other sizes mend. Gives the last status. Without dynamic dimensions there is one
// attempt.
Status TryDynamicSizes(const std::vector<Dims>& shapes,
                       const std::function<Status(const std::vector<Dims>&)>& attempt,
                       const std::function<bool(const Status&)>& is_final);

}  // namespace micrort::observe
