#pragma once
// Writing several arrays into one, element by element in turn.

#include <cstddef>

#include "kernels/base/parallel.h"
#include "kernels/base/span.h"

namespace micrort {

// dst[i * sources.size() + s] = sources[s][i] for i < count. `element_bytes`: 1, 2, 4 or 8.
void Interleave(size_t element_bytes, Span<const void* const> sources, size_t count, void* dst,
                const Parallel& parallel);

}  // namespace micrort
