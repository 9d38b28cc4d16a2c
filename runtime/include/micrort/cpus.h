#pragma once
// On which CPUs threads run, for devices whose cores differ (big.LITTLE). A set of CPUs is a number with bit
// i for the system's CPU i; a 65th cannot be named. Linux and Android; nothing is known of CPUs elsewhere.

#include <cstdint>

#include "kernels/base/status.h"

namespace micrort {

// Those that the calling thread may run on, of which the system says by their capacity, or else by their
// highest clock, that they are nearer to the fastest than to the slowest; and the others. 0 where the system
// does not tell. Where all are alike, both are all of them.
uint64_t BigCpus();
uint64_t LittleCpus();

// The calling thread, from now on: for the one that calls Interpreter::Run(), which InterpreterOptions::cpus
// leaves where it is. kInvalidArgument if the system lets it run on none of them; kUnsupported elsewhere than
// on Linux.
Status BindThread(uint64_t cpus);

}  // namespace micrort
