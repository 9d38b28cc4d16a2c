#pragma once
// The whole server, as a program runs it.

#include "micrort/op_resolver.h"

namespace micrort::serve {

// micrort-serve with the operators of `resolver`: a program with operators of its own calls it from main().
// Ends after SIGTERM or SIGINT, with every request answered.
int RunServer(int argc, char** argv, const OpResolver& resolver);

}  // namespace micrort::serve
