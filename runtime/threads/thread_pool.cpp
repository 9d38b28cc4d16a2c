#include "runtime/threads/thread_pool.h"

#if MICRORT_THREADS

#include <algorithm>

namespace micrort {

namespace {

// Some tens of microseconds: longer than the gap between two operators, shorter than anybody notices in a
// battery.
constexpr int kSpins = 2000;
constexpr uint64_t kTileMask = 0xffffffffu;
constexpr int kJobShift = 32;
constexpr size_t kMaxTilesAJob = size_t{1} << 30;

inline void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  asm volatile("yield");
#endif
}

}  // namespace

Status ThreadPool::Start(int threads) {
  MICRORT_RETURN_IF_ERROR(threads_.Allocate(static_cast<size_t>(threads) - 1));
  for (size_t i = 0; i < threads_.size(); ++i) {
    threads_[i].pool = this;
    threads_[i].index = static_cast<int>(i) + 1;
    const int error = pthread_create(&threads_[i].thread, nullptr, WorkerMain, &threads_[i]);
    if (error != 0) {
      return MICRORT_ERROR(kOutOfMemory, "cannot start thread %zu of %d (error %d)", i + 2, threads, error);
    }
    threads_[i].started = true;
  }
  return Status();
}

ThreadPool::~ThreadPool() {
  stop_.store(true);
  mutex_.Lock();
  work_.SignalAll();
  mutex_.Unlock();
  for (Worker& worker : threads_) {
    if (worker.started) pthread_join(worker.thread, nullptr);
  }
}

void ThreadPool::Run(size_t tiles, TileFn fn, void* context) const {
  if (tiles <= 1 || threads_.empty()) return Sequential().Run(tiles, fn, context);
  for (size_t first = 0; first < tiles; first += kMaxTilesAJob) {
    RunJob({fn, context, first, static_cast<uint32_t>(std::min(tiles - first, kMaxTilesAJob))});
  }
}

void ThreadPool::RunJob(const Job& job) const {
  job_ = job;
  unfinished_.store(job.tiles, std::memory_order_relaxed);
  const uint64_t number = (tickets_.load(std::memory_order_relaxed) >> kJobShift) + 1;
  // Sequentially consistent, as is the count of sleepers: either they see the tickets or we see them.
  tickets_.store((number << kJobShift) | job.tiles);
  if (sleepers_.load() != 0) {
    MutexLock lock(mutex_);
    work_.SignalAll();
  }
  while (RunTile(0)) {
  }
  for (int spin = 0; spin < kSpins && unfinished_.load(std::memory_order_acquire) != 0; ++spin) Pause();
  if (unfinished_.load(std::memory_order_acquire) == 0) return;
  MutexLock lock(mutex_);
  while (unfinished_.load(std::memory_order_acquire) != 0) done_.Wait(mutex_);
}

bool ThreadPool::RunTile(int worker) const {
  uint64_t tickets = tickets_.load(std::memory_order_acquire);
  do {
    if ((tickets & kTileMask) == 0) return false;
  } while (!tickets_.compare_exchange_weak(tickets, tickets - 1, std::memory_order_acq_rel,
                                           std::memory_order_acquire));
  const Job job = job_;
  const size_t left = static_cast<size_t>(tickets & kTileMask);
  job.fn(job.context, job.first_tile + job.tiles - left, worker);
  if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1 && worker != 0) {
    MutexLock lock(mutex_);
    done_.SignalAll();
  }
  return true;
}

void ThreadPool::WaitForWork() {
  const auto idle = [this] { return (tickets_.load() & kTileMask) == 0 && !stop_.load(); };
  for (int spin = 0; spin < kSpins && idle(); ++spin) Pause();
  if (!idle()) return;
  MutexLock lock(mutex_);
  sleepers_.fetch_add(1);
  while (idle()) work_.Wait(mutex_);
  sleepers_.fetch_sub(1);
}

void* ThreadPool::WorkerMain(void* argument) {
  Worker& worker = *static_cast<Worker*>(argument);
  while (!worker.pool->stop_.load()) {
    if (!worker.pool->RunTile(worker.index)) worker.pool->WaitForWork();
  }
  return nullptr;
}

}  // namespace micrort

#endif
