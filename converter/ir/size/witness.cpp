#include "converter/ir/size/witness.h"

#include <iterator>

namespace micrort::ir::size {

namespace {

// Size of the i-th symbol: first + i * step.
struct Progression {
  int64_t first, step;
};
struct Attempt {
  Progression leading, other;
  int64_t multiple;  // of a symbol that others are multiples of
};

constexpr Attempt kAttempts[] = {
    {{3, 2}, {224, 32}, 7},       {{3, 2}, {481, 26}, 15},  {{3, 2}, {480, 96}, 8},
    {{2, 0}, {64, 0}, 4},                                  // see attempt_of_equal_sizes
    {{2, 0}, {224, 0}, 7},        {{1, 0}, {224, 32}, 7},  // works for a batch of 1 only
    {{2, 0}, {8, 0}, 2},          {{3, 2}, {1, 0}, 1},      {{4, 0}, {4, 0}, 4},
    {{1, 0}, {2, 0}, 2},          {{1, 0}, {1, 0}, 1},       // states beside one sample
    {{3, 2}, {1951, 64}, 61},     {{3, 2}, {1536, 64}, 48},  // sounds of several windows,
    {{3, 2}, {256, 64}, 8},                                  // windows of sound that become one frame,
    {{3, 2}, {512, 64}, 16},                                 // at twice the rate
    {{3, 2}, {32, 288}, 4},                                  // lines of text: low and wide
    {{3, 2}, {16000, 4000}, 125}, {{8, 0}, {16, 0}, 2},
};

}  // namespace

size_t Witness::attempts() { return std::size(kAttempts); }

size_t Witness::attempt_of_equal_sizes() { return 3; }

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
  if (entry.kind == Kind::kMultiple) return kAttempts[attempt_].multiple;
  const Progression& p = entry.leading ? kAttempts[attempt_].leading : kAttempts[attempt_].other;
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
  for (size_t i = first; i < free_.size(); ++i) sizes.push_back(SizeOf(Expr(free_[i]), likely));
  return sizes;
}

}  // namespace micrort::ir::size
