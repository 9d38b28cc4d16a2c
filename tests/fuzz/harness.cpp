#include "tests/fuzz/harness.h"

namespace micrort::fuzz {

Status Refused(const std::string& why) { return MICRORT_ERROR(kInvalidArgument, "%.400s", why.c_str()); }

std::vector<const Harness*> Harnesses() {
  return {
#if defined(MICRORT_FUZZ_SERVE)
    &kRestRequest, &kPredictRequest, &kGrpcRequest, &kModelConfig,
#endif
        &kTflite, &kCaffe, &kOnnx, &kGraphDef, &kTorchscript, &kModel, &kNpy
  };
}

const Harness* FindHarness(const std::string& name) {
  for (const Harness* harness : Harnesses()) {
    if (name == harness->name) return harness;
  }
  return nullptr;
}

}  // namespace micrort::fuzz
