#include "converter/ir/same_results.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "converter/ir/options_bytes.h"

namespace micrort::ir {
namespace {

bool AreEqualConstants(const Value& a, const Value& b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.quantization == b.quantization &&
         (a.data == b.data || *a.data == *b.data);
}

class Comparison {
 public:
  Comparison(const Graph& first, const Graph& second)
      : first_(first),
        second_(second),
        first_uses_(first.ComputeUses()),
        second_uses_(second.ComputeUses()) {}

  bool AreEqual(const std::vector<ValueId>& a, const std::vector<ValueId>& b) {
    if (!Push(a, b)) return false;
    while (!left_.empty()) {
      const auto [x, y] = left_.back();
      left_.pop_back();
      if (!IsPair(x, y)) return false;
    }
    return true;
  }

 private:
  bool Push(const std::vector<ValueId>& a, const std::vector<ValueId>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) left_.emplace_back(a[i], b[i]);
    return true;
  }

  bool IsPair(ValueId x, ValueId y) {
    if (x == kNoValue || y == kNoValue) return x == y;
    const Value &a = first_.value(x), &b = second_.value(y);
    if (a.is_constant() || b.is_constant())
      return a.is_constant() && b.is_constant() && AreEqualConstants(a, b);
    const auto [known, is_new] = pairs_.emplace(x, y);
    if (!is_new) return known->second == y;
    const Node* p = first_uses_.producer[static_cast<size_t>(x)];
    const Node* q = second_uses_.producer[static_cast<size_t>(y)];
    if (p == nullptr || q == nullptr) return p == q && PlaceOf(first_, x) == PlaceOf(second_, y);
    return PlaceAmong(p->outputs, x) == PlaceAmong(q->outputs, y) && AreEqualNodes(*p, *q) &&
           Push(p->inputs, q->inputs);
  }

  static ptrdiff_t PlaceAmong(const std::vector<ValueId>& ids, ValueId id) {
    return std::find(ids.begin(), ids.end(), id) - ids.begin();
  }
  static ptrdiff_t PlaceOf(const Graph& graph, ValueId id) { return PlaceAmong(graph.inputs, id); }

  static bool AreEqualNodes(const Node& p, const Node& q) {
    if (p.outputs.size() != q.outputs.size() || p.bodies.size() != q.bodies.size()) return false;
    if (OptionsBytes(p) != OptionsBytes(q)) return false;
    for (size_t i = 0; i < p.bodies.size(); ++i) {
      const Graph &a = *p.bodies[i], &b = *q.bodies[i];
      if (a.inputs.size() != b.inputs.size() || !HaveSameResults(a, a.outputs, b, b.outputs)) return false;
    }
    return true;
  }

  const Graph &first_, &second_;
  const Graph::Uses first_uses_, second_uses_;
  std::unordered_map<ValueId, ValueId> pairs_;  // of the first graph, with what is compared to it
  std::vector<std::pair<ValueId, ValueId>> left_;
};

}  // namespace

bool HaveSameResults(const Graph& first, const std::vector<ValueId>& a, const Graph& second,
                     const std::vector<ValueId>& b) {
  return Comparison(first, second).AreEqual(a, b);
}

}  // namespace micrort::ir
