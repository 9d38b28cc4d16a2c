#include "converter/observe/open_sizes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "converter/ir/infer.h"
#include "converter/ir/size/input_sizes.h"

namespace micrort::observe {
namespace {

using ir::size::AtomKind;
using ir::size::Expr;
using ir::size::Symbol;

// Larger ones take longer to compare than they tell.
constexpr int64_t kLargestThreshold = 600;
constexpr double kMostElements = 1 << 22;

// Where an expression changes its form: the numbers that single symbols are compared with.
class Thresholds {
 public:
  std::set<int64_t> Of(ir::Graph& graph) {
    ir::ShapeInference inference(graph);
    for (const auto& node : graph.nodes) {
      if (!inference.Visit(*node).ok()) return numbers_;
    }
    for (const auto& node : graph.nodes) {
      for (const ir::ValueId id : node->outputs) {
        const ir::size::SizedTensor tensor = inference.SizesOf(graph, id);
        for (const Expr& dim : tensor.shape) Add(dim);
        if (!tensor.values) continue;
        for (const ir::size::Number& number : *tensor.values) Add(number.numerator);
      }
    }
    return numbers_;
  }

 private:
  void Add(const Expr& e) {
    for (const Expr::Term& term : e.terms()) {
      for (const ir::size::AtomPtr& atom : term.factors) {
        if (!seen_.insert(atom.get()).second) continue;
        const bool is_test = atom->kind == AtomKind::kPositivePart || atom->kind == AtomKind::kIsZero ||
                             atom->kind == AtomKind::kIsNonNegative;
        if (is_test) AddZeroOf(atom->arguments[0]);
        for (const Expr& argument : atom->arguments) Add(argument);
        kept_.push_back(atom);
      }
    }
  }

  // Adds the number for which factor * symbol + offset is 0; other expressions have none here.
  void AddZeroOf(const Expr& e) {
    const Span<const Expr::Term> terms = e.terms();
    if (terms.empty() || terms.size() > 2) return;
    const int64_t offset = terms[0].factors.empty() ? terms[0].coefficient : 0;
    const Expr::Term& last = terms[terms.size() - 1];
    if (last.factors.size() != 1 || last.factors[0]->kind != AtomKind::kSymbol) return;
    const int64_t zero = -offset / last.coefficient;
    if (zero > 0 && zero <= kLargestThreshold) numbers_.insert(zero);
  }

  std::set<int64_t> numbers_;
  std::set<const ir::size::Atom*> seen_;
  std::vector<ir::size::AtomPtr> kept_;  // so that no other atom has the address of one that was seen
};

class Choices {
 public:
  Choices(const ir::Graph& graph, size_t most) : graph_(graph), most_(most) {
    for (const auto& [symbol, at] : graph.input_sizes->places) AddSymbol(symbol, at);
  }

  void Try(const std::map<int, int64_t>& free) {
    if (all_.size() == most_) return;
    std::map<int, int64_t> sizes = free;
    for (const ir::size::SizeRule& rule : graph_.input_sizes->rules) {
      if (const std::optional<Symbol> symbol = Follows(rule)) {
        const std::optional<int64_t> size = Evaluate(rule.right, sizes);
        if (!size || *size < 1) return;
        sizes[symbol->id] = *size;
      }
    }
    for (const ir::size::SizeRule& rule : graph_.input_sizes->rules) {
      const std::optional<int64_t> left = Evaluate(rule.left, sizes), right = Evaluate(rule.right, sizes);
      if (!left || left != right) return;
    }
    std::vector<Dims> shapes;
    if (ShapesFor(sizes, &shapes) && std::find(all_.begin(), all_.end(), shapes) == all_.end())
      all_.push_back(std::move(shapes));
  }

  const std::vector<int>& symbols() const { return symbols_; }
  // Whether it is an outermost dimension, so most likely a batch.
  bool is_leading(int symbol) const { return leading_.count(symbol) != 0; }
  std::vector<std::vector<Dims>> Take() { return std::move(all_); }

