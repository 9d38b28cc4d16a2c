#pragma once
// Files that came in place of a model, or of its weights, because a download went wrong.

#include <cstddef>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::io {

constexpr size_t kDownloadLook = 512;  // bytes that suffice to see it

// kInvalidModel for a Git LFS pointer and a web page, saying so.
Status CheckDownload(Span<const uint8_t> bytes);

// kInvalidModel for a short text, such as "Not Found". For files of no known format: some models are texts.
Status CheckAnswer(Span<const uint8_t> bytes);

}  // namespace micrort::io
