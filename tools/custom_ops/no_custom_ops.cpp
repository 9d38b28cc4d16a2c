// For programs that are linked statically: such a program has no loader for libraries.

#include "tools/custom_ops/custom_ops.h"

namespace micrort::io {

Status AddCustomOps(const std::vector<std::string>& libraries, OpResolver*) {
  if (libraries.empty()) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "%s: this program is linked statically and loads no libraries; build it with "
                       "-DMICRORT_STATIC_PROGRAMS=OFF, or link the operators into a program of your own "
                       "(OpResolver::AddCustom)",
                       libraries[0].c_str());
}

}  // namespace micrort::io
