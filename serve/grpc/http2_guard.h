#pragma once
// What a client may send before gRPC knows a call and its key. gRPC's own limits compare sizes of what it has
// kept already, and count streams that the client itself ended as none.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

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

struct Http2FrameHeader {
  size_t length;  // of what follows its header
  uint8_t type, flags;
  uint32_t stream;
};

// Finds the headers of frames in what one side sends (RFC 9113).
class Http2FrameReader {
 public:
  // Returns how many bytes were read: at most to the end of a header. `begins`: that is where they end.
  size_t Read(const uint8_t* bytes, size_t count, bool* begins);
  // The one that has begun.
  Http2FrameHeader frame() const;
  // The last byte of its header is read again.
  void ReadAgain();

 private:
  static constexpr size_t kHeader = 9;

  uint8_t header_[kHeader] = {};
  size_t header_bytes_ = 0;  // that were read
  size_t payload_left_ = 0;
};

// Follows what a client sends, and what it is answered.
class Http2Guard {
 public:
  // Calls of one connection at once; clients wait with more.
  static constexpr int kMaxStreams = 256;

  enum class Verdict { kGoOn, kPause, kRefuse };

  // `all_resets` are those of all clients, and outlive the guard.
  Http2Guard(size_t max_header_bytes, TokenBucket* all_resets)
      : max_header_bytes_(max_header_bytes), all_resets_(all_resets) {}

  // Looks at what comes next. `passed` is how many bytes may go on: all, or those before what has to wait
  // (kPause: it is to be fed again a moment later), or none that matters (kRefuse: no client of good will
  // sends this).
  Verdict Feed(const uint8_t* bytes, size_t count, TokenBucket::Clock::time_point now, size_t* passed);
  // Takes the bytes that gRPC sends back, in order.
  void FeedAnswers(const uint8_t* bytes, size_t count);
  // Whether it has begun a call.
  bool has_called() const { return has_called_; }

 private:
  bool TakePreface(uint8_t byte);
  Verdict BeginFrame(const Http2FrameHeader& frame, TokenBucket::Clock::time_point now);
  Verdict BeginFields(const Http2FrameHeader& frame);

  const size_t max_header_bytes_;
  TokenBucket* const all_resets_;
  TokenBucket resets_{100, 100};
  size_t preface_ = 0;  // bytes of it that were seen
  Http2FrameReader asked_, answered_;
  size_t block_bytes_ = 0;   // of a block of header fields
  size_t block_frames_ = 0;  // 0: there is none that goes on
  uint32_t last_stream_ = 0;
  std::unordered_set<uint32_t> open_streams_;
  bool has_called_ = false;
};

}  // namespace micrort::serve
