// On which CPUs threads run.

#include "runtime/threads/affinity.h"

#include <gtest/gtest.h>

#include "kernels/base/platform/cpu_speed.h"
#include "micrort/cpus.h"

#if defined(__linux__)

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

namespace micrort::testing {
namespace {

// What the system says of CPUs, as files of a folder.
class CpuFolder {
 public:
  struct File {
    std::string path, text;
  };

  CpuFolder(std::initializer_list<File> files) {
    char name[] = "/tmp/cpus.XXXXXX";
    path_ = mkdtemp(name);
    for (const auto& [file, text] : files) {
      for (size_t slash = file.find('/'); slash != std::string::npos; slash = file.find('/', slash + 1))
        AddFolder(path_ + "/" + file.substr(0, slash));
      std::FILE* out = std::fopen((path_ + "/" + file).c_str(), "w");
      std::fputs(text.c_str(), out);
      std::fclose(out);
      made_.push_back(path_ + "/" + file);
    }
  }
  ~CpuFolder() {
    for (auto made = made_.rbegin(); made != made_.rend(); ++made) std::remove(made->c_str());
    rmdir(path_.c_str());
  }
  const char* path() const { return path_.c_str(); }

 private:
  void AddFolder(const std::string& folder) {
    if (mkdir(folder.c_str(), 0700) == 0) made_.push_back(folder);
  }

  std::string path_;
  std::vector<std::string> made_;
};

uint64_t Big(const CpuFolder& folder, uint64_t allowed) {
  return CpusOfSpeed(CpuSpeed::kBig, folder.path(), allowed);
}
uint64_t Little(const CpuFolder& folder, uint64_t allowed) {
  return CpusOfSpeed(CpuSpeed::kLittle, folder.path(), allowed);
}

TEST(CpuSpeed, TellsBigFromLittleByTheirCapacity) {
  const CpuFolder folder{{"cpu0/cpu_capacity", "300\n"},
                         {"cpu1/cpu_capacity", "300\n"},
                         {"cpu2/cpu_capacity", "800\n"},
                         {"cpu3/cpu_capacity", "1024\n"}};
  EXPECT_EQ(Big(folder, 0b1111), 0b1100u);
  EXPECT_EQ(Little(folder, 0b1111), 0b0011u);
  EXPECT_EQ(Big(folder, 0b0111), 0b0100u);
  EXPECT_EQ(Big(folder, 0b0011), 0b0011u);
  EXPECT_EQ(Little(folder, 0b0011), 0b0011u);
  EXPECT_EQ(Big(folder, 0), 0u);
}

TEST(CpuSpeed, TellsBigFromLittleByTheirClock) {
  const CpuFolder folder{{"cpu0/cpu_capacity", "1024\n"},
                         {"cpu0/cpufreq/cpuinfo_max_freq", "2400000\n"},
                         {"cpu1/cpufreq/cpuinfo_max_freq", "1800000\n"}};
  EXPECT_EQ(Big(folder, 0b11), 0b01u);
  EXPECT_EQ(Little(folder, 0b11), 0b10u);
}

TEST(CpuSpeed, ThreadsHaveBigCpusWhereThereIsOneForEach) {
  const CpuFolder folder{{"cpu0/cpu_capacity", "300\n"},
                         {"cpu1/cpu_capacity", "300\n"},
                         {"cpu2/cpu_capacity", "800\n"},
                         {"cpu3/cpu_capacity", "1024\n"}};
  EXPECT_EQ(BigCpusFor(2, folder.path(), 0b1111), 0b1100u);
  EXPECT_EQ(BigCpusFor(3, folder.path(), 0b1111), 0u);
  EXPECT_EQ(BigCpusFor(1, folder.path(), 0b0111), 0b0100u);
  EXPECT_EQ(BigCpusFor(2, folder.path(), 0b0011), 0u);   // all alike
  EXPECT_EQ(BigCpusFor(1, folder.path(), 0b10000), 0u);  // the system does not tell
}

TEST(CpuSpeed, IsUnknownWhereTheSystemDoesNotTell) {
  const CpuFolder folder{{"cpu0/cpu_capacity", "1024\n"}};
  EXPECT_EQ(Big(folder, 0b11), 0u);
  EXPECT_EQ(Little(folder, 0b11), 0u);
}

uint64_t Allowed() {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  uint64_t cpus = 0;
  for (size_t i = 0; i < 64; ++i) cpus |= uint64_t{CPU_ISSET(i, &set) != 0} << i;
  return cpus;
}

TEST(ScopedBinding, BindsUntilItsEnd) {
  const uint64_t before = Allowed(), first = before & (~before + 1);
  ASSERT_NE(before, 0u);
  {
    ScopedBinding binding;
    ASSERT_TRUE(binding.Bind(first).ok());
    EXPECT_EQ(Allowed(), first);
  }
  EXPECT_EQ(Allowed(), before);
  ScopedBinding nothing;
  ASSERT_TRUE(nothing.Bind(0).ok());
  EXPECT_EQ(Allowed(), before);
}

TEST(BindThread, RefusesCpusThatDoNotExist) {
  const uint64_t before = Allowed();
  if ((before >> 63 & 1) != 0) GTEST_SKIP() << "the machine has 64 CPUs";
  const Status status = BindThread(uint64_t{1} << 63);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Allowed(), before);
}

}  // namespace
}  // namespace micrort::testing

#endif
