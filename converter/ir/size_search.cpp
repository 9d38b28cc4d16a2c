#include "converter/ir/size_search.h"

#include <algorithm>
#include <utility>

namespace micrort::ir {

namespace {

using Pair = std::pair<size_t, size_t>;
using Pairs = std::vector<Pair>;
// The symbol that each dimension of an input is, or none.
using SymbolShape = std::vector<size_t>;

// More single pairs than these are not tried.
constexpr size_t kMaxSinglePairs = 32;

void AddPair(size_t a, size_t b, Pairs* pairs) {
  if (a != Symbols::kNoSymbol && b != Symbols::kNoSymbol && a != b) pairs->emplace_back(a, b);
}

// Dimensions of two shapes that stand in the same place, from the end as broadcasting counts or from the
// start.
Pairs InOnePlace(const std::vector<SymbolShape>& shapes, bool from_end) {
  Pairs pairs;
  for (size_t i = 0; i < shapes.size(); ++i) {
    for (size_t j = i + 1; j < shapes.size(); ++j) {
      const SymbolShape &a = shapes[i], &b = shapes[j];
      for (size_t d = 1; d <= a.size() && d <= b.size(); ++d) {
        AddPair(from_end ? a[a.size() - d] : a[d - 1], from_end ? b[b.size() - d] : b[d - 1], &pairs);
      }
    }
  }
  return pairs;
}

Pairs AllPairs(const std::vector<SymbolShape>& shapes) {
  Pairs pairs;
  for (size_t i = 0; i < shapes.size(); ++i) {
    for (size_t j = i + 1; j < shapes.size(); ++j) {
      for (const size_t a : shapes[i]) {
        for (const size_t b : shapes[j]) AddPair(a, b, &pairs);
      }
    }
  }
  return pairs;
}

// What to equate, most likely first.
std::vector<Pairs> Guesses(const std::vector<SymbolShape>& shapes) {
  std::vector<Pairs> guesses = {InOnePlace(shapes, true), InOnePlace(shapes, false)};
  for (const Pair& pair : AllPairs(shapes)) {
    if (guesses.size() < kMaxSinglePairs) guesses.push_back({pair});
  }
  return guesses;
}

// Each time all is visited again; where a graph needs more, sizes that are all equal are tried next.
constexpr int kMostTries = 64;

// Operators in one body that need symbols equal, each others.
constexpr int kMostEquated = 4;

}  // namespace

bool SizeSearch::Find(const Status& error) {
  if (Equate(kMostEquated)) return true;
  may_misfit_ = true;
  return !error.ok() && (TryOtherSizes(false) || TryOtherSizes(true));
}

// There may be several nodes in bodies that do not fit.
bool SizeSearch::Equate(int depth) {
  const std::vector<FailedNode> failed = inference_.failures_;
  return std::any_of(failed.begin(), failed.end(),
                     [&](const FailedNode& node) { return EquateFor(node, depth); });
}

bool SizeSearch::EquateFor(FailedNode failed, int depth) {
  Symbols& symbols = inference_.symbols_;
  std::vector<SymbolShape> shapes;
  for (const ValueId id : failed.second->inputs) {
    if (id == kNoValue) continue;
    const HostTensor *a = nullptr, *b = nullptr;
    const size_t last = inference_.probes_.count() - 1;
    if (!inference_.Find(*failed.first, id, 0, &a).ok() || !inference_.Find(*failed.first, id, last, &b).ok())
      return false;
    shapes.emplace_back();
    for (int d = 0; d < a->shape.rank && a->shape.rank == b->shape.rank; ++d) {
      shapes.back().push_back(symbols.Find(inference_.attempt_, a->shape[d], b->shape[d]));
    }
  }
  const Symbols kept = symbols;
  for (const Pairs& guess : Guesses(shapes)) {
    bool changed = false;
    for (const auto& [a, b] : guess) changed |= symbols.Equate(a, b);
    if (changed && ++inference_.equated_ > kMostTries) break;
    if (changed && Fits()) return true;
    // Another operator's turn.
    const auto& failures = inference_.failures_;
    const bool is_better = changed && std::find(failures.begin(), failures.end(), failed) == failures.end();
    if (is_better && depth > 1 && Equate(depth - 1)) return true;
    symbols = kept;
  }
  symbols = kept;
  return false;
}

bool SizeSearch::Fits() {
  inference_.failures_.clear();
  return inference_.Repeat().ok() && (may_misfit_ || inference_.misfits_.In(visited_).empty());
}

bool SizeSearch::TryOtherSizes(bool equate) {
  const size_t first = inference_.attempt_;
  for (size_t i = 1; i <= Symbols::attempts(); ++i) {
    inference_.attempt_ = (first + i) % Symbols::attempts();
    if (Fits() || (equate && Equate(kMostEquated))) return true;
  }
  return false;
}

bool SizeSearch::MoveTo(size_t attempt, ShapeInference& inference) {
  inference.attempt_ = attempt;
  return !inference.symbols_.empty() && inference.Repeat().ok();
}

void SizeSearch::InferApart(Graph& body) {
  const size_t kept = inference_.attempt_;
  bool is_done = inference_.symbols_.empty();
  for (size_t attempt = 0; attempt < Symbols::attempts() && !is_done; ++attempt) {
    if (attempt == kept) continue;
    inference_.attempt_ = attempt;
    is_done = inference_.Repeat(&body).ok() && inference_.misfits_.Fits(body);
  }
  inference_.attempt_ = kept;
}

}  // namespace micrort::ir
