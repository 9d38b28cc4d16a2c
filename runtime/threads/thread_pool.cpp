#include "runtime/threads/thread_pool.h"

#if MICRORT_THREADS

#include <algorithm>

#include "runtime/threads/affinity.h"

namespace micrort {

namespace {

constexpr int kJobShift = 32, kFirstShift = 16;
constexpr uint64_t kTileMask = 0xffff;
constexpr size_t kMaxTilesAJob = kTileMask;

uint64_t FirstOf(uint64_t range) { return range >> kFirstShift & kTileMask; }
uint64_t EndOf(uint64_t range) { return range & kTileMask; }
bool IsEmpty(uint64_t range) { return FirstOf(range) == EndOf(range); }

inline void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  asm volatile("yield");
#endif
}

}  // namespace

Status ThreadPool::Start(int threads, uint64_t cpus) {
  MICRORT_RETURN_IF_ERROR(ranges_.Allocate(static_cast<size_t>(threads)));
  MICRORT_RETURN_IF_ERROR(threads_.Allocate(static_cast<size_t>(threads) - 1));
  ScopedBinding binding;
  MICRORT_RETURN_IF_ERROR(binding.Bind(cpus));
  for (size_t i = 0; i < threads_.size(); ++i) {
    threads_[i].pool = this;
    threads_[i].index = static_cast<int>(i) + 1;
    const int error = StartThread(&threads_[i].thread, WorkerMain, &threads_[i]);
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
    if (worker.started) JoinThread(worker.thread);
  }
}

void ThreadPool::Run(size_t tiles, TileFn fn, void* context) const {
  if (tiles <= 1 || threads_.empty()) return SequentialUntilStopped(stop_signal_).Run(tiles, fn, context);
  for (size_t first = 0; first < tiles; first += kMaxTilesAJob) {
    RunJob({fn, context, first, static_cast<uint32_t>(std::min(tiles - first, kMaxTilesAJob))});
  }
}

void ThreadPool::RunJob(const Job& job) const {
  Publish(job);
  RunShare(0);
  const auto is_done = [this] { return unfinished_.load() == 0; };
  for (int spin = 0; spin < spins_ && !is_done(); ++spin) Pause();
  if (is_done()) return;
  MutexLock lock(mutex_);
  caller_sleeps_.store(true);
  while (!is_done()) done_.Wait(mutex_);
  caller_sleeps_.store(false);
}

void ThreadPool::Publish(const Job& job) const {
  unfinished_.store(job.tiles, std::memory_order_relaxed);
  const uint64_t number = uint64_t{++job_number_} << kJobShift;
  const auto workers = static_cast<uint32_t>(ranges_.size());
  for (uint32_t w = 0, first = 0, end = 0; w < workers; ++w, first = end) {
    end = job.tiles * (w + 1) / workers;
    if (first == end) continue;
    ranges_[w].job = job;
    // Sequentially consistent, as is the count of sleepers: either they see their tiles or we see them.
    ranges_[w].left.store(number | uint64_t{first} << kFirstShift | end);
  }
  if (sleepers_.load() == 0) return;
  MutexLock lock(mutex_);
  work_.SignalAll();
}

bool ThreadPool::Take(std::atomic<uint64_t>& left, Side side, size_t* tile) {
  uint64_t range = left.load(std::memory_order_acquire), rest = 0;
  do {
    if (IsEmpty(range)) return false;
    rest = side == Side::kFront ? range + (uint64_t{1} << kFirstShift) : range - 1;
  } while (!left.compare_exchange_weak(range, rest, std::memory_order_acq_rel, std::memory_order_acquire));
  *tile = static_cast<size_t>(side == Side::kFront ? FirstOf(range) : EndOf(rest));
  return true;
}

uint32_t ThreadPool::RunTilesOf(const TileRange& range, Side side, int worker) const {
  uint32_t done = 0;
  for (size_t tile = 0; Take(range.left, side, &tile); ++done) {
    const bool skips = stop_signal_ != nullptr && stop_signal_->stopped();
    if (!skips) range.job.fn(range.job.context, range.job.first_tile + tile, worker);
  }
  return done;
}

uint32_t ThreadPool::RunTiles(int worker) const {
  const auto own = static_cast<size_t>(worker);
  uint32_t done = RunTilesOf(ranges_[own], Side::kFront, worker);
  for (size_t i = 1; i < ranges_.size(); ++i) {
    done += RunTilesOf(ranges_[(own + i) % ranges_.size()], Side::kBack, worker);
  }
  return done;
}

void ThreadPool::RunShare(int worker) const {
  // Counted at once: until then, this is the job in hand.
  const uint32_t done = RunTiles(worker);
  if (done == 0 || unfinished_.fetch_sub(done) != done || !caller_sleeps_.load()) return;
  MutexLock lock(mutex_);
  done_.SignalAll();
}

void ThreadPool::WaitForWork(int worker) {
  const std::atomic<uint64_t>& own = ranges_[static_cast<size_t>(worker)].left;
  const auto idle = [&] { return IsEmpty(own.load()) && !stop_.load(); };
  for (int spin = 0; spin < spins_ && idle(); ++spin) Pause();
  if (!idle()) return;
  MutexLock lock(mutex_);
  sleepers_.fetch_add(1);
  while (idle()) work_.Wait(mutex_);
  sleepers_.fetch_sub(1);
}

void* ThreadPool::WorkerMain(void* argument) {
  Worker& worker = *static_cast<Worker*>(argument);
  while (!worker.pool->stop_.load()) {
    worker.pool->RunShare(worker.index);
    worker.pool->WaitForWork(worker.index);
  }
  return nullptr;
}

}  // namespace micrort

#endif
