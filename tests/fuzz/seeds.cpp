#include "tests/fuzz/seeds.h"

#include <algorithm>

namespace micrort::fuzz {

namespace {

// Of programs that have no operators but the library's.
std::vector<std::string> WithoutCustom(std::vector<std::string> seeds) {
  const auto is_custom = [](const std::string& seed) { return seed.find("ZeroOut") != std::string::npos; };
  seeds.erase(std::remove_if(seeds.begin(), seeds.end(), is_custom), seeds.end());
  return seeds;
}

std::vector<std::string> BenchSeeds() { return WithoutCustom(ModelSeeds()); }
std::vector<std::string> EmitSeeds() { return WithoutCustom(OnnxSeeds()); }

}  // namespace

std::vector<SeededHarness> Harnesses() {
  return {
#if defined(MICRORT_FUZZ_SERVE)
    {&kRest, RestSeeds}, {&kPredict, PredictSeeds}, {&kGrpc, GrpcSeeds}, {&kConfig, ConfigSeeds},
        {&kHttp, HttpSeeds}, {&kHttp2, Http2Seeds},
#endif
#if defined(MICRORT_FUZZ_SEALED)
        {&kSealed, SealedSeeds},
#endif
#if defined(MICRORT_FUZZ_TEXT)
        {&kTokenizer, TokenizerSeeds}, {&kLanguage, LanguageSeeds},
#endif
        {&kTflite, TfliteSeeds}, {&kCaffe, CaffeSeeds}, {&kOnnx, OnnxSeeds}, {&kGraphDef, GraphDefSeeds},
        {&kTorchscript, TorchscriptSeeds}, {&kModel, ModelSeeds}, {&kInfo, ModelSeeds}, {&kRun, ModelSeeds},
        {&kBench, BenchSeeds}, {&kRealign, ModelSeeds}, {&kEmit, EmitSeeds}, {&kNpy, NpySeeds},
        {&kPicture, PictureSeeds}, {&kSound, SoundSeeds}, {
      &kState, StateSeeds
    }
  };
}

}  // namespace micrort::fuzz
