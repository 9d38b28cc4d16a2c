#pragma once
// For builds without a heap (MICRORT_HEAP=OFF): models and interpreters in a caller's memory.
//   alignas(64) static uint8_t memory[24 * 1024];
//   MemoryBlock block(memory, sizeof memory);
//   Result<Model> model = ModelIn(block, file, file_bytes);
//   Result<Interpreter> interpreter = Interpreter::Create(*model, options);
// Afterwards block.peak_bytes() is what `memory` has to be, to the byte.

#include "kernels/base/memory_block.h"
#include "micrort/model.h"

namespace micrort {

// Model::FromBuffer for a model that takes its memory from `block`, as its interpreters do: their state, the
// arena unless InterpreterOptions::arena is given, and weights that the file does not hold packed. Without a
// block in force, Model::FromBuffer finds no memory (kOutOfMemory).
inline Result<Model> ModelIn(MemoryBlock& block, const void* data, size_t size) {
  UseBlock use(&block);
  return Model::FromBuffer(data, size);
}

// The same by Model::FromTrustedBuffer.
inline Result<Model> TrustedModelIn(MemoryBlock& block, const void* data, size_t size) {
  UseBlock use(&block);
  return Model::FromTrustedBuffer(data, size);
}

}  // namespace micrort
