#pragma once
// For builds without a heap (MICRORT_HEAP=OFF): models and interpreters in a caller's memory.
//   alignas(64) static uint8_t memory[24 * 1024];
//   MemoryBlock block(memory, sizeof memory);
//   Result<Model> model = ModelIn(block, file, file_bytes);
//   Result<Interpreter> interpreter = Interpreter::Create(*model, options);
// Afterwards block.peak_bytes() is the exact size that `memory` needs.

#include "kernels/base/memory_block.h"
#include "micrort/model.h"

namespace micrort {

// Model::FromBuffer for a model that allocates from `block`. So do its interpreters: their state, the
// arena unless InterpreterOptions::arena is set, and weights that the file does not hold packed. Without a
// current block, Model::FromBuffer finds no memory (kOutOfMemory).
inline Result<Model> ModelIn(MemoryBlock& block, const void* data, size_t size) {
  UseBlock use(&block);
  return Model::FromBuffer(data, size);
}

// The same with Model::FromTrustedBuffer.
inline Result<Model> TrustedModelIn(MemoryBlock& block, const void* data, size_t size) {
  UseBlock use(&block);
  return Model::FromTrustedBuffer(data, size);
}

}  // namespace micrort
