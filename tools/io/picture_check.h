#pragma once
// What the decoder of pictures, stb_image, takes on trust or gets wrong, asked before it is called.

#include <string>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::io {

// The largest side; the decoder counts in int.
constexpr int kMaxPictureSide = 1 << 15;

// Accepts .png, .jpg and .bmp whose header says what can be: sides, a file that is long enough for them,
// tables of codes that fit, no more scans than a picture of this size is worth. `channels`: wanted, 1 or 3.
// `most_block`: bytes of what such a file is unpacked into, at most (StbLimit).
Status CheckPicture(const std::string& what, Span<const uint8_t> bytes, int channels, size_t* most_block);

}  // namespace micrort::io
