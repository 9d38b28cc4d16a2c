#pragma once
// Loops of the converter on all processors.

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace micrort::threads {

using RangeFn = void (*)(void* context, size_t first, size_t last);

void RunRanges(size_t n, int64_t work, RangeFn f, void* context);

// Calls f(first, last) for ranges that make up [0, n), several at a time, and returns when all are done. What
// f writes must not depend on how the ranges are cut. `work`: operations that each of the n takes; where all
// take too few to pay for threads, the calling one does them.
template <typename F>
void ForEachRange(size_t n, int64_t work, F&& f) {
  const auto call = [](void* context, size_t first, size_t last) {
    (*static_cast<std::remove_reference_t<F>*>(context))(first, last);
  };
  RunRanges(n, work, call, const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace micrort::threads
