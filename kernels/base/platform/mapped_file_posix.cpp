#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/platform/mapped_file.h"
#include "kernels/base/platform/open_file.h"

namespace micrort {

namespace {

constexpr uintptr_t kLargePage = uintptr_t{2} << 20;

Status Map(const OpenedFile& file, void** data, size_t* size) {
  if (file.bytes == 0) return Status();
  if (sizeof(void*) == 4 && file.bytes > PTRDIFF_MAX)
    return MICRORT_ERROR(kIo, "cannot be mapped: it takes a program of 64 bits, as it has over 2 GiB");
  void* mapping = mmap(nullptr, static_cast<size_t>(file.bytes), PROT_READ, MAP_PRIVATE, file.descriptor, 0);
  if (mapping == MAP_FAILED) return MICRORT_ERROR(kIo, "cannot be mapped: %s", std::strerror(errno));
  *data = mapping;
  *size = static_cast<size_t>(file.bytes);
  return Status();
}

// Linux maps large pages only where an address is as far from a multiple of 2 MB as its place in the file.
// Null if that makes no difference, or fails, and where addresses are few.
void* MapSparse([[maybe_unused]] int file, [[maybe_unused]] size_t size) {
#if defined(__linux__) && UINTPTR_MAX > UINT32_MAX
  constexpr uintptr_t kAway = 65536;  // a multiple of every size of pages
  if (size < kLargePage) return nullptr;
  const size_t room = AlignUp(size, kAway) + kLargePage + kAway;
  void* const reserved = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<uintptr_t>(reserved), at = AlignUp(begin, kLargePage) + kAway;
  void* const mapping = mmap(reinterpret_cast<void*>(at), size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0);
  if (mapping == MAP_FAILED) {
    munmap(reserved, room);
    return nullptr;
  }
  munmap(reserved, at - begin);
  const uintptr_t behind = at + AlignUp(size, kAway);
  if (behind < begin + room) munmap(reinterpret_cast<void*>(behind), begin + room - behind);
  return mapping;
#else
  return nullptr;
#endif
}

// Large pages are mapped whole, so what lies beside the part comes with it and has to go with it.
void ReleasePart(const void* mapping, size_t mapped, const void* data, size_t size) {
  const auto first = reinterpret_cast<uintptr_t>(mapping), begin = reinterpret_cast<uintptr_t>(data);
  if (size == 0 || begin < first || begin - first > mapped || size > mapped - (begin - first)) return;
  const uintptr_t from = std::max(begin / kLargePage * kLargePage, first);
  const uintptr_t to = std::min(CeilDiv(begin + size, kLargePage) * kLargePage, first + mapped);
  madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

}  // namespace

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
  if (sparse_ != nullptr) munmap(sparse_, size_);
}

void MappedFile::Release(const void* data, size_t size) const {
  ReleasePart(data_, size_, data, size);
  if (sparse_ != nullptr) ReleasePart(sparse_, size_, data, size);
}

Status MappedFile::Open(const char* path) {
  OpenedFile file;
  MICRORT_RETURN_IF_ERROR(OpenFile(path, Readable::kRegular, &file));
  const Status status = Map(file, &data_, &size_);
  if (status.ok()) sparse_ = MapSparse(file.descriptor, size_);
  close(file.descriptor);
  return status;
}

}  // namespace micrort
