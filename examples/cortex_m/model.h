#pragma once
// The model, in flash, and the memory that is left for it.

#include <cstddef>
#include <cstdint>

extern "C" {
extern const uint8_t model_file[], model_file_end[];  // aligned to 64 bytes
// From the linker script. Of the last two, the address is the value: all that lies in flash, and the
// variables.
extern uint8_t model_memory[], model_memory_end[];
extern const uint8_t flash_bytes[], data_bytes[];
}

inline size_t BytesOf(const uint8_t* symbol) { return reinterpret_cast<uintptr_t>(symbol); }
inline size_t ModelFileBytes() { return static_cast<size_t>(model_file_end - model_file); }
inline size_t ModelMemoryBytes() { return static_cast<size_t>(model_memory_end - model_memory); }
