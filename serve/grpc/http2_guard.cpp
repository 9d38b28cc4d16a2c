#include "serve/grpc/http2_guard.h"

#include <algorithm>
#include <cstring>

namespace micrort::serve {
namespace {

constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr size_t kPrefaceBytes = sizeof kPreface - 1;

enum FrameType : uint8_t { kHeaders = 1, kReset = 3, kContinuation = 9 };
constexpr uint8_t kEndHeaders = 4;
// Frames of one block of header fields: one is enough for any that is not refused for its size.
constexpr size_t kMaxBlockFrames = 16;

}  // namespace

bool TokenBucket::HasToken(Clock::time_point now) {
  if (filled_ == Clock::time_point()) filled_ = now;
  tokens_ = std::min(most_, tokens_ + std::chrono::duration<double>(now - filled_).count() * per_second_);
  filled_ = now;
  return tokens_ >= 1;
}

bool TokenBucket::Take(Clock::time_point now) {
  if (!HasToken(now)) return false;
  tokens_ -= 1;
  return true;
}

bool Http2Guard::TakePreface(uint8_t byte) { return byte == static_cast<uint8_t>(kPreface[preface_++]); }

Http2Guard::Verdict Http2Guard::BeginFrame(TokenBucket::Clock::time_point now) {
  const size_t length =
      static_cast<size_t>(header_[0]) << 16 | static_cast<size_t>(header_[1]) << 8 | header_[2];
  const uint8_t type = header_[3], flags = header_[4];
  // A block of header fields is in frames that follow each other.
  if ((type == kContinuation) != (block_frames_ != 0)) return Verdict::kRefuse;
  if (type == kReset) {
    if (!all_resets_->HasToken(now) || !resets_.Take(now)) return Verdict::kPause;
    (void)all_resets_->Take(now);
  }
  if (type == kHeaders || type == kContinuation) {
    has_called_ = true;
    block_bytes_ += length;
    ++block_frames_;
    if (block_bytes_ > max_header_bytes_ || block_frames_ > kMaxBlockFrames) return Verdict::kRefuse;
    if ((flags & kEndHeaders) != 0) block_bytes_ = block_frames_ = 0;
  }
  payload_left_ = length;
  header_bytes_ = 0;
  return Verdict::kGoOn;
}

Http2Guard::Verdict Http2Guard::Feed(const uint8_t* bytes, size_t count, TokenBucket::Clock::time_point now,
                                     size_t* passed) {
  *passed = 0;
  for (size_t at = 0; at < count;) {
    if (payload_left_ != 0) {
      const size_t part = std::min(payload_left_, count - at);
      payload_left_ -= part;
      at += part;
    } else if (preface_ < kPrefaceBytes) {
      if (!TakePreface(bytes[at++])) return Verdict::kRefuse;
    } else {
      header_[header_bytes_++] = bytes[at++];
      if (header_bytes_ == kFrameHeader) {
        const Verdict verdict = BeginFrame(now);
        // Its last byte is fed again.
        if (verdict == Verdict::kPause) --header_bytes_;
        if (verdict != Verdict::kGoOn) return verdict;
      }
    }
    *passed = at;
  }
  return Verdict::kGoOn;
}

}  // namespace micrort::serve
