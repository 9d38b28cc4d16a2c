#pragma once
// The workers of one interpreter.

#include <atomic>
#include <cstdint>

#include "kernels/base/fixed_array.h"
#include "kernels/base/parallel.h"
#include "kernels/base/platform/threads.h"
#include "kernels/base/status.h"
#include "runtime/threads/stop_signal.h"

namespace micrort {

constexpr int kMaxThreads = 64;

#if MICRORT_THREADS

// The calling thread takes part as worker 0. Each worker has an equal run of neighbouring tiles, the same one
// in every job of so many tiles: what it wrote as a part of an image, it mostly reads from its own cache in
// the next layer. A worker that is done takes single tiles from the ends of the others' runs, so that a slow
// core does fewer. (Scheduling as in the library pthreadpool.) Waiting threads spin for some microseconds,
// unless they are not to, then sleep. Run() is called by one thread at a time and allocates nothing.
class ThreadPool final : public Parallel {
 public:
  // The workers that a pool started with so many threads has.
  static int WorkersOf(int threads) { return threads; }

  ThreadPool() = default;
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Once, with 1..kMaxThreads threads, the caller's included, of which the others run on `cpus`
  // (micrort/cpus.h); 0: as the system decides. kOutOfMemory if the system gives no more threads; errors of
  // BindThread().
  Status Start(int threads, uint64_t cpus = 0);
  // Before Start(): whether threads that wait spin before they sleep.
  void SetSpin(bool spin) { spins_ = spin ? kSpins : 0; }

  int workers() const override { return static_cast<int>(threads_.size()) + 1; }
  void Run(size_t tiles, TileFn fn, void* context) const override;
  // Before Start(): tiles are skipped as long as this is stopped.
  void EndEarly(const StopSignal* stop) { stop_signal_ = stop; }

 private:
  // Some tens of microseconds: longer than the gap between two operators, shorter than anybody notices in a
  // battery.
  static constexpr int kSpins = 2000;
  static constexpr size_t kCacheLine = 64;
  enum class Side { kFront, kBack };

  struct Job {
    TileFn fn = nullptr;
    void* context = nullptr;
    size_t first_tile = 0;
    uint32_t tiles = 0;
  };
  // The tiles of a job that a worker's run still has: the job's number in the upper half, then its first
  // tile, then its end. Whoever takes a tile may read `job`, which stays as it is until that tile is counted
  // as done. It is beside its tiles, a copy for each worker, so that one cache line hands over both.
  struct alignas(kCacheLine) TileRange {
    mutable std::atomic<uint64_t> left{0};
    mutable Job job;
  };
  struct Worker {
    ThreadPool* pool = nullptr;
    int index = 0;
    Thread thread{};
    bool started = false;
  };
  void RunJob(const Job& job) const;
  void Publish(const Job& job) const;
  // Takes tiles from a side of a range until it has none; returns how many these were.
  uint32_t RunTilesOf(const TileRange& range, Side side, int worker) const;
  // Takes a tile; false if the range has none.
  static bool Take(std::atomic<uint64_t>& left, Side side, size_t* tile);
  // All tiles of the worker's own run, then those that others have left; returns how many these were.
  uint32_t RunTiles(int worker) const;
  // Until no tile is left; counts them as done.
  void RunShare(int worker) const;
  void WaitForWork(int worker);
  static void* WorkerMain(void* argument);

  // What every tile or every wait reads, and nearly nothing writes.
  FixedArray<TileRange> ranges_;  // of all workers, the caller's first
  FixedArray<Worker> threads_;
  const StopSignal* stop_signal_ = nullptr;
  int spins_ = kSpins;
  std::atomic<bool> stop_{false};
  mutable std::atomic<bool> caller_sleeps_{false};
  mutable std::atomic<int> sleepers_{0};
  mutable Mutex mutex_;
  mutable Condition work_;  // a run or stop_ changed
  mutable Condition done_;  // unfinished_ became 0
  // Written in every job: on a line of its own, or threads that wait would slow those that work.
  [[maybe_unused]] uint8_t before_[kCacheLine] = {};
  mutable uint32_t job_number_ = 0;
  mutable std::atomic<uint32_t> unfinished_{0};  // tiles of the current job that are not counted as done
  [[maybe_unused]] uint8_t after_[kCacheLine] = {};
};

#else

// A build without threads computes everything on the calling thread.
class ThreadPool final : public Parallel {
 public:
  static int WorkersOf(int) { return 1; }
  Status Start(int, uint64_t = 0) { return Status(); }
  void SetSpin(bool) {}
  int workers() const override { return 1; }
  void Run(size_t tiles, TileFn fn, void* context) const override {
    SequentialUntilStopped(stop_signal_).Run(tiles, fn, context);
  }
  void EndEarly(const StopSignal* stop) { stop_signal_ = stop; }

 private:
  const StopSignal* stop_signal_ = nullptr;
};

#endif

}  // namespace micrort
