#include "tools/io/cpu_list.h"

#include <charconv>

#include "micrort/cpus.h"

namespace micrort::io {
namespace {

constexpr unsigned kLastCpu = 63;

bool ParseCpu(const char** at, const char* end, unsigned* cpu) {
  const auto [next, error] = std::from_chars(*at, end, *cpu);
  *at = next;
  return error == std::errc() && *cpu <= kLastCpu;
}

// "3" or "0-3", up to a comma or the end.
bool ParseRange(const char** at, const char* end, uint64_t* cpus) {
  unsigned first = 0;
  if (!ParseCpu(at, end, &first)) return false;
  unsigned last = first;
  if (*at != end && **at == '-') {
    ++*at;
    if (!ParseCpu(at, end, &last) || last < first) return false;
  }
  for (unsigned cpu = first; cpu <= last; ++cpu) *cpus |= uint64_t{1} << cpu;
  return true;
}

bool ParseRanges(const std::string& text, uint64_t* cpus) {
  const char *at = text.data(), *const end = at + text.size();
  while (ParseRange(&at, end, cpus)) {
    if (at == end) return true;
    if (*at++ != ',') return false;
  }
  return false;
}

}  // namespace

Status ParseCpuList(const std::string& text, uint64_t* cpus) {
  *cpus = 0;
  if (text.empty()) return Status();
  if (text == "big" || text == "little") {
    *cpus = text == "big" ? BigCpus() : LittleCpus();
    if (*cpus != 0) return Status();
    return MICRORT_ERROR(kUnsupported, "--cpus %s: the system does not tell how fast its CPUs are; name some",
                         text.c_str());
  }
  if (ParseRanges(text, cpus)) return Status();
  return MICRORT_ERROR(kInvalidArgument,
                       "--cpus: expected CPUs up to %u such as 0-3,6, big or little; found '%s'", kLastCpu,
                       text.c_str());
}

}  // namespace micrort::io
