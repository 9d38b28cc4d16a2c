#pragma once
// The memory that a model takes on a device that decides nothing itself (MICRORT_HEAP=OFF,
// MICRORT_PLANNING=OFF), computed on any machine.

#include <cstddef>

#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "schema/micrort_generated.h"

namespace micrort::io {

struct DeviceMemory {
  size_t arena_bytes = 0;
  // All in, to the byte: what MemoryBlock::peak_bytes() says there once a model and an interpreter exist. The
  // block begins at 64 bytes.
  size_t block_bytes = 0;
  size_t block_bytes_beside_arena =
      0;  // the same where the caller gives the arena (InterpreterOptions::arena)
};

// Loads the model as a device with the target's features and 32-bit addresses would; the target's control
// bounds that and may not be null. kUnsupported, with the device's own message, if the file leaves something
// to the device.
Status MeasureDeviceMemory(const schema::Model& model, const OpResolver& ops, const PrepareTarget& target,
                           DeviceMemory* memory);

}  // namespace micrort::io
