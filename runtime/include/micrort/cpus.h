#pragma once
// The CPUs that threads run on, for devices whose cores differ (big.LITTLE). A set of CPUs is a number with
// bit i for the system's CPU i; a 65th CPU cannot be named. For Linux and Android;
// on Windows, threads are bound, but nothing tells how fast CPUs are.

#include <cstdint>

#include "kernels/base/status.h"

namespace micrort {

// Big CPUs are those that are closer to the fastest CPU than to the slowest, by their capacity or otherwise
// by their highest clock; little ones are the others. Both contain only CPUs that the calling thread may run
// on. 0 if the system reports neither. If all CPUs are alike, both are all of them.
uint64_t BigCpus();
uint64_t LittleCpus();

// Binds the calling thread from now on. It is for the thread that calls Interpreter::Run(), which
// InterpreterOptions::cpus does not bind. kInvalidArgument if the thread may run on none of them;
// kUnsupported on other systems than Linux and Windows.
Status BindThread(uint64_t cpus);

}  // namespace micrort
