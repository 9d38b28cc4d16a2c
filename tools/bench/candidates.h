#pragma once
// The time of every algorithm that can compute a layer, in its place in the network.

#include <vector>

#include "micrort/micrort.h"
#include "tools/bench/measure.h"
#include "tools/io/array.h"

namespace micrort {

// `ops` are rows of the same model with the same options; fills their candidates where there are several. The
// network runs once for each rank of algorithms: with the estimate's first choice everywhere, with its second
// one, and so on, in turns, so that what disturbs the machine disturbs all alike.
Status MeasureCandidates(const Model& model, const InterpreterOptions& options,
                         const std::vector<io::NamedArray>& inputs, std::vector<OpRow>* ops);

}  // namespace micrort
