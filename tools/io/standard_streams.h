#pragma once

namespace micrort::io {

// Runs `main`, by CatchAll, as what a program does. Its exit code is `main`'s, but 1, with a message, where a
// part of what it printed on stdout is lost: the disk is full, the reader of the pipe has gone.
int RunMain(const char* program, int (*main)(int, char**), int argc, char** argv);

}  // namespace micrort::io
