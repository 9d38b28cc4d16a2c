#include <windows.h>

#include "tools/io/platform/shared_library.h"
#include "tools/io/platform/utf16.h"

namespace micrort::io {

Status FunctionOfLibrary(const std::string& path, const char* name, void** function) {
  // A name without a folder would be searched for among the system's libraries.
  const bool has_folder = path.find_first_of("/\\:") != std::string::npos;
  const HMODULE library = LoadLibraryW(Utf16(has_folder ? path : ".\\" + path).c_str());
  if (library == nullptr)
    return MICRORT_ERROR(kIo, "%s: cannot load it (error %lu)", path.c_str(), GetLastError());
  *function = reinterpret_cast<void*>(GetProcAddress(library, name));
  return Status();
}

}  // namespace micrort::io
