#pragma once
// A subgraph of the file with everything needed to run it for one set of input shapes. The first of a file is
// made in steps, each called once and in this order: Init, Prepare, maybe FuseChains and JoinConcats,
// TakeOffers, Plan, Bind. To change shapes, make another one. The others are bodies: after Init, the operator
// that owns one prepares and plans it, as often as it wants to.

#include "kernels/base/fixed_array.h"
#include "micrort/interpreter.h"
#include "micrort/op_resolver.h"
#include "runtime/interpreter/fused_chain.h"
#include "runtime/interpreter/node.h"
#include "runtime/model/packed_cache.h"
#include "runtime/plan/in_place_offers.h"
#include "runtime/plan/plan_item.h"

namespace micrort {

// A valid address for tensors without elements.
void* EmptyTensorData();
TensorView ViewOf(const Tensor& tensor);

constexpr int kDeviceSearch = -1;

struct PlanRequest {
  int search_steps = kDeviceSearch;  // as PlannerOptions, or what a device can afford
  // Whether to place just scratch and leave tensors where the file's plan puts them; unless that takes more
  // memory than a plan made here.
  bool use_file_offsets = true;
};

class Subgraph final : public BodyPlan, public Body {
 public:
  // Tensors and nodes as in the file; parses all options. The resolver has every operator. The model outlives
  // this. `all` are the subgraphs of the file, for nodes with bodies.
  Status Init(const schema::Model& model, const schema::Subgraph& source, const OpResolver& resolver,
              FixedArray<Subgraph>& all);
  // One shape an input, without negative dimensions. `input_values`: the data of the inputs that are known
  // now, which stay where they are, null for the others; or empty. Prepares all nodes and computes what is
  // known from shapes and these alone.
  Status Prepare(Span<const Shape> input_shapes, Span<const void* const> input_values,
                 const PrepareTarget& target);
  // Lets chains of convolutions run as one operator each where that is faster and takes no more memory; what
  // lies between them then has no place in the arena. Not for a graph that is observed.
  Status FuseChains();
  // Lets convolutions write their outputs as parts of what a Concat would make of them, where no more bytes
  // are alive then; the parts then have no place of their own in the arena. Not for a graph that is observed.
  Status JoinConcats();
  // Takes up the nodes' offers to work in place where that makes the arena smaller. Not for a body.
  Status TakeOffers();
  // The same with `items` as from BuildItems(), but less scratch.
  Status TakeOffers(Span<const PlanItem> items);
  // What has to be placed in the arena, as BuildPlanItems orders it.
  Status BuildItems(FixedArray<PlanItem>* items) const;
  // Lays out the arena and checks the layout, whoever made it.
  Status Plan(const PlanRequest& request);
  // Bytes of packed weights that are used in place from the file.
  size_t packed_in_place_bytes() const;
  // What the nodes want packed and the file does not hold so, in run order; `subgraph` is this one's index.
  // Returns the number of requests.
  size_t CountPackRequests() const;
  size_t AddPackRequests(int32_t subgraph, PackRequest* requests);
  // Gives all tensors and scratch blocks their memory. `arena` has layout().arena_bytes.
  void Bind(void* arena);
  // `views` has max_views() elements where there is an observer. Gives tensors that vary their shapes.
  Status Run(const Parallel& parallel, OpObserver* observer, Span<TensorView> views);

  // As a body.
  int input_count() const override { return static_cast<int>(Ints(source_->inputs()).size()); }
  int output_count() const override { return static_cast<int>(Ints(source_->outputs()).size()); }
  const Tensor& input(int i) const override { return tensors_[InputIndex(i)]; }
  const Tensor& output(int i) const override { return tensors_[OutputIndex(i)]; }
  Status SetInput(int i, const Tensor& like, uint32_t open_dims) override;
  Status Infer(InferGoal goal) override;
  int64_t multiply_adds() const override;
  uint64_t work() const override;
  Status PlanArena(size_t* bytes) override;
  void LendInput(int i, void* data, const Shape* shape) override;
  void LendOutput(int i, void* data) override;
  Status Run(const Parallel& parallel) override { return Run(parallel, nullptr, {}); }
  const Tensor& result(int i) const override { return output(i); }

  const schema::Subgraph& source() const { return *source_; }
  const MemoryLayout& layout() const { return layout_; }
  size_t scratch_bytes() const { return layout_.arena_bytes - tensor_bytes_; }
  FixedArray<Node>& nodes() { return nodes_; }
  size_t tensor_count() const { return tensors_.size(); }
  const Tensor& tensor(size_t i) const { return tensors_[i]; }
  // What every dimension of a graph input may be: -1 where it is dynamic.
  const Shape& declared_shape(size_t tensor) const { return declared_[tensor]; }
  // kNoOffset for tensors that are not in the arena.
  int64_t offset(size_t tensor) const {
    return in_arena_[tensor] ? static_cast<int64_t>(offsets_[tensor]) : kNoOffset;
  }
  // The largest sum of inputs and outputs of one node: the views that Run needs to call an observer.
  size_t max_views() const { return max_views_; }

