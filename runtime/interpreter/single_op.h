#pragma once
// One operator on its own, outside a model: how the converter infers shapes and folds constants with the very
// code that will run on the device.

#include "kernels/base/checked_math.h"
#include "runtime/memory/aligned_memory.h"
#include "runtime/ops/op.h"

namespace micrort {

class OpResolver;

// The caller owns tensors and their data. Allocates; not for the device.
class SingleOp {
 public:
  // Parses the options. `op` must stay valid as long as this object. `features`: of the CPU that Infer is
  // for; only what is for this one can Run.
  Status Init(const schema::Operator& op, const OpResolver& resolver,
              CpuFeatures features = DetectCpuFeatures());
  // What the op's bodies are to Infer, for an operator that has some; they stay as long as this object.
  void SetBodies(Span<BodyPlan* const> bodies) { bodies_ = bodies; }
  // What Infer and Run spend from; null, as at first: nothing is bounded.
  void SetControl(WorkControl* control) { control_ = control; }
  // Sets dtype and shape of the outputs, with extents; see runtime/ops/extent.h.
  // Inputs need data only where they are readable.
  Status Infer(Span<Tensor* const> inputs, Span<Tensor* const> outputs);
  // After Infer with the same tensors: runs. All inputs and outputs have data. Gives outputs whose size data
  // decides their shape. kUnsupported if Infer could not even bound an output. Not for operators with bodies.
  Status Run(Span<Tensor* const> inputs, Span<Tensor* const> outputs);

  const PrepareResult& result() const { return result_; }
  // Valid after Init.
  const OpRegistration& registration() const { return *registration_; }

 private:
  Status Prepare(Span<Tensor* const> inputs, Span<Tensor* const> outputs, PrepareStage stage);
  void* state() { return large_state_.data() != nullptr ? large_state_.data() : small_state_; }

  const OpRegistration* registration_ = nullptr;
  // What the operator's state takes: nearly all fit into the small one, and a block of the heap for each
  // would take a good part of the time of an inference.
  static constexpr size_t kSmallState = 1024;
  alignas(kAlignment) uint8_t small_state_[kSmallState];
  AlignedMemory large_state_;
  CpuFeatures features_ = 0;
  WorkControl* control_ = nullptr;
  Span<BodyPlan* const> bodies_;
  PrepareResult result_;
};

}  // namespace micrort
