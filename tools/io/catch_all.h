#pragma once

namespace micrort::io {

// Runs `main`; what it throws becomes a message and an exit code: 3 where the limit of the heap is reached, 1
// where the system gives no more memory, and for anything else.
int CatchAll(const char* program, int (*main)(int, char**), int argc, char** argv);

}  // namespace micrort::io
