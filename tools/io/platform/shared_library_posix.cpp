#include <dlfcn.h>
#include <unistd.h>

#include "kernels/base/platform/open_file.h"
#include "tools/io/platform/shared_library.h"

namespace micrort::io {

Status FunctionOfLibrary(const std::string& path, const char* name, void** function) {
  // A name without a slash would be searched for among the system's libraries.
  const std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  // The system waits where a pipe is, and does whatever a device does.
  OpenedFile file;
  const Status status = OpenFile(place.c_str(), Readable::kRegular, &file);
  if (!status.ok()) return status.WithPrefix("%s", path.c_str());
  close(file.descriptor);
  void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return MICRORT_ERROR(kIo, "%s", dlerror());
  *function = dlsym(library, name);
  return Status();
}

}  // namespace micrort::io
