#pragma once
// Threads that the system does not give (--wrap=pthread_create, see tests/CMakeLists.txt).

#include <cstddef>

namespace micrort::testing {

// While it lives, thread number `fail_at`, counted from 0, and all after it do not start. At most one at a
// time.
class ThreadHook {
 public:
  explicit ThreadHook(size_t fail_at);
  ~ThreadHook();
  ThreadHook(const ThreadHook&) = delete;
  ThreadHook& operator=(const ThreadHook&) = delete;
};

}  // namespace micrort::testing
