#pragma once
// The steps of a program as C++ functions.

#include <string>

#include "converter/aot/aot_program.h"

namespace micrort::aot {

// What the source file says beside the class: what it includes, a function a step, and one that calls them.
struct StepsText {
  std::string includes;   // "kernels/..." one a line
  std::string functions;  // Step0, Step1 ...
  std::string calls;      // of Run's body
};

// Adds the constants that steps read to the program's. kUnsupported, naming the node, for a step that cannot
// be printed.
Status PrintSteps(AotProgram* program, StepsText* text);

// Text as a comment or a string may hold it: one line of printable ASCII, without quotes and backslashes.
std::string PlainText(const std::string& text);

}  // namespace micrort::aot
