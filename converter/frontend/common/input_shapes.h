#pragma once
// Shapes of the model's inputs, and those that the user gives instead.

#include "converter/frontend/frontend.h"

namespace micrort::frontend {

// Gives an input the shape that the options have for it, by its name or by its position ("#0"); without one
// it keeps its own. Then checks it: an input needs a shape, with dimensions that fit.
Status SettleInputShape(const ImportOptions& options, size_t position, ir::Value* input);

// kInvalidArgument if the options give a shape to something that is no input of the graph.
Status CheckOverrides(const ir::Graph& graph, const ImportOptions& options);

}  // namespace micrort::frontend
