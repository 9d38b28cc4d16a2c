// Runs the emitted class ns::Net on FOLDER/arg0.bin ..., writes FOLDER/result0.bin ..., and fails if anything
// came from the heap between. RESULT_BYTES is a list of the results' sizes.

#include <cstdio>
#include <cstring>
#include <new>

#include "net.h"

namespace {

size_t allocations = 0;

// For what the C library does for files.
alignas(64) unsigned char heap[1 << 20];
size_t heap_used = 0;

// The size lies in front, for realloc().
void* Allocate(size_t alignment, size_t bytes) {
  ++allocations;
  alignment = alignment < 64 ? 64 : alignment;
  const size_t at = (heap_used + sizeof bytes + alignment - 1) / alignment * alignment;
  if (at + bytes > sizeof heap) return nullptr;
  std::memcpy(heap + at - sizeof bytes, &bytes, sizeof bytes);
  heap_used = at + bytes;
  return heap + at;
}

bool ReadAll(const char* path, void* data) {
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr || std::fseek(file, 0, SEEK_END) != 0) return false;
  const auto bytes = static_cast<size_t>(std::ftell(file));
  std::rewind(file);
  return std::fread(data, 1, bytes, file) == bytes && std::fclose(file) == 0;
}

bool WriteAll(const char* path, const void* data, size_t bytes) {
  std::FILE* const file = std::fopen(path, "wb");
  return file != nullptr && std::fwrite(data, 1, bytes, file) == bytes && std::fclose(file) == 0;
}

alignas(ns::Net) unsigned char place[sizeof(ns::Net)];

}  // namespace

// In place of the C library's own, so that what it takes is counted, too.
extern "C" {
void* malloc(size_t bytes) { return Allocate(64, bytes); }
void* calloc(size_t count, size_t bytes) { return Allocate(64, count * bytes); }  // `heap` is zeros
void* aligned_alloc(size_t alignment, size_t bytes) { return Allocate(alignment, bytes); }
void* memalign(size_t alignment, size_t bytes) { return Allocate(alignment, bytes); }
int posix_memalign(void** data, size_t alignment, size_t bytes) {
  *data = Allocate(alignment, bytes);
  return *data == nullptr ? 12 : 0;
}
void* realloc(void* old, size_t bytes) {
  void* const data = Allocate(64, bytes);
  if (old == nullptr || data == nullptr) return data;
  size_t had;
  std::memcpy(&had, static_cast<unsigned char*>(old) - sizeof had, sizeof had);
  return std::memcpy(data, old, had < bytes ? had : bytes);
}
void free(void*) {}
}

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  char path[4096];
  const size_t before = allocations;
  ns::Net& net = *new (place) ns::Net;
  size_t from_heap = allocations - before;
  for (int i = 0; i < ns::Net::kNumArgs; ++i) {
    std::snprintf(path, sizeof path, "%s/arg%d.bin", argv[1], i);
    if (!ReadAll(path, net.arg_data(i))) return 2;
  }
  const size_t before_run = allocations;
  if (!net.Run()) {
    std::fprintf(stderr, "%s\n", net.error_msg());
    return 3;
  }
  from_heap += allocations - before_run;
  constexpr int kResultBytes[] = {RESULT_BYTES};
  for (int i = 0; i < ns::Net::kNumResults; ++i) {
    std::snprintf(path, sizeof path, "%s/result%d.bin", argv[1], i);
    if (!WriteAll(path, net.result_data(i), static_cast<size_t>(kResultBytes[i]))) return 4;
  }
  // Files need some, so the count does count.
  if (allocations == before + from_heap) return 5;
  if (from_heap == 0) return 0;
  std::fprintf(stderr, "%zu allocations\n", from_heap);
  return 6;
}
