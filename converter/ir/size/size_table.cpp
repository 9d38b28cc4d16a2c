#include "converter/ir/size/size_table.h"

namespace micrort::ir::size {

SizeTable::Entry& SizeTable::At(const Graph& graph, ValueId id) {
  std::deque<Entry>& entries = entries_[&graph];
  if (entries.size() < graph.value_count()) entries.resize(graph.value_count());
  return entries[static_cast<size_t>(id)];
}

const SizeTable::Entry* SizeTable::Find(const Graph& graph, ValueId id) const {
  const auto entries = entries_.find(&graph);
  const auto i = static_cast<size_t>(id);
  return entries != entries_.end() && i < entries->second.size() ? &entries->second[i] : nullptr;
}

Expr SizeTable::FreeDim(const Graph& graph, ValueId id, int dim) {
  const auto [place, is_new] = places_.try_emplace(Place(&graph, id, Kind::kFree, dim));
  if (is_new) {
    place->second = symbols_.Add("");
    witness_.AddFree(place->second, dim == 0);
  }
  return Expr(place->second);
}

Expr SizeTable::ComputedDim(const Graph& graph, ValueId id, int dim, int64_t size) {
  const auto [place, is_new] = places_.try_emplace(Place(&graph, id, Kind::kComputed, dim));
  if (is_new) place->second = symbols_.Add("");
  witness_.SetComputed(place->second, size);
  return Expr(place->second);
}

Expr SizeTable::Element(const Graph& graph, ValueId id, int element, std::optional<int64_t> value) {
  const auto [place, is_new] = places_.try_emplace(Place(&graph, id, Kind::kElement, element));
  if (is_new) {
    place->second = symbols_.Add("", true);
    if (!value) witness_.AddFree(place->second, false);
  }
  if (value) witness_.SetComputed(place->second, *value);
  return Expr(place->second);
}

std::map<Symbol, std::pair<const Graph*, ValueId>> SizeTable::TensorsOfElements() const {
  std::map<Symbol, std::pair<const Graph*, ValueId>> tensors;
  for (const auto& [place, symbol] : places_) {
    const auto& [graph, id, kind, at] = place;
    if (kind == Kind::kElement) tensors[symbol] = {graph, id};
  }
  return tensors;
}

}  // namespace micrort::ir::size
