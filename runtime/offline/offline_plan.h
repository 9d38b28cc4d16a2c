#pragma once
// Checks the memory plan of a decided program as its operators are prepared one by one. Shares no code with
// the planner that made it.

#include "kernels/base/fixed_array.h"
#include "runtime/memory/device_sizes.h"
#include "runtime/offline/offline_node.h"

namespace micrort {

class OfflinePlan {
 public:
  explicit OfflinePlan(const OfflineGraph& graph) : graph_(graph) {}

  // When every tensor is alive. kInvalidModel if inputs of the graph overlap.
  Status Init();
  // In run order. kInvalidModel, naming the tensor, if an output or the scratch of the node would overwrite
  // something that is alive: all but the input that the output may be written over.
  Status AddNode(uint32_t index, const OfflineNode& node);

  size_t arena_bytes() const { return arena_bytes_; }
  size_t buffer_bytes() const { return buffer_bytes_; }  // the same without scratch
  size_t lower_bound() const { return lower_bound_; }    // the largest sum of bytes alive at once

 private:
  // Inputs are there at time 0, operator n runs at n + 1. When the tensor is made, and read last; one that
  // nobody makes is never alive.
  struct Life {
    uint32_t first = UINT32_MAX, last = 0;
  };
  static_assert(sizeof(Life) == device_sizes::kLife, "what mnnconvert counts for a device");
  static constexpr int32_t kScratch = -1;
  struct Block {
    int32_t tensor;  // or kScratch
    size_t offset, bytes;
    int32_t over = -1;  // the tensor that it may lie over, exactly
  };

  Block BlockOf(int32_t tensor) const;
  int32_t MayLieOver(uint32_t time, const OfflineNode& node, size_t output) const;
  // Against all other tensors that are alive then.
  Status CheckBlock(uint32_t time, const Block& block);
  void CountAlive(uint32_t time, size_t scratch_bytes);

  const OfflineGraph& graph_;
  FixedArray<Life> lives_;  // by tensor
  size_t taken_over_ = 0;   // bytes that the outputs of the node at hand share with its inputs
  size_t arena_bytes_ = 0, buffer_bytes_ = 0, lower_bound_ = 0;
};

}  // namespace micrort
