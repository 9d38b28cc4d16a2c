#pragma once
// The models that tests build are seeds of the fuzzer: where the environment variable MICRORT_KEEP_SEEDS
// names a folder, they are kept there, by the harness that takes them (tests/fuzz/harness.h).

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace micrort::testing {

// Larger ones are slow to change, and say nothing that small ones do not.
inline constexpr size_t kLargestSeed = 1 << 16;

inline void KeepSeed(const char* harness, const std::string& bytes) {
  static const char* const folder = std::getenv("MICRORT_KEEP_SEEDS");
  if (folder == nullptr || bytes.size() > kLargestSeed) return;
  const std::filesystem::path kept = std::filesystem::path(folder) / harness;
  std::filesystem::create_directories(kept);
  std::ofstream(kept / std::to_string(std::hash<std::string>()(bytes)), std::ios::binary) << bytes;
}

}  // namespace micrort::testing
