#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "kernels/base/platform/cpu_speed.h"

namespace micrort {

namespace {

constexpr int kMostCpus = 64;

// 0: not there.
uint64_t ReadNumber(const char* folder, int cpu, const char* name) {
  char path[256], text[32] = {};
  const int length = std::snprintf(path, sizeof path, "%s/cpu%d/%s", folder, cpu, name);
  if (length < 0 || static_cast<size_t>(length) >= sizeof path) return 0;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  return bytes <= 0 ? 0 : std::strtoull(text, nullptr, 10);
}

// One measure for all: capacities of some and clocks of others do not compare.
bool ReadSpeeds(const char* folder, const char* name, uint64_t allowed, uint64_t* speeds) {
  for (int i = 0; i < kMostCpus; ++i) {
    speeds[i] = (allowed >> i & 1) == 0 ? 0 : ReadNumber(folder, i, name);
    if ((allowed >> i & 1) != 0 && speeds[i] == 0) return false;
  }
  return true;
}

}  // namespace

uint64_t CpusOfSpeed(CpuSpeed speed, const char* folder, uint64_t allowed) {
  uint64_t speeds[kMostCpus];
  if (!ReadSpeeds(folder, "cpu_capacity", allowed, speeds) &&
      !ReadSpeeds(folder, "cpufreq/cpuinfo_max_freq", allowed, speeds))
    return 0;
  uint64_t fastest = 0, slowest = UINT64_MAX;
  for (int i = 0; i < kMostCpus; ++i) {
    if (speeds[i] == 0) continue;
    fastest = speeds[i] > fastest ? speeds[i] : fastest;
    slowest = speeds[i] < slowest ? speeds[i] : slowest;
  }
  if (fastest == slowest) return allowed;
  uint64_t cpus = 0;
  for (int i = 0; i < kMostCpus; ++i) {
    if (speeds[i] == 0) continue;
    const bool is_big = speeds[i] - slowest >= fastest - speeds[i];
    cpus |= uint64_t{is_big == (speed == CpuSpeed::kBig)} << i;
  }
  return cpus;
}

uint64_t BigCpusFor(int threads, const char* folder, uint64_t allowed) {
  const uint64_t big = CpusOfSpeed(CpuSpeed::kBig, folder, allowed);
  return big != allowed && __builtin_popcountll(big) >= threads ? big : 0;
}

}  // namespace micrort
