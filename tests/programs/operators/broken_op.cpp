// A library of operators that errs in the way that an environment variable names.

#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "micrort/custom_op.h"

namespace {

bool Errs(const char* way) {
  const char* asked = std::getenv("MICRORT_TEST_BROKEN_OP");
  return asked != nullptr && std::strcmp(asked, way) == 0;
}

micrort_status Prepare(micrort_custom_call* call) {
  if (Errs("throws in prepare")) throw std::runtime_error("thrown in prepare");
  call->outputs[0].dtype = call->inputs[0].dtype;
  call->outputs[0].shape = call->inputs[0].shape;
  return MICRORT_OK;
}

micrort_status Run(micrort_custom_call* call) {
  if (Errs("throws in run")) throw std::runtime_error("thrown in run");
  if (Errs("throws a number")) throw 5;
  const auto no_work = [](void*, size_t, int32_t) {};
  if (Errs("endless loop")) call->parallel_for(call, size_t{1} << 40, no_work, nullptr);
  std::memcpy(call->outputs[0].data, call->inputs[0].data, call->outputs[0].bytes);
  return MICRORT_OK;
}

const micrort_custom_op kBroken = {sizeof(micrort_custom_op), "com.acme", "Broken", nullptr, Prepare, Run, 0};

}  // namespace

extern "C" __attribute__((visibility("default"))) const micrort_custom_op* const* micrort_custom_ops(
    size_t* count) {
  static const micrort_custom_op* const all[] = {&kBroken};
  static const micrort_custom_op* const none[] = {nullptr};
  *count = 1;
  if (Errs("throws in list")) throw std::runtime_error("thrown in list");
  if (Errs("no list")) return nullptr;
  return Errs("null in list") ? none : all;
}
