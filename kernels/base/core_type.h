#pragma once
// What kind of cores this program runs on, where kernels compute the same bits by other instructions.

namespace micrort {

// Whether all cores on which the first thread that asks may run execute instructions in order, as Arm's small
// ones do; where they cannot be looked at, the one that it runs on. False where nothing tells. Found once,
// then cached. Thread-safe.
bool RunsInOrder();

// Whether kernels have loops of their own for such cores: not in a build for size.
#if defined(MICRORT_FOR_SIZE)
constexpr bool kHasInOrderLoops = false;
#else
constexpr bool kHasInOrderLoops = true;
#endif

}  // namespace micrort
