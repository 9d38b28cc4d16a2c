#pragma once
// Inputs of harnesses, in memory and in folders.

#include <filesystem>

#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {

// The contents of its files, by their names.
std::vector<std::string> FilesOf(const std::filesystem::path& folder);

// The seeds, or the files in MICRORT_FUZZ_CORPUS/NAME (as ./dev fuzz leaves them).
std::vector<std::string> Corpus(const SeededHarness& of);

}  // namespace micrort::fuzz
