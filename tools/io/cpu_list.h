#pragma once
// CPUs as a command line names them.

#include <cstdint>
#include <string>

#include "kernels/base/status.h"

namespace micrort::io {

// "0-3,6", "big" or "little", as a set of micrort/cpus.h; "" is the empty set. kInvalidArgument for other
// text and CPUs over 63; kUnsupported where the system does not tell which are big.
Status ParseCpuList(const std::string& text, uint64_t* cpus);

}  // namespace micrort::io
