#include "converter/ir/symbols.h"

#include <iterator>

namespace micrort::ir {

namespace {

constexpr size_t kFixed = Symbols::kNoSymbol;

// Sizes of the i-th symbol in probes 0 and 1: first + i * step.
struct Progression {
  int64_t first[2];
  int64_t step[2];
};
struct Attempt {
  Progression leading;
  Progression other;
};

constexpr Attempt kAttempts[] = {
    // All different, in both probes and in their ratio; even in one probe and odd in the other, with other
    // remainders by 3, so that what is computed from them, as padding is, differs. First far apart: what is
    // divided by strides again and again becomes 1 of both else.
    {{{3, 8}, {2, 4}}, {{224, 1951}, {32, 26}}},
    {{{3, 8}, {2, 4}}, {{224, 481}, {32, 26}}},
    // Multiples of 2, 4, 8, 16 and 32, where operators need them: in one probe of no larger power of two, so
    // that what is computed from them differs, still.
    {{{3, 8}, {2, 4}}, {{224, 478}, {32, 28}}},
    {{{3, 8}, {2, 4}}, {{224, 484}, {32, 24}}},
    {{{3, 5}, {2, 4}}, {{224, 472}, {32, 32}}},
    {{{3, 5}, {2, 4}}, {{224, 496}, {32, 32}}},
    {{{3, 5}, {2, 4}}, {{224, 480}, {32, 96}}},
    {{{2, 3}, {0, 0}}, {{64, 96}, {0, 0}}},
    {{{2, 3}, {0, 0}}, {{224, 480}, {0, 0}}},
    {{{1, 1}, {0, 0}}, {{224, 481}, {32, 26}}},  // works for a batch of 1 only
    {{{1, 1}, {0, 0}}, {{224, 480}, {0, 0}}},
    {{{2, 3}, {0, 0}}, {{8, 16}, {0, 0}}},
    {{{4, 6}, {0, 0}}, {{4, 6}, {0, 0}}},
    {{{1, 1}, {0, 0}}, {{1, 2}, {0, 0}}},
    {{{1, 1}, {0, 0}}, {{1, 1}, {0, 0}}},          // states beside one sample
    {{{3, 8}, {2, 4}}, {{1536, 4096}, {64, 80}}},  // sounds of several windows,
    {{{3, 5}, {2, 4}}, {{256, 288}, {64, 80}}},    // windows of sound that become one frame,
    {{{3, 5}, {2, 4}}, {{512, 640}, {64, 80}}},    // at twice the rate
    // Lines of text: low and wide, and only so high that one row is left.
    {{{3, 8}, {2, 4}}, {{32, 48}, {288, 416}}},
};

}  // namespace

size_t Symbols::attempts() { return std::size(kAttempts); }

Symbols::Symbols(const Graph& graph) {
  std::unordered_map<std::string, size_t> by_name;
  for (ValueId id : graph.inputs) {
    const Value& v = graph.value(id);
    std::vector<size_t>& dims = dims_[id];
    for (size_t i = 0; i < v.shape.size(); ++i) {
      if (v.shape[i] != kDynamic) {
        dims.push_back(kFixed);
        continue;
      }
      const std::string name = i < v.dim_names.size() ? v.dim_names[i] : "";
      const auto known = name.empty() ? by_name.end() : by_name.find(name);
      if (known != by_name.end()) {
        dims.push_back(known->second);
        continue;
      }
      dims.push_back(AddSymbol(name, i == 0));
      if (!name.empty()) by_name.emplace(name, dims.back());
    }
  }
}

size_t Symbols::AddSymbol(const std::string& name, bool leading) {
  const size_t index = symbols_.size();
  symbols_.push_back({name, leading, counts_[leading]++, index});
  return index;
}

void Symbols::AddRunDims(const Graph& graph, ValueId id, Extents extents) {
  for (int d = 0; d < kMaxRank; ++d) {
    if (extents[d] == Extent::kFixed || run_dims_.count({&graph, id, d}) != 0) continue;
    run_dims_.emplace(std::make_tuple(&graph, id, d), AddSymbol("", d == 0));
  }
}

int64_t Symbols::OnlySize(ValueId id, int dim, size_t attempt) const {
  const size_t symbol = dims_.at(id)[static_cast<size_t>(dim)];
  if (symbol == kFixed) return kDynamic;
  const int64_t size = SizeOf(Sized(symbol), attempt, 0);
  return size == SizeOf(Sized(symbol), attempt, 1) ? size : kDynamic;
}

int64_t Symbols::RunSize(const Graph& graph, ValueId id, int dim, size_t attempt, size_t probe) const {
  return SizeOf(Sized(run_dims_.at({&graph, id, dim})), attempt, probe);
}

int64_t Symbols::SizeOf(const Symbol& symbol, size_t attempt, size_t probe) const {
  const Progression& p = symbol.leading ? kAttempts[attempt].leading : kAttempts[attempt].other;
  return p.first[probe] + symbol.ordinal * p.step[probe];
}

std::vector<int64_t> Symbols::ShapeOf(const Value& value, ValueId id, size_t attempt, size_t probe) const {
  std::vector<int64_t> shape = value.shape;
  const std::vector<size_t>& dims = dims_.at(id);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (dims[i] != kFixed) shape[i] = SizeOf(Sized(dims[i]), attempt, probe);
  }
  return shape;
}

size_t Symbols::Find(size_t attempt, int64_t a, int64_t b) const {
  size_t match = kNoSymbol;
  for (size_t i = 0; i < symbols_.size(); ++i) {
    const Symbol& symbol = symbols_[i];
    if (symbol.same_as != i || SizeOf(symbol, attempt, 0) != a || SizeOf(symbol, attempt, 1) != b) continue;
    if (match != kNoSymbol) return kNoSymbol;
    match = i;
  }
  return match;
}

std::string Symbols::NameOf(size_t attempt, int64_t a, int64_t b) const {
  const size_t match = Find(attempt, a, b);
  return match == kNoSymbol ? "" : symbols_[match].name;
}

// A batch is better tried with few.
bool Symbols::Equate(size_t a, size_t b) {
  a = symbols_[a].same_as;
  b = symbols_[b].same_as;
  if (a == b) return false;
  if (symbols_[b].leading && !symbols_[a].leading) std::swap(a, b);
  for (Symbol& symbol : symbols_) {
    if (symbol.same_as == b) symbol.same_as = a;
  }
  if (symbols_[a].name.empty()) symbols_[a].name = symbols_[b].name;
  return true;
}

}  // namespace micrort::ir
