#include "kernels/conv_call/conv_call.h"

#include "kernels/base/dcheck.h"
#include "kernels/base/part.h"

namespace micrort {

MICRORT_PART(RunConvInPlace);

namespace {

// What conv2d_algorithm.h asks of a layer and of its tensors.
void CheckContract(const ConvCall& call, const ConvTensors& tensors, const Parallel& parallel) {
  [[maybe_unused]] const Conv2DParams& p = call.params;
  MICRORT_DCHECK(p.batch >= 0 && p.in_h >= 0 && p.in_w >= 0 && p.out_h >= 0 && p.out_w >= 0);
  MICRORT_DCHECK(p.in_c > 0 && p.out_c > 0 && p.kernel_h > 0 && p.kernel_w > 0);
  MICRORT_DCHECK(p.stride_h > 0 && p.stride_w > 0 && p.dilation_h > 0 && p.dilation_w > 0);
  MICRORT_DCHECK(p.groups > 0 && p.in_c % p.groups == 0 && p.out_c % p.groups == 0);
  MICRORT_DCHECK(call.algorithm->applicable(p));
  MICRORT_DCHECK(call.plan.kernel != KernelId::none);
  MICRORT_DCHECK(parallel.workers() <= call.target.workers);
  MICRORT_DCHECK(IsAligned(tensors.scratch));
  MICRORT_DCHECK(PixelStride(p, tensors) == p.out_c ||
                 (call.algorithm->strided_output && tensors.residual == nullptr));
}

}  // namespace

ConvCall MakeConvCall(const Conv2DParams& p, const ConvTarget& target, const Conv2DAlgorithm& algorithm) {
  return {p, target, &algorithm, algorithm.plan(p, target), {}};
}

void RunConvCall(const ConvCall& call, const ConvTensors& tensors, const Parallel& parallel) {
  CheckContract(call, tensors, parallel);
  if (tensors.x == tensors.y && call.params.rows() != 0) return RunConvInPlace(call, tensors, parallel);
  call.algorithm->run(call.params, call.target, call.plan, tensors, parallel);
}

}  // namespace micrort
