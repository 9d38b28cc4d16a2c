#pragma once
// What objects take on a 32-bit device whose file decides everything (MICRORT_HEAP=OFF, MICRORT_PLANNING=OFF,
// MICRORT_ERROR_STRINGS=OFF, by Arm's procedure call standard), so that the converter can tell all that a
// model takes there. Builds for such devices check them, a test the states of operators in their library.

#include <cstddef>
#include <cstdint>

#include "schema/micrort_generated.h"

namespace micrort::device_sizes {

constexpr size_t kPointer = 4;
constexpr size_t kModel = 60;         // ModelImpl
constexpr size_t kInterpreter = 184;  // InterpreterImpl
constexpr size_t kResolver = 392;     // OpResolver
constexpr size_t kNode = 168;         // OfflineNode
constexpr size_t kTensor = 120;       // Tensor
constexpr size_t kShape = 72;         // Shape
constexpr size_t kName = 8;           // std::string_view
constexpr size_t kLife = 8;           // OfflinePlan::Life
constexpr size_t kMaxAlign = 16;      // max_align_t
constexpr size_t kAlignment = 8;      // of max_align_t, and of the pieces of a MemoryBlock
constexpr size_t kHeader = 8;         // of such a piece

// OpRegistration::state_bytes, by operator code.
constexpr uint16_t kStates[] = {376,  376, 392, 520, 184, 376, 368, 264, 84, 496, 80,  12,  736, 360, 56,
                                1544, 4,   32,  28,  164, 12,  528, 528, 1,  12,  128, 136, 136, 176, 184,
                                24,   20,  0,   28,  20,  64,  72,  0,   8,  112, 232, 76,  460, 24,  16};
static_assert(sizeof(kStates) / sizeof(kStates[0]) == static_cast<size_t>(schema::OpCode::MAX) + 1,
              "one an operator");

constexpr size_t StateOf(schema::OpCode code) { return kStates[static_cast<size_t>(code)]; }

}  // namespace micrort::device_sizes
