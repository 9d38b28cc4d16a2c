#pragma once
// A model's program for one target and one batch, decided to the last byte: what ahead-of-time C++ prints.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "converter/aot/aot_graph.h"
#include "converter/aot/constant_pool.h"
#include "converter/aot/open_shapes.h"
#include "converter/emit/aligned_bytes.h"

namespace micrort::aot {

struct AotTarget {
  std::string name;  // as ParseTarget takes it
  CpuFeatures features = 0;
  int threads = 1;
};

// What a run keeps for the next one.
struct StateValue {
  int32_t value = -1;                // the view that steps read
  int32_t computed = -1;             // and the one that becomes it after the run
  size_t offset = 0;                 // of its memory, behind the arena
  const uint8_t* initial = nullptr;  // null: zeros
  bool is_cache = false;             // `computed` is the first rows of `value`, where a run appends
};

class AotProgram {
 public:
  // `batch`: the first dimension of inputs where it is open; other open dimensions are 1. `file` and
  // `constants` outlive this. kUnsupported, naming what it is, where data decide sizes of a graph that an
  // operator runs.
  Status Init(const AlignedBytes& file, const AotTarget& target, int batch, ConstantPool* constants);
  // Gives states, and behind them results that are constants and values that follow from sizes of a run,
  // their memory behind an arena of `arena_bytes`.
  Status PlaceStates(size_t arena_bytes);

  const AotTarget& target() const { return target_; }
  int batch() const { return batch_; }
  const Program& program() const { return subgraphs_[0].program(); }
  const Graph& graph() const { return subgraphs_[0].graph(); }
  const AotGraph& entry() const { return entry_; }
  const Tensor& tensor(int32_t view) const { return graph().tensors[static_cast<size_t>(view)]; }
  // Views that the caller writes and reads.
  Span<const int32_t> inputs() const { return CallerInputs(graph_source()); }
  Span<const int32_t> outputs() const { return CallerOutputs(graph_source()); }
  Span<const StateValue> states() const { return states_; }

  size_t arena_bytes() const { return arena_bytes_; }
  size_t kept_bytes() const { return kept_bytes_; }  // of what PlaceStates() places
  // The offset of a view in the arena.
  size_t OffsetOf(int32_t view) const { return entry_.OffsetOf(view); }
  bool IsInArena(int32_t view) const { return program().buffer_of(view).in_arena; }
  // For a result that is a constant: the offset of the copy that the caller gets.
  size_t CopyOf(int32_t view) const { return copies_.at(view); }
  // Where a run puts a value that planning computed from the largest sizes, and that each run computes again
  // from its own. -1: the view is no such value.
  ptrdiff_t ComputedAgain(int32_t view) const {
    const auto found = computed_again_.find(view);
    return found == computed_again_.end() ? -1 : static_cast<ptrdiff_t>(found->second);
  }
  // null: the view is no state, nor the rows of one that is a cache.
  const StateValue* FindState(int32_t view) const;

  ConstantPool& constants() { return *constants_; }
  // Sizes that data decide; steps add them as they are printed.
  OpenShapes& open_shapes() { return open_shapes_; }
  const OpenShapes& open_shapes() const { return open_shapes_; }
  // What the node packs its weights into, among the constants.
  Status AddPacked(const Node& node, int slot, size_t* offset);

 private:
  void LeaveInputsAlone();
  void PlaceComputedAgain(size_t arena_bytes);
  Status Place();
  const schema::Subgraph& graph_source() const { return *graph().source; }

  AotTarget target_;
  int batch_ = 1;
  FixedArray<Subgraph> subgraphs_;
  FixedArray<size_t> offsets_;  // of the items of BuildPlanItems
  size_t arena_bytes_ = 0, kept_bytes_ = 0;
  std::vector<StateValue> states_;
  std::map<int32_t, size_t> copies_, computed_again_;
  ConstantPool* constants_ = nullptr;
  std::map<std::pair<const Node*, int>, size_t> packed_;
  AotGraph entry_;
  OpenShapes open_shapes_;
};

// Whether the first dimension of the caller's input is open.
bool HasOpenBatch(const schema::Subgraph& graph, size_t input);

// Whether the result is neither computed, nor an argument or a state.
bool IsConstantResult(const AotProgram& program, int32_t view);

// The position among inputs() of a view that the caller writes; -1: it does not.
int InputIndex(const AotProgram& program, int32_t view);

}  // namespace micrort::aot
