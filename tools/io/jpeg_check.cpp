#include "tools/io/jpeg_check.h"

namespace micrort::io {
namespace {

enum Marker : uint8_t { kHuffmanTables = 0xc4, kProgressive = 0xc2, kEnd = 0xd9, kScan = 0xda };

class JpegWalk {
 public:
  explicit JpegWalk(Span<const uint8_t> bytes) : bytes_(bytes) {}

  bool Run(JpegScans* out) {
    at_ = 2;  // behind the first marker
    for (uint8_t marker = 0; NextMarker(&marker) && marker != kEnd;) {
      out->is_progressive |= marker == kProgressive;
      out->scans += marker == kScan ? 1 : 0;
      const size_t end = at_ + (bytes_.size() - at_ < 2 ? 0 : Big16(at_));
      at_ = bytes_.size() - at_ < 2 ? bytes_.size() : at_ + 2;
      if (marker == kHuffmanTables && !TablesFit(end)) return false;
      at_ = end < at_ ? at_ : end;
      if (at_ >= bytes_.size()) break;
    }
    return true;
  }

 private:
  size_t Big16(size_t at) const { return size_t{bytes_[at]} << 8 | bytes_[at + 1]; }

  // Between a scan's codes and everywhere else where a decoder may look for one. There, 0xff stands before a
  // 0 or a number of a restart; elsewhere neither is a marker that a decoder goes on behind.
  bool NextMarker(uint8_t* marker) {
    for (; at_ + 1 < bytes_.size(); ++at_) {
      const uint8_t next = bytes_[at_ + 1];
      const bool is_restart = next >= 0xd0 && next <= 0xd7;
      if (bytes_[at_] != 0xff || next == 0 || next == 0xff || is_restart) continue;
      *marker = next;
      at_ += 2;
      return true;
    }
    return false;
  }

  // Checks the tables of a segment that ends at `end`, and what a decoder reads of the last table behind it.
  bool TablesFit(size_t end) const {
    constexpr size_t kLengths = 16, kMostSymbols = 256;
    for (size_t at = at_; at < end && at < bytes_.size();) {
      size_t symbols = 0;
      for (size_t i = 1; i <= kLengths && at + i < bytes_.size(); ++i) symbols += bytes_[at + i];
      if (symbols > kMostSymbols) return false;
      at += 1 + kLengths + symbols;
    }
    return true;
  }

  const Span<const uint8_t> bytes_;
  size_t at_ = 0;
};

}  // namespace

bool ReadJpegScans(Span<const uint8_t> bytes, JpegScans* out) { return JpegWalk(bytes).Run(out); }

}  // namespace micrort::io
