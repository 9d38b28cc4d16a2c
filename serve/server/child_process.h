#pragma once
// This program once more, for work that may take any time or memory.

#include <string>
#include <vector>

#include "serve/repository/load_limit.h"
#include "serve/repository/model_version.h"

namespace micrort::serve {

struct ChildResult {
  int exit_code = 0;
  ModelBytes output;  // what it wrote by WriteOutput()
};

// Runs this program's file with `arguments` and waits for its end, or ends it when the limit says so. A child
// that a signal ends is an error, too.
Error RunThisProgram(const std::vector<std::string>& arguments, const LoadLimit& limit, ChildResult* result);

// In the child: it ends with the thread that started it, and first where memory runs out.
void BecomeChild();
// In the child, once. False if there is no room.
bool WriteOutput(Span<const uint8_t> bytes);

}  // namespace micrort::serve
