#pragma once
// A model file inside the program: embedded_model.cpp puts it there.

#include <cstddef>
#include <cstdint>

extern "C" {
// Aligned to 64 bytes, as Model::FromBuffer needs it.
extern const uint8_t embedded_model[];
extern const uint8_t embedded_model_end[];
}

inline size_t EmbeddedModelBytes() { return static_cast<size_t>(embedded_model_end - embedded_model); }
