#include "runtime/offline/offline_plan.h"

#include <algorithm>

#include "kernels/base/checked_math.h"

namespace micrort {

Status OfflinePlan::Init() {
  const schema::Subgraph& source = *graph_.source;
  MICRORT_RETURN_IF_ERROR(lives_.Allocate(Count(source.tensors())));
  const uint32_t operators = Count(source.operators()), end = operators + 1;
  const auto life = [this](int32_t tensor) -> Life& { return lives_[static_cast<size_t>(tensor)]; };
  // What nothing reads keeps its place, in case the caller writes it.
  for (const int32_t input : Ints(source.inputs())) life(input) = {0, end};
  for (uint32_t n = 0; n < operators; ++n) {
    const schema::Operator& op = *source.operators()->Get(n);
    for (const int32_t input : Ints(op.inputs())) {
      if (input >= 0) life(input).last = n + 1;
    }
    for (const int32_t output : Ints(op.outputs())) life(output) = {n + 1, n + 1};
  }
  for (const int32_t output : Ints(source.outputs())) life(output).last = end;
  for (const int32_t input : Ints(source.inputs())) MICRORT_RETURN_IF_ERROR(CheckBlock(0, BlockOf(input)));
  return Status();
}

OfflinePlan::Block OfflinePlan::BlockOf(int32_t tensor) const {
  if (graph_.is_constant(tensor)) return {tensor, 0, 0};
  return {tensor, graph_.offset(tensor), AlignUp(graph_.bytes(tensor), kAlignment)};
}

int32_t OfflinePlan::MayLieOver(uint32_t time, const OfflineNode& node, size_t output) const {
  const int input = node.in_place(output);
  const Span<const int32_t> inputs = Ints(node.source->inputs());
  if (input < 0 || static_cast<size_t>(input) >= inputs.size()) return -1;
  const int32_t from = inputs[static_cast<size_t>(input)];
  const bool dies = from >= 0 && lives_[static_cast<size_t>(from)].last == time &&
                    std::count(inputs.begin(), inputs.end(), from) == 1;
  return dies ? from : -1;
}

Status OfflinePlan::AddNode(uint32_t index, const OfflineNode& node) {
  const Span<const int32_t> outputs = Ints(node.source->outputs());
  const uint32_t time = index + 1;
  taken_over_ = 0;
  for (size_t k = 0; k < outputs.size(); ++k) {
    Block block = BlockOf(outputs[k]);
    block.over = MayLieOver(time, node, k);
    MICRORT_RETURN_IF_ERROR(CheckBlock(time, block));
  }
  const size_t scratch_bytes = AlignUp(node.prepared.scratch_bytes, kAlignment);
  const size_t offset = static_cast<size_t>(graph_.program->scratch_offsets()->Get(index)) * kAlignment;
  MICRORT_RETURN_IF_ERROR(CheckBlock(time, {kScratch, offset, scratch_bytes}));
  CountAlive(time, scratch_bytes);
  return Status();
}

Status OfflinePlan::CheckBlock(uint32_t time, const Block& block) {
  if (block.bytes == 0) return Status();
  if (block.offset > PTRDIFF_MAX || block.bytes > PTRDIFF_MAX - block.offset) {
    return MICRORT_ERROR(kInvalidModel, "memory plan: %zu bytes at offset %zu reach out of the address space",
                         block.bytes, block.offset);
  }
  arena_bytes_ = std::max(arena_bytes_, block.offset + block.bytes);
  if (block.tensor != kScratch) buffer_bytes_ = std::max(buffer_bytes_, block.offset + block.bytes);
  for (uint32_t t = 0; t < lives_.size(); ++t) {
    const auto tensor = static_cast<int32_t>(t);
    if (lives_[t].first > time || lives_[t].last < time || tensor == block.tensor) continue;
    const Block other = BlockOf(tensor);
    if (other.bytes == 0 || block.offset >= other.offset + other.bytes ||
        other.offset >= block.offset + block.bytes) {
      continue;
    }
    if (block.over == tensor && block.offset == other.offset && block.bytes == other.bytes) {
      taken_over_ += block.bytes;
      continue;
    }
    return MICRORT_ERROR(kInvalidModel, "memory plan: '%.100s' and %s%.100s are alive together and overlap",
                         Text(graph_.tensor(tensor).name()), block.tensor == kScratch ? "scratch" : "",
                         block.tensor == kScratch ? "" : Text(graph_.tensor(block.tensor).name()));
  }
  return Status();
}

// No sum overflows: blocks that are alive were found apart, but for those that lie over an input.
void OfflinePlan::CountAlive(uint32_t time, size_t scratch_bytes) {
  size_t alive = scratch_bytes;
  for (uint32_t t = 0; t < lives_.size(); ++t) {
    if (lives_[t].first > time || lives_[t].last < time) continue;
    alive += BlockOf(static_cast<int32_t>(t)).bytes;
  }
  lower_bound_ = std::max(lower_bound_, alive - taken_over_);
}

}  // namespace micrort
