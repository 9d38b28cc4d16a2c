// load_models FOLDER: loads and runs every model file in it, within the limits of fuzzing, and reads all of
// their outputs. For MemorySanitizer, which reports the first value that nothing wrote. So C's functions read
// the files: what the C++ library writes, it does not see.

#include <dirent.h>

#include <cstdio>
#include <cstring>

#include "converter/emit/aligned_bytes.h"
#include "tests/fuzz/load_and_run.h"

namespace micrort::fuzz {
namespace {

constexpr size_t kMostBytes = 1 << 16;  // as many as tests keep (tests/kept_seeds.h)

AlignedBytes Read(const char* folder, const char* name) {
  char path[4096];
  std::snprintf(path, sizeof(path), "%s/%s", folder, name);
  AlignedBytes bytes(kMostBytes);
  std::FILE* file = std::fopen(path, "rb");
  const size_t size = file == nullptr ? 0 : std::fread(bytes.data(), 1, kMostBytes, file);
  if (file != nullptr) std::fclose(file);
  bytes.Truncate(size);
  return bytes;
}

int LoadAll(const char* folder) {
  DIR* entries = opendir(folder);
  size_t files = 0, runs = 0;
  for (const dirent* entry = nullptr; entries != nullptr && (entry = readdir(entries)) != nullptr;) {
    if (entry->d_name[0] == '.') continue;
    const AlignedBytes bytes = Read(folder, entry->d_name);
    ++files;
    runs += LoadAndRun(bytes.data(), bytes.size()).ok() ? 1 : 0;
  }
  if (entries != nullptr) closedir(entries);
  std::printf("%zu model files, %zu of which run\n", files, runs);
  return runs == 0 ? 1 : 0;
}

}  // namespace
}  // namespace micrort::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: load_models FOLDER\n");
    return 2;
  }
  return micrort::fuzz::LoadAll(argv[1]);
}
