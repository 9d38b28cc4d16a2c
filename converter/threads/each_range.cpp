#include "converter/threads/each_range.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace micrort::threads {
namespace {

// More would share the memory's bandwidth.
constexpr size_t kMostThreads = 16;
// To start and end a thread takes the time of a tenth of this.
constexpr double kWorkOfThread = 1e6;
// A thread that starts late, or shares its processor, leaves ranges to the others.
constexpr size_t kRangesPerThread = 8;

size_t ThreadsFor(size_t n, double work) {
  const double paid = std::min(work * static_cast<double>(n) / kWorkOfThread, double{kMostThreads});
  const size_t processors = std::min<size_t>(std::thread::hardware_concurrency(), kMostThreads);
  return std::max<size_t>(1, std::min({static_cast<size_t>(paid), processors, n}));
}

class Ranges {
 public:
  Ranges(size_t n, size_t count, RangeFn f, void* context)
      : n_(n), count_(std::min(n, count)), f_(f), context_(context) {}

  // Until none is left. An exception ends this thread's share, and is the first thing that Rethrow knows of.
  void Run() noexcept {
    try {
      for (size_t i = 0; (i = next_.fetch_add(1)) < count_;)
        f_(context_, i * n_ / count_, (i + 1) * n_ / count_);
    } catch (...) {
      next_.store(count_);
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }

  // After all threads have ended.
  void Rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  const size_t n_, count_;
  const RangeFn f_;
  void* const context_;
  std::atomic<size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

}  // namespace

void RunRanges(size_t n, int64_t work, RangeFn f, void* context) {
  if (n == 0) return;
  const size_t threads = ThreadsFor(n, static_cast<double>(work));
  if (threads == 1) return f(context, 0, n);
  Ranges ranges(n, threads * kRangesPerThread, f, context);
  std::vector<std::thread> others;
  others.reserve(threads - 1);
  try {
    while (others.size() + 1 < threads) others.emplace_back([&ranges] { ranges.Run(); });
  } catch (const std::system_error&) {
    // Those that the system gives do it all.
  }
  ranges.Run();
  for (std::thread& other : others) other.join();
  ranges.Rethrow();
}

}  // namespace micrort::threads
