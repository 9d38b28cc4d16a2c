#include "tools/bench/cores.h"

#include <cpuinfo.h>

#include <cstdio>

namespace micrort {
namespace {

struct NamedCore {
  cpuinfo_uarch type;
  const char* name;
};
constexpr NamedCore kCores[] = {
    {cpuinfo_uarch_cortex_a7, "Cortex-A7"},     {cpuinfo_uarch_cortex_a9, "Cortex-A9"},
    {cpuinfo_uarch_cortex_a15, "Cortex-A15"},   {cpuinfo_uarch_cortex_a17, "Cortex-A17"},
    {cpuinfo_uarch_cortex_a32, "Cortex-A32"},   {cpuinfo_uarch_cortex_a35, "Cortex-A35"},
    {cpuinfo_uarch_cortex_a53, "Cortex-A53"},   {cpuinfo_uarch_cortex_a55r0, "Cortex-A55"},
    {cpuinfo_uarch_cortex_a55, "Cortex-A55"},   {cpuinfo_uarch_cortex_a57, "Cortex-A57"},
    {cpuinfo_uarch_cortex_a65, "Cortex-A65"},   {cpuinfo_uarch_cortex_a72, "Cortex-A72"},
    {cpuinfo_uarch_cortex_a73, "Cortex-A73"},   {cpuinfo_uarch_cortex_a75, "Cortex-A75"},
    {cpuinfo_uarch_cortex_a76, "Cortex-A76"},   {cpuinfo_uarch_cortex_a77, "Cortex-A77"},
    {cpuinfo_uarch_cortex_a78, "Cortex-A78"},   {cpuinfo_uarch_cortex_x1, "Cortex-X1"},
    {cpuinfo_uarch_neoverse_e1, "Neoverse E1"}, {cpuinfo_uarch_neoverse_n1, "Neoverse N1"},
    {cpuinfo_uarch_neoverse_n2, "Neoverse N2"}, {cpuinfo_uarch_neoverse_v1, "Neoverse V1"},
};

std::string NameOf(const cpuinfo_core& core) {
  for (const NamedCore& named : kCores) {
    if (named.type == core.uarch) return named.name;
  }
  if (core.package != nullptr && core.package->name[0] != '\0') return core.package->name;
  char number[32];
  std::snprintf(number, sizeof number, "cpuinfo's type %#x", static_cast<unsigned>(core.uarch));
  return number;
}

uint64_t CacheBytes(const cpuinfo_cache* cache) { return cache == nullptr ? 0 : cache->size; }

CoreType Describe(const cpuinfo_core& core) {
  const cpuinfo_processor& processor = *cpuinfo_get_processor(core.processor_start);
  return {NameOf(core), 1, CacheBytes(processor.cache.l1d), CacheBytes(processor.cache.l2),
          CacheBytes(processor.cache.l3)};
}

bool IsAlike(const CoreType& a, const CoreType& b) {
  return a.name == b.name && a.l1d_bytes == b.l1d_bytes && a.l2_bytes == b.l2_bytes &&
         a.l3_bytes == b.l3_bytes;
}

}  // namespace

std::vector<CoreType> CoreTypes() {
  std::vector<CoreType> types;
  if (!cpuinfo_initialize()) return types;
  for (uint32_t i = 0; i < cpuinfo_get_cores_count(); ++i) {
    const CoreType core = Describe(*cpuinfo_get_core(i));
    if (!types.empty() && IsAlike(types.back(), core)) {
      ++types.back().count;
    } else {
      types.push_back(core);
    }
  }
  return types;
}

}  // namespace micrort
