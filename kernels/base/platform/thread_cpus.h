#pragma once
// On which CPUs the calling thread may run, where the system lets programs decide.

#include <cstdint>

namespace micrort {

// Bit i of word i / 64 for the system's CPU i; as many as Linux's interface has.
struct CpuSet {
  static constexpr int kWords = 16, kMost = 64 * kWords;
  uint64_t words[kWords] = {};
};

// The functions below return 0 on success, this value where the system does not bind threads, and otherwise
// the system's error.
constexpr int kCannotBindThreads = -1;

int GetThreadCpus(CpuSet* cpus);
int SetThreadCpus(const CpuSet& cpus);

}  // namespace micrort
