#include "tests/fuzz/harness.h"

namespace micrort::fuzz {

std::vector<const Harness*> Harnesses() {
  return {&kTflite, &kCaffe, &kOnnx, &kGraphDef, &kTorchscript, &kModel, &kNpy};
}

const Harness* FindHarness(const std::string& name) {
  for (const Harness* harness : Harnesses()) {
    if (name == harness->name) return harness;
  }
  return nullptr;
}

}  // namespace micrort::fuzz
