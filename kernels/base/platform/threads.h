#pragma once
// Threads and mutexes that need no exceptions, and nothing at all in a build without threads. They are
// POSIX's, which mingw-w64 has for Windows, too; WebAssembly has its own.

#if MICRORT_THREADS && defined(__wasm__)
#include "kernels/base/platform/threads_wasm.h"
#elif MICRORT_THREADS
#include <pthread.h>
#if defined(__APPLE__)
#include <pthread/qos.h>
#endif
#endif

namespace micrort {

#if MICRORT_THREADS && defined(__wasm__)
#elif MICRORT_THREADS
class Mutex {
 public:
  Mutex() = default;
  ~Mutex() { pthread_mutex_destroy(&mutex_); }
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  void Lock() { pthread_mutex_lock(&mutex_); }
  void Unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  friend class Condition;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

class Condition {
 public:
  Condition() = default;
  ~Condition() { pthread_cond_destroy(&condition_); }
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;
  // The caller holds the mutex. May return without a signal.
  void Wait(Mutex& mutex) { pthread_cond_wait(&condition_, &mutex.mutex_); }
  void SignalAll() { pthread_cond_broadcast(&condition_); }

 private:
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
};

using Thread = pthread_t;

// 0, or the system's error. The thread may run where its maker may.
#if defined(__APPLE__)
// Apple's systems choose cores by how urgent work is: somebody waits for this.
inline int StartThread(Thread* thread, void* (*start)(void*), void* argument) {
  pthread_attr_t attributes;
  if (const int error = pthread_attr_init(&attributes); error != 0) return error;
  pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_USER_INITIATED, 0);
  const int error = pthread_create(thread, &attributes, start, argument);
  pthread_attr_destroy(&attributes);
  return error;
}
#elif defined(_WIN32)
int StartThread(Thread* thread, void* (*start)(void*), void* argument);  // thread_cpus_windows.cpp
#else
inline int StartThread(Thread* thread, void* (*start)(void*), void* argument) {
  return pthread_create(thread, nullptr, start, argument);
}
#endif
inline void JoinThread(Thread thread) { pthread_join(thread, nullptr); }
#else
class Mutex {
 public:
  void Lock() {}
  void Unlock() {}
};
#endif

class MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace micrort
