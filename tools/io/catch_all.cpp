#include "tools/io/catch_all.h"

#include <exception>
#include <new>

#include "tools/io/heap_use.h"
#include "tools/io/program.h"

namespace micrort::io {
namespace {

Status OutOfMemory() {
  const HeapUse& heap = CurrentHeapUse();
  if (heap.refused == 0) return MICRORT_ERROR(kOutOfMemory, "the system gives no more memory");
  if (!heap.over_limit)
    return MICRORT_ERROR(kOutOfMemory, "the system gives no more memory: cannot allocate %zu bytes",
                         heap.refused);
  return MICRORT_ERROR(kUnsupported,
                       "it takes more than %zu bytes of memory (--max-memory): cannot allocate %zu",
                       heap.limit, heap.refused);
}

}  // namespace

HeapUse& CurrentHeapUse() {
  static HeapUse use;
  return use;
}

int CatchAll(const char* program, int (*main)(int, char**), int argc, char** argv) {
  try {
    return main(argc, argv);
  } catch (const std::bad_alloc&) {
    return Fail(program, OutOfMemory());
  } catch (const std::exception& e) {
    return Fail(program, MICRORT_ERROR(kInternal, "%s", e.what()));
  }
}

}  // namespace micrort::io
