#include "serve/protocol/byte_budget.h"

#include <utility>

namespace micrort::serve {

ByteBudget::Share::Share(Share&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

ByteBudget::Share& ByteBudget::Share::operator=(Share&& other) noexcept {
  if (this != &other) {
    Release();
    budget_ = std::exchange(other.budget_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

void ByteBudget::Share::Release() {
  if (budget_ != nullptr) budget_->taken_ -= bytes_;
  budget_ = nullptr;
  bytes_ = 0;
}

Error ByteBudget::Take(size_t bytes, Share* share) {
  const size_t limit = share->bytes_ + bytes > kSmall ? most_ - most_ / 8 : most_;
  if (bytes > limit || share->bytes_ > limit - bytes) {
    return {ErrorKind::kTooLarge, "the request and its answer take more than the " + std::to_string(most_) +
                                      " bytes of all requests (--max-request-memory)"};
  }
  size_t taken = taken_;
  do {
    if (taken > limit || bytes > limit - taken)
      return {ErrorKind::kUnavailable, "other requests take the memory of the server (--max-request-memory)"};
  } while (!taken_.compare_exchange_weak(taken, taken + bytes));
  share->budget_ = this;
  share->bytes_ += bytes;
  return {};
}

}  // namespace micrort::serve
