#pragma once

#include "runtime/ops/op.h"

namespace micrort {

// How much work one call of an operator without graphs inside takes, in the unit of ModelLimits. Inputs count
// where the operator reads their data.
uint64_t WorkOfCall(const OpRegistration& op, Span<Tensor* const> inputs, Span<Tensor* const> outputs,
                    const PrepareResult& prepared);

}  // namespace micrort
