#include "runtime/ops/call_work.h"

#include "runtime/ops/work_control.h"

namespace micrort {

namespace {

uint64_t ElementsOf(Span<Tensor* const> tensors) {
  uint64_t sum = 0;
  for (const Tensor* tensor : tensors) {
    if (tensor != nullptr) sum = AddWork(sum, ExtentOf(tensor->shape));
  }
  return sum;
}

}  // namespace

uint64_t WorkOfCall(const OpRegistration& op, Span<Tensor* const> inputs, Span<Tensor* const> outputs,
                    const PrepareResult& prepared) {
  const uint64_t elements = AddWork(op.shape_only ? 0 : ElementsOf(inputs), ElementsOf(outputs));
  uint64_t work = AddWork(kOperatorWork, MultiplyWork(elements, kElementWork));
  if (prepared.multiply_adds > 0) work = AddWork(work, static_cast<uint64_t>(prepared.multiply_adds));
  return AddWork(work, prepared.work);
}

}  // namespace micrort
