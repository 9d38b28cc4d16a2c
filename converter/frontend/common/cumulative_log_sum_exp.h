#pragma once
// Running sums of exponentials, as logarithms.

#include "converter/ir/build.h"

namespace micrort::frontend {

// log(exp(x[0]) + ... + exp(x[i])) along `axis`, whose size is fixed. x has floats.
ir::ValueId CumulativeLogSumExp(ir::Builder& b, ir::ValueId x, int axis);

// x moved on by `count` along `axis`, behind as many times `fill`.
ir::ValueId Delayed(ir::Builder& b, ir::ValueId x, int axis, int64_t count, float fill);

}  // namespace micrort::frontend
