#pragma once
// A bound of what the decoder of pictures makes of a stream that says nothing of its size.

#include <cstddef>

namespace micrort::io {

// While it lives, no block that this thread's decoder makes larger has more bytes than that.
class StbLimit {
 public:
  explicit StbLimit(size_t most_bytes);
  ~StbLimit();
  StbLimit(const StbLimit&) = delete;
  StbLimit& operator=(const StbLimit&) = delete;
};

}  // namespace micrort::io
