#pragma once
// Files that users have in hand, and that no frontend reads.

#include <string>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

// OK if the file is none of them; else what it is, and what to convert instead.
Status KnownButNotRead(Span<const uint8_t> bytes);

// `unread`: why no frontend reads the file. What its name says about it, where that explains it; else
// `unread`.
Status KnownByName(const std::string& path, const Status& unread);

}  // namespace micrort::frontend
