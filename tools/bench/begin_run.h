#pragma once

#include <vector>

#include "micrort/interpreter.h"
#include "tools/io/session.h"

namespace micrort {

// Inputs as they are given, and caches without rows, so that any number of runs fits.
inline void BeginBenchRun(const std::vector<io::NamedArray>& inputs, Interpreter* interpreter) {
  io::FillInputs(inputs, interpreter);
  if (interpreter->StateLength() != 0) static_cast<void>(interpreter->TruncateState(0));
}

}  // namespace micrort
