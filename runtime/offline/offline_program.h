#pragma once
// Runs a subgraph of which the file decides everything: static shapes, a program for this CPU, weights packed
// for it. Nothing is planned or searched here, and between two runs nothing is kept but which function
// computes each operator: tables of tensors and nodes, which take more than the tensors of a small network,
// do not exist.

#include "kernels/base/fixed_array.h"
#include "micrort/op_resolver.h"
#include "micrort/tensor_view.h"
#include "runtime/offline/offline_node.h"

namespace micrort {

class OfflineProgram {
 public:
  // Checks all that the file decided. kUnsupported, saying what to convert anew and how, where it left
  // something to the device. The model outlives this; the target has one worker and stays what it is.
  Status Load(const schema::Model& model, const OpResolver& resolver, const PrepareTarget& target);
  // Aligned to kAlignment, with arena_bytes().
  void Bind(void* arena) { graph_.arena = static_cast<uint8_t*>(arena); }
  Status Run();

  // A tensor of the subgraph in the arena.
  TensorView View(int32_t tensor) const;

  const schema::Subgraph& source() const { return *graph_.source; }
  size_t arena_bytes() const { return arena_bytes_; }
  size_t buffer_bytes() const { return buffer_bytes_; }  // the same without scratch
  size_t lower_bound() const { return lower_bound_; }    // the largest sum of bytes alive at once
  size_t packed_in_place_bytes() const { return packed_bytes_; }

 private:
  Status FindOperators(const OpResolver& resolver);
  Status FindProgram();
  Status CheckTensors() const;
  Status PrepareNodes();
  Status RunNode(uint32_t index);

  OfflineGraph graph_;
  PrepareTarget target_;
  FixedArray<const OpRegistration*> registrations_;  // by operator
  FixedArray<OpResolver> resolver_;                  // a copy, where an operator looks into it
  FixedArray<max_align_t> workspace_;                // of the largest operator
  size_t arena_bytes_ = 0, buffer_bytes_ = 0, lower_bound_ = 0, packed_bytes_ = 0;
};

}  // namespace micrort
