#pragma once
// Memory of one piece to another place.

#include <cstddef>

#include "kernels/base/parallel.h"

namespace micrort {

struct MoveCall {
  size_t bytes;
};

// Nothing to do where source and destination are the same; they must not overlap in another way.
void RunMoveCall(const MoveCall& call, const void* src, void* dst, const Parallel& parallel);

}  // namespace micrort
