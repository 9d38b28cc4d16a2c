#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/platform/mapped_file.h"

namespace micrort {

namespace {

Status Map(int file, void** data, size_t* size) {
  struct stat info {};
  if (fstat(file, &info) != 0) return MICRORT_ERROR(kIo, "cannot be examined: %s", std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return MICRORT_ERROR(kIo, "expected a regular file");
  if (info.st_size == 0) return Status();
  void* mapping = mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  if (mapping == MAP_FAILED) return MICRORT_ERROR(kIo, "cannot be mapped: %s", std::strerror(errno));
  *data = mapping;
  *size = static_cast<size_t>(info.st_size);
  return Status();
}

}  // namespace

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

// Large pages are mapped whole, so what lies beside the part comes with it and has to go with it.
void MappedFile::Release(const void* data, size_t size) const {
  constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
  const auto first = reinterpret_cast<uintptr_t>(data_), begin = reinterpret_cast<uintptr_t>(data);
  if (size == 0 || begin < first || begin - first > size_ || size > size_ - (begin - first)) return;
  const uintptr_t from = std::max(begin / kLargePage * kLargePage, first);
  const uintptr_t to = std::min(CeilDiv(begin + size, kLargePage) * kLargePage, first + size_);
  madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

Status MappedFile::Open(const char* path) {
  // Not to wait where the path is a pipe.
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return MICRORT_ERROR(kIo, "cannot be opened: %s", std::strerror(errno));
  const Status status = Map(file, &data_, &size_);
  close(file);
  return status;
}

}  // namespace micrort
