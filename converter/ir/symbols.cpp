#include "converter/ir/symbols.h"

#include <iterator>

namespace micrort::ir {

namespace {

constexpr size_t kFixed = static_cast<size_t>(-1);

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
    {{{3, 5}, {2, 4}}, {{224, 480}, {32, 96}}},  // all different, in both probes and in their ratio
    {{{2, 3}, {0, 0}}, {{64, 96}, {0, 0}}},
    {{{2, 3}, {0, 0}}, {{224, 480}, {0, 0}}},
    {{{1, 1}, {0, 0}}, {{224, 480}, {0, 0}}},  // works for a batch of 1 only
    {{{2, 3}, {0, 0}}, {{8, 16}, {0, 0}}},
    {{{4, 6}, {0, 0}}, {{4, 6}, {0, 0}}},
    {{{1, 1}, {0, 0}}, {{1, 2}, {0, 0}}},
    {{{1, 1}, {0, 0}}, {{1, 1}, {0, 0}}},  // states beside one sample
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
  symbols_.push_back({name, leading, counts_[leading]++});
  return symbols_.size() - 1;
}

void Symbols::AddOpen(const Graph& graph, ValueId id, uint32_t dims) {
  for (int d = 0; dims >> d != 0; ++d) {
    if ((dims >> d & 1u) == 0 || open_.count({&graph, id, d}) != 0) continue;
    open_.emplace(std::make_tuple(&graph, id, d), AddSymbol("", d == 0));
  }
}

int64_t Symbols::OnlySize(ValueId id, int dim, size_t attempt) const {
  const size_t symbol = dims_.at(id)[static_cast<size_t>(dim)];
  if (symbol == kFixed) return kDynamic;
  const int64_t size = SizeOf(symbols_[symbol], attempt, 0);
  return size == SizeOf(symbols_[symbol], attempt, 1) ? size : kDynamic;
}

int64_t Symbols::OpenSize(const Graph& graph, ValueId id, int dim, size_t attempt, size_t probe) const {
  return SizeOf(symbols_[open_.at({&graph, id, dim})], attempt, probe);
}

int64_t Symbols::SizeOf(const Symbol& symbol, size_t attempt, size_t probe) const {
  const Progression& p = symbol.leading ? kAttempts[attempt].leading : kAttempts[attempt].other;
  return p.first[probe] + symbol.ordinal * p.step[probe];
}

std::vector<int64_t> Symbols::ShapeOf(const Value& value, ValueId id, size_t attempt, size_t probe) const {
  std::vector<int64_t> shape = value.shape;
  const std::vector<size_t>& dims = dims_.at(id);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (dims[i] != kFixed) shape[i] = SizeOf(symbols_[dims[i]], attempt, probe);
  }
  return shape;
}

std::string Symbols::NameOf(size_t attempt, int64_t a, int64_t b) const {
  const Symbol* match = nullptr;
  for (const Symbol& symbol : symbols_) {
    if (SizeOf(symbol, attempt, 0) != a || SizeOf(symbol, attempt, 1) != b) continue;
    if (match != nullptr) return "";
    match = &symbol;
  }
  return match == nullptr ? "" : match->name;
}

}  // namespace micrort::ir
