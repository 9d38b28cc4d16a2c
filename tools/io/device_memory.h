#pragma once
// What a model takes on a device that decides nothing itself (MICRORT_HEAP=OFF, MICRORT_PLANNING=OFF), told
// without that device.

#include <cstddef>

#include "converter/emit/aligned_bytes.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/status.h"

namespace micrort::target {

struct DeviceMemory {
  size_t arena_bytes = 0;
  // All in, to the byte: what MemoryBlock::peak_bytes() says there once a model and an interpreter exist. The
  // block begins at 64 bytes.
  size_t block_bytes = 0;
  size_t block_bytes_beside_arena =
      0;  // the same where the caller gives the arena (InterpreterOptions::arena)
};

// Loads a whole file as a device of these features, with 32-bit addresses, would. kUnsupported where the file
// leaves something to the device, as that would say.
Status MeasureDeviceMemory(const AlignedBytes& file, CpuFeatures features, DeviceMemory* memory);

}  // namespace micrort::target
