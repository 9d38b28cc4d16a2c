#include "tools/io/catch_all.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "tools/io/heap_use.h"
#include "tools/io/program.h"
#include "tools/io/temporary_file.h"

namespace micrort::io {
namespace {

Status OutOfMemory(const HeapUse& heap) {
  if (heap.refused == 0) return MICRORT_ERROR(kOutOfMemory, "the system gives no more memory");
  if (!heap.over_limit)
    return MICRORT_ERROR(kOutOfMemory, "the system gives no more memory: cannot allocate %zu bytes",
                         heap.refused);
  return MICRORT_ERROR(kUnsupported,
                       "it takes more than %zu bytes of memory (--max-memory): cannot allocate %zu",
                       heap.limit, heap.refused);
}

const char* running_program = "";

// As Fail() does, but it needs no memory: there is none, and numbers need no escapes.
int FailForMemory(const HeapUse& heap) {
  const Status status = OutOfMemory(heap);
  std::fprintf(stderr, "%s: error: %s\n", running_program, status.message());
  return ExitCodeFor(status);
}

// Where memory is refused: protobuf crashes as it is unwound.
void EndProgram() {
  const HeapUse heap = CurrentHeapUse();
  CurrentHeapUse().end_program = nullptr;
  CurrentHeapUse().limit = 0;
  TemporaryFile::RemovePending();
  std::_Exit(FailForMemory(heap));
}

}  // namespace

HeapUse& CurrentHeapUse() {
  static HeapUse use;
  return use;
}

int CatchAll(const char* program, int (*main)(int, char**), int argc, char** argv) {
  running_program = program;
  CurrentHeapUse().end_program = EndProgram;
  try {
    return main(argc, argv);
  } catch (const std::bad_alloc&) {
    return FailForMemory(CurrentHeapUse());
  } catch (const std::exception& e) {
    return Fail(program, MICRORT_ERROR(kInternal, "%s", e.what()));
  } catch (...) {  // of somebody's library
    return Fail(program, MICRORT_ERROR(kInternal, "an exception of a type that is not known"));
  }
}

}  // namespace micrort::io
