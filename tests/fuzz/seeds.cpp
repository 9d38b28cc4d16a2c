#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {

std::vector<SeededHarness> Harnesses() {
  return {
#if defined(MICRORT_FUZZ_SERVE)
    {&kRest, RestSeeds}, {&kPredict, PredictSeeds}, {&kGrpc, GrpcSeeds}, {&kConfig, ConfigSeeds},
        {&kHttp, HttpSeeds}, {&kHttp2, Http2Seeds},
#endif
        {&kTflite, TfliteSeeds}, {&kCaffe, CaffeSeeds}, {&kOnnx, OnnxSeeds}, {&kGraphDef, GraphDefSeeds},
        {&kTorchscript, TorchscriptSeeds}, {&kModel, ModelSeeds}, {&kInfo, ModelSeeds}, {&kNpy, NpySeeds},
        {&kPicture, PictureSeeds}, {
      &kSound, SoundSeeds
    }
  };
}

}  // namespace micrort::fuzz
