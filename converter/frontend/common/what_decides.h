#pragma once
// Values that ought to be constants and are not, for messages.

#include <string>

#include "converter/frontend/common/graph_assembler.h"

namespace micrort::frontend {

// "; input 'rate' decides it: --input-value rate=VALUE makes that a constant", naming the small inputs whose
// values it follows from, through graphs inside operators, too. "" where there is none, or where it follows
// from a state of the model.
std::string WhatDecides(GraphAssembler& assembler, ir::ValueId id);

}  // namespace micrort::frontend
