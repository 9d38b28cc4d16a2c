#pragma once
// What is fuzzed. ./dev fuzz runs these under libFuzzer, replay_test.cpp runs a few rounds of each anywhere.

#include <string>
#include <vector>

#include "kernels/base/span.h"
#include "tests/fuzz/byte_mutator.h"

namespace micrort::fuzz {

struct Harness {
  const char* name;
  // Takes whatever comes, and gives why it was refused, "" if it was not. Must not crash, leak or hang.
  std::string (*run)(const std::string& bytes);
  // Small inputs that are accepted.
  std::vector<std::string> (*seeds)();
  // Another input that keeps most of this one's structure.
  std::string (*mutate)(const std::string& bytes, Random& random);
  // The same with something of another input; null: of itself alone.
  std::string (*cross)(const std::string& bytes, const std::string& other, Random& random) = nullptr;
};

extern const Harness kTflite, kCaffe, kOnnx, kGraphDef, kTorchscript, kModel, kNpy;
// Where micrort-serve is built.
extern const Harness kRestRequest, kPredictRequest, kGrpcRequest, kModelConfig;

std::vector<const Harness*> Harnesses();
// Null: there is none of this name.
const Harness* FindHarness(const std::string& name);

}  // namespace micrort::fuzz
