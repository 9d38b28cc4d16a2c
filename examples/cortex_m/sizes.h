#pragma once
// What the program takes, from the linker script: the address is the value.

#include <cstddef>
#include <cstdint>

extern "C" {
extern const uint8_t flash_bytes[];  // all that lies in flash
extern const uint8_t data_bytes[];   // variables
}

inline size_t BytesOf(const uint8_t* symbol) { return reinterpret_cast<uintptr_t>(symbol); }
