#pragma once
// The workers of one interpreter.

#include <atomic>
#include <cstdint>

#include "kernels/base/fixed_array.h"
#include "kernels/base/parallel.h"
#include "kernels/base/status.h"
#include "runtime/threads/mutex.h"

namespace micrort {

constexpr int kMaxThreads = 64;

#if MICRORT_THREADS

// The calling thread takes part as worker 0. Tiles are handed out one by one, so that a slow core takes
// fewer. Waiting threads spin for some microseconds, then sleep. Run() is called by one thread at a time and
// allocates nothing.
class ThreadPool final : public Parallel {
 public:
  // The workers that a pool started with so many threads has.
  static int WorkersOf(int threads) { return threads; }

  ThreadPool() = default;
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Once, with 1..kMaxThreads threads, the caller's included. kOutOfMemory if the system gives no more
  // threads.
  Status Start(int threads);

  int workers() const override { return static_cast<int>(threads_.size()) + 1; }
  void Run(size_t tiles, TileFn fn, void* context) const override;

 private:
  struct Job {
    TileFn fn = nullptr;
    void* context = nullptr;
    size_t first_tile = 0;
    uint32_t tiles = 0;
  };
  struct Worker {
    ThreadPool* pool = nullptr;
    int index = 0;
    pthread_t thread{};
    bool started = false;
  };
  void RunJob(const Job& job) const;
  // Takes one tile of the job in hand; false if none is left.
  bool RunTile(int worker) const;
  void WaitForWork();
  static void* WorkerMain(void* argument);

  // Tickets of the current job: its number in the upper half, tiles not handed out in the lower. Whoever
  // takes a ticket may read job_, which stays as it is until that tile is done.
  mutable std::atomic<uint64_t> tickets_{0};
  mutable std::atomic<uint32_t> unfinished_{0};  // tiles of the current job that are not done
  mutable std::atomic<int> sleepers_{0};
  std::atomic<bool> stop_{false};
  mutable Job job_;
  mutable Mutex mutex_;
  mutable Condition work_;  // tickets_ or stop_ changed
  mutable Condition done_;  // unfinished_ became 0
  FixedArray<Worker> threads_;
};

#else

// A build without threads computes everything on the calling thread.
class ThreadPool final : public Parallel {
 public:
  static int WorkersOf(int) { return 1; }
  Status Start(int) { return Status(); }
  int workers() const override { return 1; }
  void Run(size_t tiles, TileFn fn, void* context) const override { Sequential().Run(tiles, fn, context); }
};

#endif

}  // namespace micrort
