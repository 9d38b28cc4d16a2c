#pragma once
// A subgraph of the file with everything needed to run it for one set of input shapes. The first of a file is
// made in steps, each called once and in this order: Init; TakeDecisions or Prepare, maybe Rewrite, Plan;
// Bind. For other shapes, all but Init are called again, which keeps what these make no difference to. The
// others are bodies (subgraph_body.h): after Init, the operator that owns one prepares and plans it, as often
// as it wants to.

#include "micrort/interpreter.h"
#include "runtime/interpreter/lower.h"
#include "runtime/interpreter/subgraph_body.h"
#include "runtime/program/place.h"

namespace micrort {

class Subgraph;

// Lays out the memory of subgraphs in the place of Subgraph::Plan: offline, where there is more time.
class Placer {
 public:
  virtual Status Place(const Subgraph& subgraph, ProgramMemory* memory) = 0;

 protected:
  ~Placer() = default;
};

class Subgraph {
 public:
  // `all` are the subgraphs of the file, for nodes with bodies; else as LoadGraph.
  Status Init(const schema::Model& model, const schema::Subgraph& source, const OpResolver& resolver,
              Span<void* const> constants, FixedArray<Subgraph>& all);
  // One shape an input, without negative dimensions. `input_values`: the data of the inputs that are known
  // now, which stay where they are, null for the others; or empty. Prepares all nodes, computes what is
  // known from shapes and these alone, and lowers the rest to a program.
  Status Prepare(Span<const Shape> input_shapes, Span<const void* const> input_values,
                 const PrepareTarget& target);
  // Prepare, Rewrite and Plan by what the file decided for this target and these shapes, without a search.
  // False where it says nothing that fits; then they have to be called.
  bool TakeDecisions(Span<const Shape> input_shapes, Span<const void* const> input_values,
                     const PrepareTarget& target);
  // The same for a body whose inputs are set: by what the file decided for these, where it did and that fits.
  void SetTarget(const PrepareTarget& target);
  void SetBoundsOnly(bool bounds_only) { target_.bounds_only = bounds_only; }
  Status PrepareAsBody();
  Status PlanAsBody();
  // All rewrites. `fuse`: not only those that leave every tensor whole in memory. Where Prepare could give
  // the program of other shapes the sizes of these, nothing is left to do.
  Status Rewrite(bool fuse);
  Status Plan();
  // null: the device's own search. It outlives this.
  void UsePlacer(Placer* placer) { placer_ = placer; }
  // Before other shapes.
  void Forget();
  // Plan looks for no places then: they follow from those that the subgraph has for other sizes, where it
  // can. null: it searches. It outlives all calls of Plan.
  void PlaceAs(const ProgramMemory* former) { former_ = former; }
  // Gives all tensors and scratch blocks their memory. `arena` has memory().layout.arena_bytes.
  void Bind(void* arena);
  // `views` has max_views() elements where there is an observer. Gives tensors that vary their shapes.
  Status Run(const Parallel& parallel, OpObserver* observer, Span<TensorView> views);

  const PrepareTarget& target() const { return target_; }
  const schema::Subgraph& source() const { return *graph_.source; }
  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }
  Program& program() { return program_; }
  const Program& program() const { return program_; }
  FilePlan file_plan() const { return {graph_.source->plan(), program_}; }
  const ProgramMemory& memory() const { return memory_; }
  // Whether the file decided what runs.
  bool is_decided() const { return graph_.decisions != nullptr; }
  bool is_planned() const { return !memory_.offsets.empty(); }
  SubgraphBody& body() { return body_; }
  // The largest sum of inputs and outputs of one node: the views that Run needs to call an observer.
  size_t max_views() const;

 private:
  Graph graph_;
  PrepareTarget target_;
  bool may_be_decided_ = true;  // by the file, as a body
  Placer* placer_ = nullptr;
  const ProgramMemory* former_ = nullptr;
  Program program_;
  bool is_updated_ = false;  // the program is that of other shapes, with the sizes of these
  ProgramMemory memory_;
  SubgraphBody body_{this};
};

// The subgraph that this is the body of.
inline Subgraph& SubgraphOf(const Body& body) { return static_cast<const SubgraphBody&>(body).subgraph(); }

// Gives the bodies of a node the memory at the start of its scratch.
void BindBodies(const Node& node);

// Init for each subgraph of a model.
Status InitSubgraphs(const schema::Model& model, const OpResolver& resolver, FixedArray<Subgraph>* subgraphs,
                     Span<void* const> constants = {});

}  // namespace micrort
