#pragma once
// Threads and mutexes of WebAssembly. A thread is a web worker that the page has started before
// (web/load.mjs) and that waits for something to run: a page starts workers between two tasks of its own, not
// within a call.

#include <atomic>
#include <cstdint>

extern "C" {
// The page's (web/load.mjs): sleeps while the word has this value, or returns at once where a thread may not
// sleep, as that of a window.
void micrort_web_wait(const void* word, uint32_t value);
// Wakes all who sleep for it.
void micrort_web_wake(const void* word);
}

namespace micrort {

using Futex = std::atomic<uint32_t>;
static_assert(sizeof(Futex) == sizeof(uint32_t));

class Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  void Lock() {
    uint32_t state = kFree;
    if (state_.compare_exchange_strong(state, kLocked)) return;
    while (state_.exchange(kAwaited) != kFree) micrort_web_wait(&state_, kAwaited);
  }
  void Unlock() {
    if (state_.exchange(kFree) == kAwaited) micrort_web_wake(&state_);
  }

 private:
  enum : uint32_t { kFree, kLocked, kAwaited };
  Futex state_{kFree};
};

class Condition {
 public:
  Condition() = default;
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;
  // The caller holds the mutex. May return without a signal.
  void Wait(Mutex& mutex) {
    const uint32_t seen = signals_.load();
    mutex.Unlock();
    micrort_web_wait(&signals_, seen);
    mutex.Lock();
  }
  void SignalAll() {
    signals_.fetch_add(1);
    micrort_web_wake(&signals_);
  }

 private:
  Futex signals_{0};
};

// A worker's place in the list of all.
using Thread = int;

// EAGAIN if no worker waits.
int StartThread(Thread* thread, void* (*start)(void*), void* argument);
void JoinThread(Thread thread);

}  // namespace micrort
