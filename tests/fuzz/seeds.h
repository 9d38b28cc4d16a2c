#pragma once
// Small inputs that harnesses accept. Apart from the harnesses: those of model files take the converter,
// which is no part of the program that fuzzes model files.

#include <string>
#include <vector>

#include "tests/fuzz/harness.h"

namespace micrort::fuzz {

std::vector<std::string> TfliteSeeds();
std::vector<std::string> CaffeSeeds();
std::vector<std::string> OnnxSeeds();
std::vector<std::string> GraphDefSeeds();
std::vector<std::string> TorchscriptSeeds();
std::vector<std::string> ModelSeeds();
std::vector<std::string> NpySeeds();
std::vector<std::string> PictureSeeds();
std::vector<std::string> SoundSeeds();
std::vector<std::string> StateSeeds();
// Where micrort-seal is.
std::vector<std::string> SealedSeeds();
// Where micrort-generate is.
std::vector<std::string> TokenizerSeeds();
std::vector<std::string> LanguageSeeds();
// Where micrort-serve is built.
std::vector<std::string> RestSeeds();
std::vector<std::string> PredictSeeds();
std::vector<std::string> GrpcSeeds();
std::vector<std::string> ConfigSeeds();
std::vector<std::string> HttpSeeds();
std::vector<std::string> Http2Seeds();

struct SeededHarness {
  const Harness* harness;
  std::vector<std::string> (*seeds)();
};

// All there are.
std::vector<SeededHarness> Harnesses();

}  // namespace micrort::fuzz
