#include "kernels/base/platform/threads.h"

#if MICRORT_THREADS

#include <cerrno>

namespace micrort {
namespace {

constexpr int kMaxWorkers = 63;  // with the page's own thread, kMaxThreads

enum : uint32_t { kAbsent, kIdle, kReserved, kStarted };

struct WebWorker {
  Futex state{kAbsent};
  void* (*start)(void*) = nullptr;
  void* argument = nullptr;
};

WebWorker web_workers[kMaxWorkers];
std::atomic<int> web_worker_count{0};

}  // namespace

int StartThread(Thread* thread, void* (*start)(void*), void* argument) {
  for (int i = 0; i < kMaxWorkers; ++i) {
    WebWorker& worker = web_workers[i];
    uint32_t state = kIdle;
    if (!worker.state.compare_exchange_strong(state, kReserved)) continue;
    worker.start = start;
    worker.argument = argument;
    worker.state.store(kStarted);
    micrort_web_wake(&worker.state);
    *thread = i;
    return 0;
  }
  return EAGAIN;
}

void JoinThread(Thread thread) {
  const Futex& state = web_workers[thread].state;
  while (state.load() == kStarted) micrort_web_wait(&state, kStarted);
}

}  // namespace micrort

extern "C" {

// A new web worker's place, or -1. It waits from now on, which the page may rely on, and then runs
// micrort_web_worker() all its life.
int micrort_web_add_worker() {
  const int place = micrort::web_worker_count.fetch_add(1);
  if (place >= micrort::kMaxWorkers) return -1;
  micrort::web_workers[place].state.store(micrort::kIdle);
  return place;
}

void micrort_web_worker(int place) {
  micrort::WebWorker& worker = micrort::web_workers[place];
  for (;;) {
    for (uint32_t state; (state = worker.state.load()) != micrort::kStarted;)
      micrort_web_wait(&worker.state, state);
    worker.start(worker.argument);
    worker.state.store(micrort::kIdle);
    micrort_web_wake(&worker.state);
  }
}

int micrort_web_idle_workers() {
  int idle = 0;
  for (const micrort::WebWorker& worker : micrort::web_workers)
    idle += worker.state.load() == micrort::kIdle ? 1 : 0;
  return idle;
}

}  // extern "C"

#endif
