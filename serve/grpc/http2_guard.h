#pragma once
// What a client may send before gRPC knows a call and its key. gRPC's own limits compare sizes of what it has
// kept already, and count streams that the client itself ended as none.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace micrort::serve {

// So many at once, and so many a second.
class TokenBucket {
 public:
  using Clock = std::chrono::steady_clock;

  TokenBucket(double most, double per_second) : most_(most), per_second_(per_second), tokens_(most) {}

  // False if there is none.
  bool Take(Clock::time_point now);
  bool HasToken(Clock::time_point now);

 private:
  const double most_, per_second_;
  double tokens_;
  Clock::time_point filled_{};
};

// Follows the frames that a client sends over HTTP/2 (RFC 9113).
class Http2Guard {
 public:
  enum class Verdict { kGoOn, kPause, kRefuse };

  // `all_resets` are those of all clients, and outlive the guard.
  Http2Guard(size_t max_header_bytes, TokenBucket* all_resets)
      : max_header_bytes_(max_header_bytes), all_resets_(all_resets) {}

  // Looks at what comes next. `passed` is how many bytes may go on: all, or those before what has to wait
  // (kPause: it is to be fed again a moment later), or none that matters (kRefuse: no client of good will
  // sends this).
  Verdict Feed(const uint8_t* bytes, size_t count, TokenBucket::Clock::time_point now, size_t* passed);
  // Whether it has begun a call.
  bool has_called() const { return has_called_; }

 private:
  static constexpr size_t kFrameHeader = 9;

  bool TakePreface(uint8_t byte);
  Verdict BeginFrame(TokenBucket::Clock::time_point now);

  const size_t max_header_bytes_;
  TokenBucket* const all_resets_;
  TokenBucket resets_{100, 100};
  size_t preface_ = 0;  // bytes of it that were seen
  uint8_t header_[kFrameHeader] = {};
  size_t header_bytes_ = 0;  // of the next frame that were seen
  size_t payload_left_ = 0;  // of the frame
  size_t block_bytes_ = 0;   // of a block of header fields
  size_t block_frames_ = 0;  // 0: there is none that goes on
  bool has_called_ = false;
};

}  // namespace micrort::serve
