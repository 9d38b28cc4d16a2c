#include "tools/io/catch_all.h"

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

// Where memory is refused: protobuf crashes as it is unwound. What is left is for the message.
void EndProgram() {
  const HeapUse heap = CurrentHeapUse();
  CurrentHeapUse().end_program = nullptr;
  CurrentHeapUse().limit = 0;
  TemporaryFile::RemovePending();
  try {
    std::_Exit(Fail(running_program, OutOfMemory(heap)));
  } catch (const std::bad_alloc&) {
    std::_Exit(1);
  }
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
    return Fail(program, OutOfMemory(CurrentHeapUse()));
  } catch (const std::exception& e) {
    return Fail(program, MICRORT_ERROR(kInternal, "%s", e.what()));
  } catch (...) {  // of somebody's library
    return Fail(program, MICRORT_ERROR(kInternal, "an exception of a type that is not known"));
  }
}

}  // namespace micrort::io
