#pragma once

#include "runtime/ops/op.h"

namespace micrort {

// How much work one call of an operator without graphs inside takes, in the unit of ModelLimits.
uint64_t WorkOfCall(Span<Tensor* const> inputs, Span<Tensor* const> outputs, const PrepareResult& prepared);

}  // namespace micrort
