#include "runtime/plan/order_search.h"

#include <algorithm>

namespace micrort {

namespace {

// Placing n buffers takes n * n steps: above this number one order must do.
constexpr size_t kManyBuffers = 8192;

double Lifetime(const PlanItem& b) { return static_cast<double>(b.last_op) - b.first_op + 1; }
double BySize(const PlanItem& b) { return static_cast<double>(b.bytes); }
double ByArea(const PlanItem& b) { return static_cast<double>(b.bytes) * Lifetime(b); }
double ByLifetime(const PlanItem& b) { return Lifetime(b); }
double ByTime(const PlanItem& b) { return -static_cast<double>(b.first_op); }

}  // namespace

Status OrderSearch::Init() {
  MICRORT_RETURN_IF_ERROR(placement_.Init());
  MICRORT_RETURN_IF_ERROR(best_order_.Allocate(buffers_.size()));
  MICRORT_RETURN_IF_ERROR(order_.Allocate(buffers_.size()));
  MICRORT_RETURN_IF_ERROR(offsets_.Allocate(buffers_.size()));
  MICRORT_RETURN_IF_ERROR(weights_.Allocate(buffers_.size()));
  for (size_t i = 0; i < buffers_.size(); ++i) order_[i] = static_cast<int32_t>(i);
  const auto fixed = [this](int32_t i) { return buffers_[static_cast<size_t>(i)].fixed_offset != kNoOffset; };
  fixed_count_ = static_cast<size_t>(std::partition(order_.begin(), order_.end(), fixed) - order_.begin());
  return Status();
}

void OrderSearch::TryFixedOrders() {
  TryOrderBy(BySize);
  if (buffers_.size() > kManyBuffers) return;
  TryOrderBy(ByArea);
  TryOrderBy(ByLifetime);
  TryOrderBy(ByTime);
}

void OrderSearch::TryOrderBy(Weight weight) {
  if (arena_bytes_ == lower_bound_) return;
  for (size_t i = 0; i < buffers_.size(); ++i) weights_[i] = weight(buffers_[i]);
  TryOrderOfWeights();
}

// Whatever is placed before a buffer ended below it there, and so it does here where no buffer has grown.
void OrderSearch::TryOrderOf(Span<const size_t> offsets) {
  for (size_t i = 0; i < buffers_.size(); ++i) weights_[i] = -static_cast<double>(offsets[i]);
  TryOrderOfWeights();
}

// Largest weight first; equal weights by size, then by index, so that the result never depends on the sort.
void OrderSearch::TryOrderOfWeights() {
  std::sort(order_.begin() + fixed_count_, order_.end(), [this](int32_t i, int32_t j) {
    const size_t a = static_cast<size_t>(i), b = static_cast<size_t>(j);
    if (weights_[a] != weights_[b]) return weights_[a] > weights_[b];
    return buffers_[a].bytes != buffers_[b].bytes ? buffers_[a].bytes > buffers_[b].bytes : i < j;
  });
  Try();
}

void OrderSearch::Try() {
  const size_t bytes = placement_.Place(order_, arena_bytes_);
  if (bytes == SIZE_MAX) return;
  arena_bytes_ = bytes;
  std::copy(order_.begin(), order_.end(), best_order_.begin());
  for (size_t i = 0; i < buffers_.size(); ++i) offsets_[i] = placement_.offset(i);
}

void OrderSearch::Improve(int steps) {
  if (buffers_.size() - fixed_count_ < 2) return;
  for (int step = 0; step < steps && arena_bytes_ > lower_bound_; ++step) {
    std::copy(best_order_.begin(), best_order_.end(), order_.begin());
    ChangeOrder();
    Try();
  }
}

// Half of the time a buffer at the top of the arena goes to an earlier turn, where it finds a lower place;
// else any buffer goes anywhere.
void OrderSearch::ChangeOrder() {
  int32_t* const first = order_.begin() + fixed_count_;
  const size_t n = order_.size() - fixed_count_;
  size_t from = Random(n);
  size_t to = Random(n);
  if (Random(2) == 0) {
    const auto at_top = [this](int32_t i) {
      const size_t b = static_cast<size_t>(i);
      return offsets_[b] + buffers_[b].bytes == arena_bytes_;
    };
    const int32_t* const top = std::find_if(first, first + n, at_top);
    if (top != first + n) from = static_cast<size_t>(top - first);
    to = Random(from + 1);
  }
  if (to < from) {
    std::rotate(first + to, first + from, first + from + 1);
  } else {
    std::rotate(first + from, first + from + 1, first + to + 1);
  }
}

// xorshift64*: the same numbers on every machine.
size_t OrderSearch::Random(size_t n) {
  random_state_ ^= random_state_ >> 12;
  random_state_ ^= random_state_ << 25;
  random_state_ ^= random_state_ >> 27;
  return static_cast<size_t>((random_state_ * 0x2545f4914f6cdd1du) >> 33) % n;
}

}  // namespace micrort
