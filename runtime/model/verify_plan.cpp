#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

Status VerifyOffset(const schema::Tensor& tensor, int64_t offset, uint64_t arena_bytes) {
  if (offset == -1) return Status();
  if (tensor.buffer() != 0) return MICRORT_ERROR(kInvalidModel, "a constant has a place in the arena");
  if (offset < 0 || offset % static_cast<int64_t>(kAlignment) != 0) {
    return MICRORT_ERROR(kInvalidModel, "expected an offset that is a multiple of %zu, found %lld",
                         kAlignment, static_cast<long long>(offset));
  }
  const Shape shape = ShapeOf(tensor);
  int64_t elements = 0;
  if (!shape.CheckedElements(SizeOf(TypeOf(tensor)), &elements)) {
    return MICRORT_ERROR(kInvalidModel, "a planned tensor has a dynamic dimension");
  }
  const uint64_t bytes = static_cast<uint64_t>(elements) * SizeOf(TypeOf(tensor));
  if (static_cast<uint64_t>(offset) > arena_bytes || bytes > arena_bytes - static_cast<uint64_t>(offset)) {
    return MICRORT_ERROR(kInvalidModel, "%llu bytes at offset %lld reach out of the arena of %llu bytes",
                         static_cast<unsigned long long>(bytes), static_cast<long long>(offset),
                         static_cast<unsigned long long>(arena_bytes));
  }
  return Status();
}

}  // namespace

Status VerifyPlan(VerifyContext& context, const schema::Subgraph& subgraph) {
  const schema::MemoryPlan* plan = subgraph.plan();
  if (plan == nullptr) return Status();
  const uint32_t tensors = Count(subgraph.tensors());
  if (Count(plan->offsets()) != tensors) {
    return MICRORT_ERROR(kInvalidModel, "memory plan: expected %u offsets, found %u", tensors,
                         Count(plan->offsets()));
  }
  if (tensors == 0) return Status();
  if (reinterpret_cast<uintptr_t>(plan->offsets()->data()) % alignof(int64_t) != 0) {
    return MICRORT_ERROR(kInvalidModel, "memory plan: the list of offsets is not aligned");
  }
  MICRORT_RETURN_IF_ERROR(context.Spend(tensors));
  for (uint32_t i = 0; i < tensors; ++i) {
    const schema::Tensor& tensor = *subgraph.tensors()->Get(i);
    if (Status s = VerifyOffset(tensor, plan->offsets()->Get(i), plan->arena_bytes()); !s.ok()) {
      return s.WithPrefix("memory plan: tensor %u ('%.100s')", i, Text(tensor.name()));
    }
  }
  return Status();
}

}  // namespace micrort
