#include "runtime/interpreter/single_op.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/target.h"
#include "micrort/op_resolver.h"
#include "runtime/interpreter/node_work.h"
#include "runtime/memory/aligned_memory.h"
#include "schema/micrort_generated.h"

namespace micrort {

Status SingleOp::Init(const schema::Operator& op, const OpResolver& resolver, CpuFeatures features) {
  const int code = static_cast<int>(op.code());
  registration_ = resolver.Find(code);
  if (registration_ == nullptr) {
    return MICRORT_ERROR(kUnsupported, "operator %s is not in the resolver",
                         schema::EnumNameOpCode(op.code()));
  }
  features_ = features;
  const size_t bytes = registration_->state_bytes;
  std::memset(small_state_, 0, std::min(bytes, kSmallState));
  MICRORT_RETURN_IF_ERROR(large_state_.AllocateZeroed(bytes > kSmallState ? bytes : 0));
  MICRORT_RETURN_IF_ERROR(registration_->parse(op, state()));
  return registration_->bind == nullptr ? Status() : registration_->bind(op, resolver, state());
}

Status SingleOp::Infer(Span<Tensor* const> inputs, Span<Tensor* const> outputs) {
  return Prepare(inputs, outputs, PrepareStage::kInfer);
}

Status SingleOp::Prepare(Span<Tensor* const> inputs, Span<Tensor* const> outputs, PrepareStage stage) {
  MICRORT_RETURN_IF_ERROR(Spend(control_, kOperatorWork));
  result_ = PrepareResult();
  PrepareTarget target = {features_, Sequential().workers()};
  target.control = control_;
  PrepareContext context(inputs, outputs, state(), target, stage, &result_, bodies_);
  return registration_->prepare(context);
}

Status SingleOp::Run(Span<Tensor* const> inputs, Span<Tensor* const> outputs) {
  if (result_.deciders != 0) {
    return MICRORT_ERROR(kUnsupported, "the shape of an output was not known to Infer()");
  }
  // What Infer() could only bound follows from the data now.
  if (!HaveFixedExtents(outputs) || result_.awaits_data)
    MICRORT_RETURN_IF_ERROR(Prepare(inputs, outputs, PrepareStage::kRun));
  if (AvailableFeatures(features_) != features_) {
    return MICRORT_ERROR(kUnsupported, "prepared for %s, this CPU has %s", TargetName(features_),
                         TargetName(DetectCpuFeatures()));
  }
  MICRORT_RETURN_IF_ERROR(Spend(control_, WorkOfCall(*registration_, inputs, outputs, result_)));
  AlignedMemory scratch;
  MICRORT_RETURN_IF_ERROR(scratch.Allocate(result_.scratch_bytes));
  AlignedMemory packed[kMaxPacked];
  RunContext run{inputs, outputs, state(), scratch.data(), {}, nullptr, {}, control_};
  for (int slot = 0; slot < kMaxPacked; ++slot) {
    if (result_.packed[slot].bytes == 0) continue;
    MICRORT_RETURN_IF_ERROR(packed[slot].Allocate(result_.packed[slot].bytes));
    const PackContext pack{inputs, state(), slot, packed[slot].data()};
    MICRORT_RETURN_IF_ERROR(registration_->pack(pack));
    run.packed[slot] = packed[slot].data();
  }
  const Sequential sequential;
  run.parallel = &sequential;
  return registration_->run(run);
}

}  // namespace micrort
