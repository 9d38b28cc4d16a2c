#pragma once
// The model, as a part of the program.

#include <cstddef>
#include <cstdint>

extern "C" const uint8_t model_file[], model_file_end[];  // aligned to 64 bytes

inline size_t ModelFileBytes() { return static_cast<size_t>(model_file_end - model_file); }
