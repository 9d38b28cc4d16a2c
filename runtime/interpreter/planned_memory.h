#pragma once
// What a device needs for a model in memory, told by a machine that need not be able to run it.

#include <cstddef>

#include "micrort/interpreter.h"
#include "micrort/model.h"

namespace micrort {

struct PlannedMemory {
  size_t arena_bytes = 0, arena_lower_bound = 0;  // as Interpreter has them
  size_t packed_bytes = 0;                        // of weights that the device packs as it loads the file
  size_t packed_in_place_bytes = 0;               // of weights that the file holds packed for it
};

// For an interpreter with these options on a device with exactly options.features, be they of another
// architecture. Errors: those of Interpreter::Create.
Status PlanMemoryOfDevice(const Model& model, const InterpreterOptions& options, PlannedMemory* memory);

}  // namespace micrort
