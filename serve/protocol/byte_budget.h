#pragma once
// Memory that all requests of a server share: what they send, what is made of it, and their answers.

#include <atomic>
#include <cstddef>

#include "serve/protocol/error.h"

namespace micrort::serve {

class ByteBudget {
 public:
  // Bytes that were taken, given back at the end of the object's life.
  class Share {
   public:
    Share() = default;
    Share(Share&& other) noexcept;
    Share& operator=(Share&& other) noexcept;
    ~Share() { Release(); }

    size_t bytes() const { return bytes_; }
    void Release();

   private:
    friend class ByteBudget;
    ByteBudget* budget_ = nullptr;
    size_t bytes_ = 0;
  };

  explicit ByteBudget(size_t most) : most_(most) {}

  // Adds to `share`, whose bytes are all of this budget. kTooLarge: more than all there is; kUnavailable:
  // others have taken too much of it. Shares of more than kSmall leave an eighth to the small ones, so that
  // many large requests do not keep small ones from being answered.
  Error Take(size_t bytes, Share* share);
  size_t taken() const { return taken_; }
  size_t most() const { return most_; }

  static constexpr size_t kSmall = size_t{1} << 20;

 private:
  const size_t most_;
  std::atomic<size_t> taken_{0};
};

}  // namespace micrort::serve
