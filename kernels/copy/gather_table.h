#pragma once
// Gather of rows that are stored in a narrow type, as of a table of embeddings: those that are read become
// floats.

#include "kernels/copy/gather.h"

namespace micrort {

// The same as RunGather, with call.table.dtype known and dst of floats.
size_t RunGatherTable(const GatherCall& call, const void* src, const void* indices, float* dst,
                      const Parallel& parallel);

}  // namespace micrort
