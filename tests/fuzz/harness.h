#pragma once
// What is fuzzed. ./dev fuzz runs these under libFuzzer, replay_test.cpp runs a few rounds of each anywhere.

#include <string>

#include "kernels/base/span.h"
#include "kernels/base/status.h"
#include "tests/fuzz/byte_mutator.h"

namespace micrort::fuzz {

struct Harness {
  const char* name;
  // Takes whatever comes, and gives why it was refused. Must not crash, leak or hang.
  Status (*run)(const std::string& bytes);
  // Another input that keeps most of this one's structure.
  std::string (*mutate)(const std::string& bytes, Random& random);
  // The same with something of another input; null: of itself alone.
  std::string (*cross)(const std::string& bytes, const std::string& other, Random& random) = nullptr;
};

extern const Harness kTflite, kCaffe, kOnnx, kGraphDef, kTorchscript, kModel, kInfo, kRun, kBench, kRealign,
    kEmit, kNpy, kPicture, kSound, kState;
// Where micrort-serve is built.
extern const Harness kRest, kPredict, kGrpc, kConfig, kHttp, kHttp2;

// Where micrort-seal is.
extern const Harness kSealed;

// Where micrort-generate is.
extern const Harness kTokenizer, kLanguage;

// What has errors of its own.
Status Refused(const std::string& why);

}  // namespace micrort::fuzz
