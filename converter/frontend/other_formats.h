#pragma once
// Files that users have in hand, and that no frontend reads.

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

// OK if the file is none of them; else what it is, and what to convert instead.
Status KnownButNotRead(Span<const uint8_t> bytes);

}  // namespace micrort::frontend