 private:
  Status InitTensors(const schema::Model& model);
  Status InitNodes(const OpResolver& resolver, FixedArray<Subgraph>& all);
  Status LinkNodes();
  void SetTarget(const PrepareTarget& target);
  static void SetBodyTargets(const Node& node, const PrepareTarget& target);
  Status PrepareNodes();
  Status PrepareNode(Node& node);
  static Status PrepareFor(Node& node, const PrepareTarget& target);
  // What is computed while planning for another CPU (mnnconvert --target) takes instructions of this one.
  Status PrepareForThisCpu(Node& node);
  // Within the scratch that the file allows the node: on one thread where more threads need more.
  Status PrepareWithinLimit(Node& node);
  // Lets a prepared node use what the file holds packed for it. kInvalidModel where the file's is of another
  // size, or there is no other form of a constant and the node does not read this one.
  Status UsePackedInFile(Node& node) const;
  bool NeedsPackedWeights(const Node& node) const;
  static void BindBodies(const Node& node);
  bool MayComputeNow(const Node& node) const;
  // From the budget of planning or of the run: the work of one call.
  Status Spend(const Node& node) const;
  Status ComputeNow(Node& node);
  // Prepares a node that varies for the shapes of this run, within the memory planned.
  Status PrepareAgain(Node& node);
  Status KeepBounds(Node& node);
  Status CheckPlannedMemory(const Node& node, const PrepareResult& now) const;
  void UseFileOffsets(Span<PlanItem> items) const;
  // An input of a Concat that is computed in the output, from `offset` bytes on, if it is joined.
  struct ConcatPart {
    size_t producer, concat;  // nodes
    size_t offset;
  };
  // Whether the node is a Concat of channels; and whether node `producer` can compute its input i as a part.
  bool ConcatsChannels(const Node& node) const;
  bool MayBePart(const Node& concat, size_t i, size_t producer, const FixedArray<uint32_t>& readers) const;
  // Writes the parts of node `concat` to concat_parts_ from `first` on, or nothing unless all of its inputs
  // may be parts. Returns their end.
  size_t AddParts(size_t concat, const FixedArray<uint32_t>& readers, const FixedArray<size_t>& producers,
                  size_t first);
  Status FindProducers(FixedArray<size_t>* producers) const;
  void SetJoined(Span<const ConcatPart> parts, bool joined);
  Status BytesAlive(size_t* most) const;
  // Whether nothing runs otherwise than the file's plan expects.
  bool RunsAsInFile() const { return chains_.empty() && joined_ == 0; }
  // Whether node `o` has an offer to work in place, and what that asks of its input holds.
  bool MayTakeOffer(size_t o, Span<const PlanItem> items) const;
  InPlaceOffer OfferOf(size_t o, Span<const PlanItem> items) const;
  Status TakeOffer(Node& node);
  bool FileHasInPlace(size_t o) const;
  // Whether the nodes can do what the file's plan was made for.
  bool FilePlanFits() const;
  // How often each tensor is read.
  Status CountReaders(FixedArray<uint32_t>* readers) const;
  // The first chain at or behind node `from`; false: there is none.
  bool FindChain(size_t from, const FixedArray<uint32_t>& readers, FusedChain* chain) const;
  size_t ChainEnd(size_t first, const FixedArray<uint32_t>& readers) const;
  bool SavesMemory(const FusedChain& chain) const;
  size_t ArenaBytes(const Tensor* tensor) const;
  void RunChain(const FusedChain& chain, const Parallel& parallel) const;
  // Takes the plan it makes if that is smaller than the one in hand.
  Status TryPlan(Span<const PlanItem> items, int search_steps);

  size_t InputIndex(int i) const {
    return static_cast<size_t>(Ints(source_->inputs())[static_cast<size_t>(i)]);
  }
  size_t OutputIndex(int i) const {
    return static_cast<size_t>(Ints(source_->outputs())[static_cast<size_t>(i)]);
  }

  const schema::Model* model_ = nullptr;
  const schema::Subgraph* source_ = nullptr;
  PrepareTarget target_;
  FixedArray<Tensor> tensors_;
  FixedArray<Shape> declared_;
  FixedArray<bool> in_arena_;
  FixedArray<bool> lent_;  // by output, of a body: its memory is the owner's
  FixedArray<size_t> planned_bytes_;
  FixedArray<Node> nodes_;
  FixedArray<Tensor*> links_;            // inputs and outputs of all nodes
  FixedArray<FusedChain> chains_;        // in run order
  FixedArray<ConcatPart> concat_parts_;  // of one Concat after the other
  size_t joined_ = 0;                    // Concats
  AlignedMemory states_;
  FixedArray<size_t> offsets_;  // of tensors, then of the scratch of nodes
  MemoryLayout layout_;
  size_t tensor_bytes_ = 0;  // arena bytes without scratch
  size_t max_views_ = 0;
};

// Init for each subgraph of a model.
Status InitSubgraphs(const schema::Model& model, const OpResolver& resolver, FixedArray<Subgraph>* subgraphs);

}  // namespace micrort
