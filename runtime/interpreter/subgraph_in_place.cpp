// Nodes that may write their output over their input at the cost of time: which of them do so.

#include <algorithm>
#include <cinttypes>

#include "runtime/interpreter/subgraph.h"
#include "runtime/plan/in_place_offers.h"

namespace micrort {

// A node in a chain has no memory to take over. One whose scratch the file limits has been planned as the
// file says.
bool Subgraph::MayTakeOffer(size_t o, Span<const PlanItem> items) const {
  const Node& node = nodes_[o];
  const int input = node.prepared.in_place_offer.input;
  const bool in_chain =
      std::any_of(chains_.begin(), chains_.end(), [o](const FusedChain& chain) { return chain.Holds(o); });
  if (input < 0 || node.skipped || node.varies || in_chain) return false;
  if (node.source->max_scratch() >= 0 && !FileHasInPlace(o)) return false;
  const Span<const int32_t> inputs = Ints(node.source->inputs());
  const int32_t from = inputs[static_cast<size_t>(input)];
  const PlanItem& x = items[static_cast<size_t>(from)];
  const PlanItem& y = items[static_cast<size_t>(Ints(node.source->outputs())[0])];
  return x.bytes != 0 && x.bytes == y.bytes && x.last_op == static_cast<int32_t>(o) &&
         std::count(inputs.begin(), inputs.end(), from) == 1;
}

InPlaceOffer Subgraph::OfferOf(size_t o, Span<const PlanItem> items) const {
  const size_t scratch = items[tensors_.size() + o].bytes;
  const size_t offered = AlignUp(nodes_[o].prepared.in_place_offer.scratch_bytes, kAlignment);
  const size_t more = offered > scratch ? offered - scratch : 0;
  const size_t saved = AlignUp(nodes_[o].outputs[0]->bytes(), kAlignment);
  return {static_cast<int32_t>(o), saved > more ? saved - more : 0, FileHasInPlace(o)};
}

// As far as the file's plan is used.
bool Subgraph::FileHasInPlace(size_t o) const {
  if (source_->plan() == nullptr || !RunsAsInFile()) return false;
  const auto* offsets = source_->plan()->offsets();
  const schema::Operator& op = *nodes_[o].source;
  const int64_t x = offsets->Get(static_cast<uint32_t>(op.inputs()->Get(0)));
  return x >= 0 && x == offsets->Get(static_cast<uint32_t>(op.outputs()->Get(0)));
}

Status Subgraph::TakeOffers() {
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildItems(&items));
  return TakeOffers(items);
}

Status Subgraph::TakeOffers(Span<const PlanItem> items) {
  size_t count = 0;
  for (size_t o = 0; o < nodes_.size(); ++o) count += MayTakeOffer(o, items) ? 1 : 0;
  FixedArray<InPlaceOffer> offers;
  MICRORT_RETURN_IF_ERROR(offers.Allocate(count));
  count = 0;
  for (size_t o = 0; o < nodes_.size(); ++o) {
    if (MayTakeOffer(o, items)) offers[count++] = OfferOf(o, items);
  }
  MICRORT_RETURN_IF_ERROR(ChooseOffers(items, offers));
  for (const InPlaceOffer& offer : offers) {
    if (!offer.taken) continue;
    Node& node = nodes_[static_cast<size_t>(offer.op)];
    if (Status s = TakeOffer(node); !s.ok()) return node.Explain(s);
  }
  return Status();
}

Status Subgraph::TakeOffer(Node& node) {
  PrepareResult& prepared = node.prepared;
  const size_t scratch = prepared.in_place_offer.scratch_bytes;
  const int64_t limit = node.source->max_scratch();
  if (limit >= 0 && scratch > static_cast<uint64_t>(limit)) {
    return MICRORT_ERROR(kOutOfMemory,
                         "needs %zu bytes of scratch to work in place, the file allows %" PRId64
                         " (mnnconvert --max-arena)",
                         scratch, limit);
  }
  prepared.in_place[0] = prepared.in_place_offer.input;
  prepared.scratch_bytes = std::max(prepared.scratch_bytes, scratch);
  return Status();
}

}  // namespace micrort
