#include <dlfcn.h>

#include "tools/io/platform/shared_library.h"

namespace micrort::io {

Status FunctionOfLibrary(const std::string& path, const char* name, void** function) {
  // A name without a slash would be searched for among the system's libraries.
  const std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return MICRORT_ERROR(kIo, "%s", dlerror());
  *function = dlsym(library, name);
  return Status();
}

}  // namespace micrort::io
