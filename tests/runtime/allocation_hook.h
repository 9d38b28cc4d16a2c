#pragma once
// Watches the memory that the test program asks for: operator new in all forms, malloc, calloc, realloc,
// aligned allocation, and what is mapped.

#include <cstddef>

namespace micrort::testing {

// While it lives, allocations of all threads are counted. At most one at a time.
class AllocationHook {
 public:
  static constexpr size_t kNever = ~size_t{0};
  // Allocation number `fail_at`, counted from 0, and all after it fail.
  explicit AllocationHook(size_t fail_at = kNever);
  ~AllocationHook();
  AllocationHook(const AllocationHook&) = delete;
  AllocationHook& operator=(const AllocationHook&) = delete;

  static size_t count();
};

}  // namespace micrort::testing
