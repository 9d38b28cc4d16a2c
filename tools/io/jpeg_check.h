#pragma once
// The segments of a JPEG file, as the decoder will come to them.

#include <cstdint>

#include "kernels/base/span.h"

namespace micrort::io {

struct JpegScans {
  int64_t scans = 0;
  bool is_progressive = false;
};

// Each scan walks through all pixels; progressive pictures have some ten.
constexpr int64_t kMaxScannedPixels = int64_t{1} << 31;

// False if a table of Huffman codes has more symbols than a byte can tell apart, for which the decoder has no
// room. All else that is wrong it notices itself.
bool ReadJpegScans(Span<const uint8_t> bytes, JpegScans* out);

}  // namespace micrort::io
