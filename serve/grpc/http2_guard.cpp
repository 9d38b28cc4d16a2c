#include "serve/grpc/http2_guard.h"

#include <algorithm>
#include <cstring>

namespace micrort::serve {
namespace {

constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr size_t kPrefaceBytes = sizeof kPreface - 1;

enum FrameType : uint8_t { kData = 0, kHeaders = 1, kReset = 3, kContinuation = 9 };
constexpr uint8_t kEndStream = 1, kEndHeaders = 4;
// Frames of one block of header fields: one is enough for any that is not refused for its size.
constexpr size_t kMaxBlockFrames = 16;
// gRPC keeps a client to kMaxStreams only once it has confirmed that it knows of them; until then it may have
// begun more.
constexpr size_t kMostOpenStreams = 2 * Http2Guard::kMaxStreams;

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

size_t Http2FrameReader::Read(const uint8_t* bytes, size_t count, bool* begins) {
  const size_t payload = std::min(payload_left_, count);
  payload_left_ -= payload;
  const size_t header = std::min(kHeader - header_bytes_, count - payload);
  std::copy_n(bytes + payload, header, header_ + header_bytes_);
  header_bytes_ += header;
  *begins = header_bytes_ == kHeader;
  if (*begins) {
    payload_left_ = frame().length;
    header_bytes_ = 0;
  }
  return payload + header;
}

Http2FrameHeader Http2FrameReader::frame() const {
  Http2FrameHeader frame = {0, header_[3], header_[4], 0};
  for (const size_t at : {0, 1, 2}) frame.length = frame.length << 8 | header_[at];
  for (const size_t at : {5, 6, 7, 8}) frame.stream = frame.stream << 8 | header_[at];
  frame.stream &= ~(uint32_t{1} << 31);  // reserved
  return frame;
}

void Http2FrameReader::ReadAgain() {
  header_bytes_ = kHeader - 1;
  payload_left_ = 0;
}

bool Http2Guard::TakePreface(uint8_t byte) { return byte == static_cast<uint8_t>(kPreface[preface_++]); }

Http2Guard::Verdict Http2Guard::BeginFields(const Http2FrameHeader& frame) {
  has_called_ = true;
  block_bytes_ += frame.length;
  ++block_frames_;
  if (block_bytes_ > max_header_bytes_ || block_frames_ > kMaxBlockFrames) return Verdict::kRefuse;
  if ((frame.flags & kEndHeaders) != 0) block_bytes_ = block_frames_ = 0;
  // Fields at the end of a stream begin none.
  if (frame.type == kHeaders && frame.stream > last_stream_) {
    last_stream_ = frame.stream;
    open_streams_.insert(frame.stream);
  }
  return open_streams_.size() > kMostOpenStreams ? Verdict::kRefuse : Verdict::kGoOn;
}

Http2Guard::Verdict Http2Guard::BeginFrame(const Http2FrameHeader& frame,
                                           TokenBucket::Clock::time_point now) {
  // A block of header fields is in frames that follow each other.
  if ((frame.type == kContinuation) != (block_frames_ != 0)) return Verdict::kRefuse;
  if (frame.type == kReset) {
    if (!all_resets_->HasToken(now) || !resets_.Take(now)) return Verdict::kPause;
    (void)all_resets_->Take(now);
    open_streams_.erase(frame.stream);
  }
  return frame.type == kHeaders || frame.type == kContinuation ? BeginFields(frame) : Verdict::kGoOn;
}

Http2Guard::Verdict Http2Guard::Feed(const uint8_t* bytes, size_t count, TokenBucket::Clock::time_point now,
                                     size_t* passed) {
  for (*passed = 0; *passed < count;) {
    if (preface_ < kPrefaceBytes) {
      if (!TakePreface(bytes[(*passed)++])) return Verdict::kRefuse;
      continue;
    }
    bool begins = false;
    *passed += asked_.Read(bytes + *passed, count - *passed, &begins);
    if (!begins) continue;
    const Verdict verdict = BeginFrame(asked_.frame(), now);
    if (verdict == Verdict::kPause) {
      asked_.ReadAgain();
      --*passed;
    }
    if (verdict != Verdict::kGoOn) return verdict;
  }
  return Verdict::kGoOn;
}

void Http2Guard::FeedAnswers(const uint8_t* bytes, size_t count) {
  for (size_t at = 0; at < count;) {
    bool begins = false;
    at += answered_.Read(bytes + at, count - at, &begins);
    if (!begins) continue;
    const Http2FrameHeader frame = answered_.frame();
    const bool has_end = frame.type == kData || frame.type == kHeaders;
    if (frame.type == kReset || (has_end && (frame.flags & kEndStream) != 0))
      open_streams_.erase(frame.stream);
  }
}

}  // namespace micrort::serve