 private:
  void AddSymbol(Symbol symbol, const ir::size::InputDim& at) {
    symbols_.push_back(symbol.id);
    if (at.dim == 0) leading_.insert(symbol.id);
    by_place_[{at.input, at.dim}] = symbol.id;
    for (const ir::ValueId id : graph_.inputs) {
      const ir::Value& value = graph_.value(id);
      const auto dim = static_cast<size_t>(at.dim);
      if (value.name == at.input && dim < value.dim_names.size() && !value.dim_names[dim].empty())
        by_name_[value.dim_names[dim]] = symbol.id;
    }
  }

  // "total = past + new": the symbol on the left.
  static std::optional<Symbol> Follows(const ir::size::SizeRule& rule) {
    std::optional<Symbol> left = rule.left.symbol();
    std::set<Symbol> others;
    rule.right.AddSymbols(&others);
    if (left && others.count(*left) != 0) left.reset();
    return left;
  }

  static std::optional<int64_t> Evaluate(const Expr& e, const std::map<int, int64_t>& sizes) {
    return ir::size::Evaluate(e, [&](Symbol symbol) -> std::optional<int64_t> {
      const auto found = sizes.find(symbol.id);
      return found == sizes.end() ? std::nullopt : std::optional<int64_t>(found->second);
    });
  }

  bool ShapesFor(const std::map<int, int64_t>& sizes, std::vector<Dims>* shapes) const {
    double elements = 0;
    for (const ir::ValueId id : graph_.inputs) {
      const ir::Value& value = graph_.value(id);
      shapes->push_back(value.shape);
      double product = 1;
      for (size_t d = 0; d < value.shape.size(); ++d) {
        int64_t& dim = shapes->back()[d];
        if (dim == ir::kDynamic) {
          const auto place = by_place_.find({value.name, static_cast<int>(d)});
          const auto name = by_name_.find(d < value.dim_names.size() ? value.dim_names[d] : "");
          if (place == by_place_.end() && name == by_name_.end()) return false;
          const auto size = sizes.find(place != by_place_.end() ? place->second : name->second);
          if (size == sizes.end()) return false;
          dim = size->second;
        }
        product *= static_cast<double>(dim);
      }
      elements += product;
    }
    return elements <= kMostElements;
  }

  const ir::Graph& graph_;
  const size_t most_;
  std::vector<int> symbols_;
  std::set<int> leading_;
  std::map<std::pair<std::string, int>, int> by_place_;
  std::map<std::string, int> by_name_;
  std::vector<std::vector<Dims>> all_;
};

}  // namespace

std::vector<std::vector<Dims>> ChooseOpenSizes(ir::Graph& graph, size_t most) {
  if (graph.input_sizes == nullptr || graph.input_sizes->places.empty()) return {};
  Choices choices(graph, most);
  const std::vector<int>& symbols = choices.symbols();
  // Sizes that differ from each other show which is which.
  constexpr int64_t kSmall[] = {2, 3, 5, 4, 7, 1};
  constexpr size_t kSmallCount = std::size(kSmall);
  const auto small = [&](size_t first) {
    std::map<int, int64_t> sizes;
    for (size_t i = 0; i < symbols.size(); ++i) sizes[symbols[i]] = kSmall[(first + i) % kSmallCount];
    return sizes;
  };
  choices.Try(small(0));
  for (const int64_t threshold : Thresholds().Of(graph)) {
    for (const int symbol : symbols) {
      for (const int64_t size : {threshold + 1, threshold, threshold - 1}) {
        std::map<int, int64_t> sizes = small(0);
        sizes[symbol] = size;
        if (size > 0) choices.Try(sizes);
      }
    }
  }
  choices.Try(small(1));
  for (const int64_t size : {1, 2, 3, 8, 32, 64, 224}) {
    std::map<int, int64_t> equal, batches;
    for (const int symbol : symbols) {
      equal[symbol] = size;
      batches[symbol] = choices.is_leading(symbol) ? 2 : size;
    }
    choices.Try(batches);
    choices.Try(equal);
  }
  return choices.Take();
}

}  // namespace micrort::observe
