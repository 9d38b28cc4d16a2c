#pragma once
// Which bytes packed weights have.

#include <cstdint>

namespace micrort {

// Model files may hold packed weights, told apart by the names of algorithm and micro-kernel. Raised whenever
// what goes by some name changes: older files' are then packed anew, or refused where there is nothing else.
constexpr uint32_t kPackedRevision = 1;

}  // namespace micrort
