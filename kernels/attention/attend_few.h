#pragma once
// Causal attention of a few queries, as of a decoder that makes one token after the other: keys and values
// are read where they lie, once for all heads that share them, with the softmax carried from block to block
// (online). Nothing is packed, and no row of scores is as long as the keys are many.

#include "kernels/attention/attention.h"

namespace micrort {

// Whether rows of queries that share keys are so few that packing keys would take longer than reading them.
bool SuitsAttendFew(const AttentionParams& p);
// Without scratch. The result does not depend on the number of workers.
void AttendFew(const AttentionParams& p, const AttentionTensors& tensors, const Parallel& parallel);

}  // namespace micrort
