#pragma once
// Files that came in place of a model, or of its weights, because a download went wrong.

#include <cstddef>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::io {

constexpr size_t kDownloadLook = 512;  // bytes that tell it

// kInvalidModel for a pointer of Git LFS and a page of the web, saying so.
Status CheckDownload(Span<const uint8_t> bytes);

}  // namespace micrort::io
