#pragma once
// What an interpreter runs, for tools and tests.

#include "micrort/interpreter.h"
#include "runtime/interpreter/subgraph.h"

namespace micrort {

// It changes with the shapes of inputs.
const Subgraph& EntryOf(const Interpreter& interpreter);

}  // namespace micrort
