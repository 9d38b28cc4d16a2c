#include "kernels/base/cpu_features.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "kernels/base/kernel_registry.h"
#include "kernels/base/target.h"

namespace micrort {
namespace {

// A line of which instruction sets these tests ran, and which this CPU, or the emulator, lacks.
class TestedFeatures final : public ::testing::Environment {
 public:
  void TearDown() override {
    std::string tested, missing;
    std::istringstream names(IsaNames());
    for (std::string name; std::getline(names >> std::ws, name, ',');) {
      CpuFeatures set = 0;
      EXPECT_TRUE(ParseIsa(name.c_str(), &set)) << name;
      if ((ArchitectureFeatures() & set) != set) continue;
      std::string& list = (DetectCpuFeatures() & set) == set ? tested : missing;
      list += (list.empty() ? "" : ", ") + name;
    }
    std::printf("instruction sets tested: %s; not on this CPU: %s\n", tested.c_str(),
                missing.empty() ? "none" : missing.c_str());
  }
};
const ::testing::Environment* const kTestedFeatures = ::testing::AddGlobalTestEnvironment(new TestedFeatures);

// What the kernel says of the first processor.
std::set<std::string> KernelFlags() {
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string line; flags.empty() && std::getline(file, line);) {
    if (line.rfind("flags", 0) != 0) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) flags.insert(word);
  }
  return flags;
}

TEST(CpuFeatures, AreThoseThatTheKernelLists) {
#if !MICRORT_ARCH_X86
  GTEST_SKIP() << "other names on this architecture";
#endif
  const std::set<std::string> flags = KernelFlags();
  if (flags.empty()) GTEST_SKIP() << "no /proc/cpuinfo";
  const struct {
    CpuFeatures bit;
    std::set<std::string> names;
  } features[] = {{kCpuSse41, {"sse4_1"}},
                  {kCpuAvx2, {"avx2", "fma", "f16c"}},
                  {kCpuAvxVnni, {"avx_vnni"}},
                  {kCpuAvx512, {"avx512f", "avx512bw", "avx512dq", "avx512vl"}},
                  {kCpuAvx512Vnni, {"avx512_vnni"}}};
  for (const auto& feature : features) {
    bool listed = true;
    for (const std::string& name : feature.names) listed = listed && flags.count(name) != 0;
    EXPECT_EQ((DetectCpuFeatures() & feature.bit) != 0, listed) << *feature.names.begin();
  }
}

TEST(Targets, WebAssemblyHasAnInstructionSetOfItsOwn) {
  CpuFeatures target = 0, allowed = 0;
  ASSERT_TRUE(ParseTarget("wasm", &target));
  EXPECT_EQ(target, isa::simd128);
  EXPECT_STREQ(TargetName(target), "wasm");
  EXPECT_STREQ(IsaName(target), "simd128");
  ASSERT_TRUE(ParseIsa("simd128", &allowed));
  EXPECT_EQ(allowed, kCpuSimd128);
  EXPECT_FALSE(ParseTarget("simd128", &target));  // it has one name as a target
}

}  // namespace
}  // namespace micrort
