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

// How many operators were prepared for the shapes in force, those of bodies left out. The others are as they
// were for shapes before.
size_t PreparationsOf(const Interpreter& interpreter);

}  // namespace micrort
