#include "kernels/conv_call/conv_call.h"

#include "kernels/conv_call/conv_in_place.h"

namespace micrort {
namespace {

ConvInPlace InPlace(const ConvCall& call) {
  return {call.params, {call.target.features, call.in_place_workers}, *call.algorithm};
}

}  // namespace

bool MayRunInPlace(const ConvCall& call) { return ConvInPlace::Takes(call.params, *call.algorithm); }

uint64_t InPlaceScratchBytes(const ConvCall& call) { return InPlace(call).scratch_bytes(); }

void RunConvCall(const ConvCall& call, const ConvTensors& tensors, const Parallel& parallel) {
  if (tensors.x == tensors.y && call.params.rows() != 0) {
    InPlace(call).Run(tensors, parallel);
    return;
  }
  call.algorithm->run(call.params, call.target, tensors, parallel);
}

}  // namespace micrort
