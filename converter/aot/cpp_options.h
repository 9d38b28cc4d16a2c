#pragma once
// What the C++ of --emit cpp is like.

#include <string>
#include <utility>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::aot {

enum class ThreadPool {
  kNone,    // no code for threads
  kSingle,  // set_thread_pool() is there, and the calling thread computes alone
  kMulti,   // the threads given by set_thread_pool() compute
};

struct CppOptions {
  std::string class_name;         // "ns::inner::Name", "Name"
  bool weights_as_array = false;  // else .incbin
  ThreadPool thread_pool = ThreadPool::kMulti;
  std::vector<int> batches;  // ascending; none: 1, where the batch is open
};

// kInvalidArgument unless it is a class name, with namespaces or without, that the emitted code can have.
Status CheckClassName(const std::string& name);

// Name and content, in the order in which they are written.
using EmittedFiles = std::vector<std::pair<std::string, std::string>>;

}  // namespace micrort::aot
