#pragma once
// The model, in flash, and the memory that is left for it.

#include <cstddef>
#include <cstdint>

#include "examples/cortex_m/sizes.h"

extern "C" {
extern const uint8_t model_file[], model_file_end[];  // aligned to 64 bytes
extern uint8_t model_memory[], model_memory_end[];    // from the linker script
}

inline size_t ModelFileBytes() { return static_cast<size_t>(model_file_end - model_file); }
inline size_t ModelMemoryBytes() { return static_cast<size_t>(model_memory_end - model_memory); }
