#include "tests/runtime/thread_hook.h"

#include <pthread.h>

#include <atomic>
#include <cerrno>

namespace micrort::testing {
namespace {

constexpr size_t kAll = ~size_t{0};
std::atomic<size_t> left{kAll};

bool MayStart() {
  if (left == kAll) return true;
  if (left == 0) return false;
  --left;
  return true;
}

}  // namespace

ThreadHook::ThreadHook(size_t fail_at) { left = fail_at; }
ThreadHook::~ThreadHook() { left = kAll; }

}  // namespace micrort::testing

extern "C" {

int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                          void* argument);

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                          void* argument) {
  return micrort::testing::MayStart() ? __real_pthread_create(thread, attributes, start, argument) : EAGAIN;
}

}  // extern "C"
