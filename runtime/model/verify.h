#pragma once
// Decides whether a file from anywhere may be run.

#include <cstdint>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort {

namespace schema {
struct Model;
}

constexpr uint32_t kSchemaVersion = 24;
constexpr uint32_t kMaxNesting = 16;  // graphs inside each other; a device's stack is small

// Where buffers behind the flatbuffer are. kElsewhere, for who has just made it: in memory, wherever their
// offsets lead.
enum class OuterBuffers { kInFile, kElsewhere };

// Checks everything that the interpreter will follow, index or divide with, but what needs the operators:
// their options are checked by their parse and prepare, the memory plan's overlaps when an interpreter is
// made. `file` is aligned to kAlignment. Takes time linear in the file's size, whatever is in it.
Result<const schema::Model*> VerifyModel(Span<const uint8_t> file,
                                         OuterBuffers outer = OuterBuffers::kInFile);
// Checks only what distinguishes a file of this format and version from others.
Result<const schema::Model*> TrustModel(Span<const uint8_t> file);

}  // namespace micrort
