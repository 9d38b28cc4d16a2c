#pragma once
// What this machine computes, for comparing.

#include <cstdint>
#include <string>

namespace micrort::test::devices {

struct HostRun {
  std::string input, outputs;  // bytes
  int64_t multiply_adds = 0;
};

// Runs a portable model with one input on random values, always the same ones.
void RunOnHost(const std::string& model_file, HostRun* run);

}  // namespace micrort::test::devices
