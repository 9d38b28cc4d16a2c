#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::observe {

// One integer a sample from an .npy file. kIo; kInvalidArgument if their number is another.
Status LoadLabels(const std::string& path, size_t samples, std::vector<int64_t>* labels);

}  // namespace micrort::observe
