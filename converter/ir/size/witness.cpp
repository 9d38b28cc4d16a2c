#include "converter/ir/size/witness.h"

#include <algorithm>

namespace micrort::ir::size {

namespace {

// Size of the i-th symbol: first + i * step.
struct Progression {
  int64_t first, step;
};
constexpr Progression kLeading = {3, 2}, kOther = {224, 32};
constexpr Progression kEqualLeading = {2, 0}, kEqualOther = {64, 0};
// The size of a symbol that others are multiples of.
constexpr int64_t kMultiple = 7, kEqualMultiple = 4;

}  // namespace

Witness::Entry& Witness::At(Symbol symbol) {
  const auto id = static_cast<size_t>(symbol.id);
  if (entries_.size() <= id) entries_.resize(id + 1);
  return entries_[id];
}

void Witness::AddFree(Symbol symbol, bool leading) {
  At(symbol) = {Kind::kFree, leading, counts_[leading]++, std::nullopt, free_.size()};
  free_.push_back(symbol);
}

void Witness::SetComputed(Symbol symbol, int64_t size) {
  Entry& entry = At(symbol);
  entry.kind = Kind::kComputed;
  entry.computed = size;
}

bool Witness::IsComputed(Symbol symbol) const {
  const auto id = static_cast<size_t>(symbol.id);
  return id < entries_.size() && entries_[id].kind == Kind::kComputed;
}

std::optional<int64_t> Witness::SizeOf(Symbol symbol) const {
  const auto id = static_cast<size_t>(symbol.id);
  const Entry entry = id < entries_.size() ? entries_[id] : Entry();
  if (entry.kind == Kind::kComputed) return entry.computed;
  if (entry.kind == Kind::kMultiple) return are_equal_ ? kEqualMultiple : kMultiple;
  const Progression& own = entry.leading ? kLeading : kOther;
  const Progression& p = !are_equal_ ? own : entry.leading ? kEqualLeading : kEqualOther;
  return p.first + entry.ordinal * p.step;
}

std::optional<int64_t> Witness::SizeOf(const Expr& e, const Solver& likely) const {
  return Evaluate(likely.Resolve(e), [this](Symbol s) { return SizeOf(s); });
}

std::optional<size_t> Witness::PlaceOf(int id) const {
  const auto i = static_cast<size_t>(id);
  if (i >= entries_.size() || entries_[i].kind != Kind::kFree) return std::nullopt;
  return entries_[i].place;
}

std::vector<std::optional<int64_t>> Witness::FreeSizes(const Solver& likely, size_t first) const {
  std::vector<std::optional<int64_t>> sizes;
  sizes.reserve(free_.size() - std::min(first, free_.size()));
  for (size_t i = first; i < free_.size(); ++i) {
    sizes.push_back(likely.IsBound(free_[i]) ? SizeOf(Expr(free_[i]), likely) : SizeOf(free_[i]));
  }
  return sizes;
}

}  // namespace micrort::ir::size
