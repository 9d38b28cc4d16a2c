#include "tests/fuzz/corpus.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace micrort::fuzz {

std::vector<std::string> FilesOf(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::exists(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> contents;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return contents;
}

std::vector<std::string> Corpus(const SeededHarness& of) {
  const char* folder = std::getenv("MICRORT_FUZZ_CORPUS");
  return folder == nullptr ? of.seeds() : FilesOf(std::filesystem::path(folder) / of.harness->name);
}

}  // namespace micrort::fuzz
