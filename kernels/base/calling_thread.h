#pragma once
// The calling thread alone, as ahead-of-time C++ takes it: an object of the kernels. One of its own would
// make a program that is compiled with RTTI need C++'s library.

#include "kernels/base/parallel.h"

namespace micrort {

const Parallel& CallingThread();

}  // namespace micrort
