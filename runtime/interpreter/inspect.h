#pragma once
// What an interpreter runs, for tools and tests.

#include "micrort/interpreter.h"
#include "runtime/interpreter/subgraph.h"

namespace micrort {

// It changes with the shapes of inputs.
const Subgraph& EntryOf(const Interpreter& interpreter);

// How often this device looked for the best of several choices, bodies of operators included, for the shapes
// in force. 0: the file decided everything.
size_t SearchesOf(const Interpreter& interpreter);

}  // namespace micrort
