#pragma once
// Shared libraries with operators of the user's own, as micrort/custom_op.h describes them, for programs with
// --custom-ops.

#include <string>
#include <vector>

#include "kernels/base/status.h"
#include "micrort/op_resolver.h"

namespace micrort::io {

// Adds the operators of each library. Libraries stay loaded until the program ends, and run as its own code:
// nothing protects a program from them. The resolver may be used and copied from any thread afterwards.
// kIo: a library cannot be loaded; kInvalidArgument: it is none of these; kUnsupported: this program is
// linked statically, as those for devices are, and loads none.
Status AddCustomOps(const std::vector<std::string>& libraries, OpResolver* resolver);

}  // namespace micrort::io
