// For programs that are linked statically, as those for devices are: they have no loader.

#include "tools/io/platform/shared_library.h"

namespace micrort::io {

Status FunctionOfLibrary(const std::string& path, const char*, void**) {
  return MICRORT_ERROR(kUnsupported,
                       "%s: this program is linked statically and loads no libraries; build it with "
                       "-DMICRORT_STATIC_PROGRAMS=OFF, or link the operators into a program of your own "
                       "(OpResolver::AddCustom)",
                       path.c_str());
}

}  // namespace micrort::io
