#include <windows.h>

#include "kernels/base/platform/mapped_file.h"

namespace micrort {

namespace {

// A path, which is UTF-8 everywhere else, as Windows takes it, whatever the code page of the program is.
class WidePath {
 public:
  explicit WidePath(const char* path)
      : ok_(MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, text_, kMost) != 0) {}
  // Whether it is UTF-8, and no longer than paths of Windows are without a prefix.
  bool ok() const { return ok_; }
  const wchar_t* text() const { return text_; }

 private:
  static constexpr int kMost = 1024;
  wchar_t text_[kMost] = {};
  bool ok_;
};

Status Fail(const char* what) {
  return MICRORT_ERROR(kIo, "cannot be %s: error %lu of Windows", what, GetLastError());
}

Status Map(HANDLE file, void** data, size_t* size) {
  LARGE_INTEGER bytes;
  if (GetFileType(file) != FILE_TYPE_DISK) return MICRORT_ERROR(kIo, "expected a regular file");
  if (!GetFileSizeEx(file, &bytes)) return Fail("examined");
  if (bytes.QuadPart == 0) return Status();
  if (sizeof(void*) == 4 && bytes.QuadPart > PTRDIFF_MAX)
    return MICRORT_ERROR(kIo, "cannot be mapped: it takes a program of 64 bits, as it has over 2 GiB");
  const HANDLE section = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (section == nullptr) return Fail("mapped");
  void* mapping = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
  const Status status = mapping == nullptr ? Fail("mapped") : Status();
  CloseHandle(section);  // which the mapping keeps
  *data = mapping;
  *size = mapping == nullptr ? 0 : static_cast<size_t>(bytes.QuadPart);
  return status;
}

}  // namespace

MappedFile::~MappedFile() {
  if (data_ != nullptr) UnmapViewOfFile(data_);
}

// Windows takes pages of files back by itself as memory runs short. Pages that are not locked leave the
// working set of the process when they are unlocked.
void MappedFile::Release(const void* data, size_t size) const {
  const auto first = reinterpret_cast<uintptr_t>(data_), begin = reinterpret_cast<uintptr_t>(data);
  if (size == 0 || begin < first || begin - first > size_ || size > size_ - (begin - first)) return;
  VirtualUnlock(const_cast<void*>(data), size);
}

Status MappedFile::Open(const char* path) {
  const WidePath wide(path);
  if (!wide.ok())
    return MICRORT_ERROR(kIo, "cannot be opened: its name is longer than Windows allows, or not UTF-8");
  // Folders open only by a flag of their own.
  const DWORD attributes = GetFileAttributesW(wide.text());
  if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
    return MICRORT_ERROR(kIo, "expected a regular file");
  // Others may rename or delete the file meanwhile, as elsewhere.
  const HANDLE file =
      CreateFileW(wide.text(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return Fail("opened");
  const Status status = Map(file, &data_, &size_);
  CloseHandle(file);
  return status;
}

}  // namespace micrort
