#include "tools/io/device_memory.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "runtime/memory/device_sizes.h"
#include "runtime/model/schema_text.h"
#include "runtime/offline/offline_program.h"

namespace micrort::io {
namespace {

namespace sizes = device_sizes;

// Counts the bytes of a MemoryBlock whose pieces are given back in the order opposite to that in which they
// were taken.
class BlockBytes {
 public:
  // For as long as the interpreter lives.
  void Keep(size_t bytes, size_t alignment = sizes::kAlignment) {
    if (bytes != 0) used_ = EndOf(bytes, alignment);
    peak_ = std::max(peak_, used_);
  }
  // Given back before anything else is taken.
  void Pass(size_t bytes) {
    if (bytes != 0) peak_ = std::max(peak_, EndOf(bytes, sizes::kAlignment));
  }
  size_t peak() const { return peak_; }

 private:
  size_t EndOf(size_t bytes, size_t alignment) const {
    return AlignUp(used_ + sizes::kHeader, alignment) + AlignUp(bytes, sizes::kAlignment);
  }

  size_t used_ = 0, peak_ = 0;
};

// As OfflineNode lays it out.
size_t NodeBytes(const schema::Operator& op) {
  const size_t outputs = Count(op.outputs()), tensors = Count(op.inputs()) + outputs;
  size_t bytes = 0;
  for (const size_t part : {sizes::kNode, tensors * sizes::kTensor, tensors * sizes::kPointer,
                            outputs * sizes::kShape, sizes::StateOf(op.code())}) {
    bytes += AlignUp(part, sizes::kAlignment);
  }
  return bytes;
}

// Model::FromBuffer: VerifyModel and ModelImpl::LoadBuffer.
void AddModel(const schema::Model& model, BlockBytes* block) {
  block->Keep(sizes::kModel);
  block->Keep(sizeof("model"));
  const size_t tensors = Count(model.subgraphs()->Get(0)->tensors());
  block->Pass(tensors * sizes::kName);
  block->Pass(tensors);
  block->Pass(sizeof(uint32_t));  // of the one subgraph
  block->Pass(Count(model.buffers()));
}

// Interpreter::Create: OfflineProgram::Load, then the arena.
void AddInterpreter(const schema::Subgraph& graph, const OpResolver& ops, size_t arena_bytes,
                    BlockBytes* block) {
  block->Keep(sizes::kInterpreter);
  block->Pass(Count(graph.inputs()) * sizes::kShape);
  block->Keep(Count(graph.operators()) * sizes::kPointer);
  size_t workspace = 0;
  bool has_bound = false;
  for (uint32_t i = 0; i < Count(graph.operators()); ++i) {
    const schema::Operator& op = *graph.operators()->Get(i);
    workspace = std::max(workspace, NodeBytes(op));
    has_bound |= ops.Find(static_cast<int>(op.code()))->bind != nullptr;
  }
  if (has_bound) block->Keep(sizes::kResolver);
  block->Keep(AlignUp(workspace, sizes::kMaxAlign));
  block->Pass(Count(graph.tensors()) * sizes::kLife);
  block->Keep(arena_bytes, kAlignment);
}

}  // namespace

Status MeasureDeviceMemory(const schema::Model& model, const OpResolver& ops, const PrepareTarget& target,
                           DeviceMemory* memory) {
  OfflineProgram program;
  MICRORT_RETURN_IF_ERROR(program.Load(model, ops, target));
  const auto bytes_with = [&](size_t arena_bytes) {
    BlockBytes block;
    AddModel(model, &block);
    AddInterpreter(program.source(), ops, arena_bytes, &block);
    return block.peak();
  };
  *memory = {program.arena_bytes(), bytes_with(program.arena_bytes()), bytes_with(0)};
  return Status();
}

}  // namespace micrort::io
