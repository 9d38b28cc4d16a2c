// fuzz --harness=NAME [--write-seeds=FOLDER] [libFuzzer's arguments]: it leaves those with two dashes to us,
// and hands all to the processes that it starts.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tests/fuzz/harness.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace micrort::fuzz {
namespace {

const Harness* harness;

[[noreturn]] void Usage() {
  std::fprintf(stderr, "fuzz: error: expected --harness=NAME, one of:");
  for (const Harness* known : Harnesses()) std::fprintf(stderr, " %s", known->name);
  std::fprintf(stderr, "\n");
  std::exit(1);
}

void WriteSeeds(const std::string& folder) {
  int count = 0;
  for (const std::string& seed : harness->seeds()) {
    std::ofstream file(folder + "/seed" + std::to_string(count++), std::ios::binary);
    file << seed;
    file.close();
    if (file.fail()) {
      std::fprintf(stderr, "fuzz: error: cannot write seeds into %s\n", folder.c_str());
      std::exit(1);
    }
  }
}

// The rest of an argument that begins so; null for others.
const char* After(const char* prefix, const char* argument) {
  const size_t length = std::strlen(prefix);
  return std::strncmp(argument, prefix, length) == 0 ? argument + length : nullptr;
}

void Initialize(int count, char** arguments) {
  const char* seeds = nullptr;
  for (int i = 1; i < count; ++i) {
    if (const char* name = After("--harness=", arguments[i])) harness = FindHarness(name);
    if (const char* folder = After("--write-seeds=", arguments[i])) seeds = folder;
  }
  if (harness == nullptr) Usage();
  if (seeds == nullptr) return;
  WriteSeeds(seeds);
  std::exit(0);
}

std::string Text(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

size_t Copy(const std::string& bytes, uint8_t* out, size_t max_size) {
  const size_t kept = std::min(bytes.size(), max_size);
  std::memcpy(out, bytes.data(), kept);
  return kept;
}

// One change in four is libFuzzer's own: it remembers what the code compares with.
size_t Mutate(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  constexpr size_t kOwn = 4;
  Random random(seed);
  if (Below(kOwn, random) == 0) return LLVMFuzzerMutate(data, size, max_size);
  return Copy(harness->mutate(Text(data, size), random), data, max_size);
}

size_t Cross(const std::string& a, const std::string& b, uint8_t* out, size_t max_size, unsigned seed) {
  Random random(seed);
  return Copy(harness->cross == nullptr ? harness->mutate(a, random) : harness->cross(a, b, random), out,
              max_size);
}

}  // namespace
}  // namespace micrort::fuzz

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  micrort::fuzz::Initialize(*count, *arguments);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return micrort::fuzz::Mutate(data, size, max_size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                            uint8_t* out, size_t max_size, unsigned seed) {
  using micrort::fuzz::Text;
  return micrort::fuzz::Cross(Text(a, a_size), Text(b, b_size), out, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static_cast<void>(micrort::fuzz::harness->run(micrort::fuzz::Text(data, size)));
  return 0;
}
