#pragma once
// How fast one core reads memory, for comparing against.

#include <cstddef>

namespace micrort::bench {

// A block much larger than the caches.
class Bandwidth {
 public:
  Bandwidth();
  ~Bandwidth();
  Bandwidth(const Bandwidth&) = delete;
  Bandwidth& operator=(const Bandwidth&) = delete;

  // Reads the whole block once and returns its bytes.
  size_t Read();

 private:
  void* block_;
};

}  // namespace micrort::bench
