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

// A value with zeros before and behind it, along an axis.
struct ZeroPadded {
  ValueId value = kNoValue;
  int64_t axis = -1, before = 0, behind = 0;
};

bool IsAllZeros(const Value& value) {
  return value.is_constant() && value.quantization.empty() &&
         std::all_of(value.data->begin(), value.data->end(), [](uint8_t byte) { return byte == 0; });
}

bool IsPadded(const Node& pad, ZeroPadded* out) {
  const auto& options = pad.as<schema::PadOptionsT>();
  const size_t rank = options.pads.size() / 2;
  if (options.mode != schema::PadMode::Constant || options.value != 0 || pad.inputs.size() != 1) return false;
  out->value = pad.inputs[0];
  for (size_t d = 0; d < rank; ++d) {
    const int64_t before = options.pads[d], behind = options.pads[rank + d];
    if (before == 0 && behind == 0) continue;
    if (before < 0 || behind < 0 || out->axis >= 0) return false;
    *out = {out->value, static_cast<int64_t>(d), before, behind};
  }
  return out->axis >= 0;
}

bool IsPaddedByConcat(const Graph& graph, const Node& concat, ZeroPadded* out) {
  out->axis = concat.as<schema::ConcatOptionsT>().axis;
  for (const ValueId id : concat.inputs) {
    const Value& value = graph.value(id);
    if (!value.is_constant()) {
      if (out->value != kNoValue) return false;
      out->value = id;
    } else {
      if (!IsAllZeros(value)) return false;
      (out->value == kNoValue ? out->before : out->behind) += value.dim(static_cast<size_t>(out->axis));
    }
  }
  return out->value != kNoValue;
}

bool IsZeroPadded(const Graph& graph, const Node& node, ZeroPadded* out) {
  if (node.code == schema::OpCode::Pad) return IsPadded(node, out);
  return node.code == schema::OpCode::Concat && IsPaddedByConcat(graph, node, out);
}

class Comparison {
 public:
  using Constants = std::map<ValueId, std::shared_ptr<const Bytes>>;

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

  // Goes on where results differ.
  Constants FindConstants(const std::vector<ValueId>& a, const std::vector<ValueId>& b) {
    Constants found;
    Push(a, b);
    while (!left_.empty()) {
      const auto [x, y] = left_.back();
      left_.pop_back();
      const bool is_input =
          y != kNoValue && PlaceOf(second_, y) < static_cast<ptrdiff_t>(second_.inputs.size());
      if (x != kNoValue && is_input && first_.value(x).is_constant()) {
        const Value &constant = first_.value(x), &input = second_.value(y);
        if (constant.dtype == input.dtype && constant.shape == input.shape) found.emplace(y, constant.data);
      } else {
        (void)IsPair(x, y);
      }
    }
    return found;
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
    if (p->code != q->code) return ArePaddedAlike(*p, *q);
    return PlaceAmong(p->outputs, x) == PlaceAmong(q->outputs, y) && AreEqualNodes(*p, *q) &&
           Push(p->inputs, q->inputs);
  }

  bool ArePaddedAlike(const Node& p, const Node& q) {
    ZeroPadded a, b;
    return IsZeroPadded(first_, p, &a) && IsZeroPadded(second_, q, &b) && a.axis == b.axis &&
           a.before == b.before && a.behind == b.behind && Push({a.value}, {b.value});
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

std::map<ValueId, std::shared_ptr<const Bytes>> ConstantsForInputs(const Graph& first,
                                                                   const std::vector<ValueId>& a,
                                                                   const Graph& second,
                                                                   const std::vector<ValueId>& b) {
  return Comparison(first, second).FindConstants(a, b);
}

}  // namespace micrort::ir
