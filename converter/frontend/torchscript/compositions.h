#pragma once
// Operators that others are composed of (converter/compose/), written in the code that models are written in.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/ast.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

// What operators work on.
enum class Numbering { kReal, kComplex };

// `op` is "dist"; on complex numbers another function computes it. Null if there is none.
const Function* FindComposition(const std::string& op, Numbering numbering = Numbering::kReal);

// Names of operators, without those that only other compositions call ("__resized").
std::vector<std::string> AllCompositions(Numbering numbering = Numbering::kReal);

// The status of the parser, which takes all of them.
const Status& CompositionsStatus();

}  // namespace micrort::frontend::torchscript
