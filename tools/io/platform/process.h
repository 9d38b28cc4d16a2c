#pragma once
// The process that a program runs as.

#include <cstddef>
#include <cstdint>

namespace micrort::io {

// Before anything else: a standard stream that the caller has closed does not become the first file that is
// opened; writing to a pipe that nobody reads is an error like others, and not the silent end; what is
// printed is UTF-8, and has the same bytes on every system.
void PrepareStreams();

// The command line in UTF-8, for the life of the program: what main() was given, where that is so.
char** Utf8Arguments(int* argc, char** argv);

// The processor time of all threads so far.
double CpuMilliseconds();
size_t PeakRssBytes();

// The memory of the machine; 0 where the system does not tell.
uint64_t PhysicalMemoryBytes();
// Whether somebody sees what is printed as errors while it is printed.
bool ErrorsAreShown();

}  // namespace micrort::io
