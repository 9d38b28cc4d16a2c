#pragma once
// Conditions that ask whether there are elements at all.

#include "converter/ir/graph.h"
#include "converter/ir/infer.h"

namespace micrort::frontend::torchscript {

enum class AskedElements { kNotAsked, kSome, kNone };

// `condition`: a bool of the graph, compared as count > 0 or count == 0, where the count is a size, or
// follows from sizes.
AskedElements WhatIsAsked(const ir::Graph& graph, ir::ValueId condition, ir::ShapeInference& inference);

}  // namespace micrort::frontend::torchscript
