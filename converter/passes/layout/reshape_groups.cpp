#include "converter/passes/layout/reshape_groups.h"

#include <algorithm>
#include <cstddef>

namespace micrort::passes {
namespace {

// A number of elements: a known factor times some of the input's dynamic dimensions (a bit each).
struct Extent {
  int64_t factor = 1;
  uint32_t dynamic = 0;

  bool operator==(const Extent& o) const { return factor == o.factor && dynamic == o.dynamic; }
  Extent operator*(const Extent& o) const { return {factor * o.factor, dynamic | o.dynamic}; }
  // Whether more dimensions must be multiplied to reach `o`; if neither side can, there is no group.
  bool CanGrowTo(const Extent& o) const {
    if ((dynamic & ~o.dynamic) != 0) return false;
    return dynamic != o.dynamic || factor < o.factor;
  }
};
constexpr Extent kOne = {};

std::vector<Extent> InputExtents(const std::vector<int64_t>& shape) {
  std::vector<Extent> extents;
  for (size_t i = 0; i < shape.size(); ++i) {
    extents.push_back(shape[i] == ir::kDynamic ? Extent{1, 1u << i} : Extent{shape[i], 0});
  }
  return extents;
}

// One dimension may be unknown: it takes what the others leave of the input.
std::optional<std::vector<Extent>> OutputExtents(const std::vector<Extent>& input,
                                                 const std::vector<int64_t>& shape,
                                                 const std::vector<int32_t>& codes) {
  Extent total = kOne;
  for (const Extent& e : input) total = total * e;
  std::vector<Extent> extents(shape.size());
  int rest = -1;
  Extent known = kOne;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int32_t code = codes[i];
    const auto copied = static_cast<size_t>(-2 - static_cast<int64_t>(code));
    if (shape[i] != ir::kDynamic) {
      extents[i] = {shape[i], 0};
    } else if (code <= -2 && copied < input.size()) {
      extents[i] = input[copied];
    } else if (rest < 0) {
      rest = static_cast<int>(i);
      continue;
    } else {
      return std::nullopt;
    }
    if ((known.dynamic & extents[i].dynamic) != 0) return std::nullopt;
    known = known * extents[i];
  }
  if (rest >= 0) {
    if (total.factor % known.factor != 0 || (known.dynamic & ~total.dynamic) != 0) return std::nullopt;
    extents[static_cast<size_t>(rest)] = {total.factor / known.factor, total.dynamic & ~known.dynamic};
  }
  return extents;
}

std::optional<std::vector<ReshapeGroup>> MatchExtents(const std::vector<Extent>& input,
                                                      const std::vector<Extent>& output) {
  std::vector<ReshapeGroup> groups;
  size_t i = 0;
  size_t o = 0;
  ReshapeGroup group;
  Extent in = kOne;
  Extent out = kOne;
  const auto take = [](const std::vector<Extent>& from, size_t* at, Extent* total, std::vector<int>* dims) {
    *total = *total * from[*at];
    if (!(from[*at] == kOne)) dims->push_back(static_cast<int>(*at));
    ++*at;
  };
  while (i < input.size() || o < output.size()) {
    if (in == out) {
      if (i < input.size()) {
        take(input, &i, &in, &group.input);
      } else {
        take(output, &o, &out, &group.output);
      }
    } else if (in.CanGrowTo(out) && i < input.size()) {
      take(input, &i, &in, &group.input);
    } else if (out.CanGrowTo(in) && o < output.size()) {
      take(output, &o, &out, &group.output);
    } else {
      return std::nullopt;
    }
    if (in == out && !(in == kOne)) {
      groups.push_back(std::move(group));
      group = ReshapeGroup();
      in = out = kOne;
    }
  }
  return in == out ? std::make_optional(groups) : std::nullopt;
}

// `order` restricted to dimensions that are not of size 1 must be a sequence of whole groups; gives the
// dimensions of the other side in that sequence. Each dimension of size 1 follows the one before it.
std::optional<Order> Translate(const Order& order, const std::vector<ReshapeGroup>& groups,
                               std::vector<int> ReshapeGroup::*from, std::vector<int> ReshapeGroup::*to,
                               size_t to_rank) {
  Order significant;
  for (int dim : order) {
    for (const ReshapeGroup& group : groups) {
      if (std::count((group.*from).begin(), (group.*from).end(), dim) != 0) significant.push_back(dim);
    }
  }
  std::vector<bool> grouped(to_rank, false);
  for (const ReshapeGroup& group : groups) {
    for (int dim : group.*to) grouped[static_cast<size_t>(dim)] = true;
  }
  Order result;
  const auto append_ones_from = [&](size_t dim) {
    for (; dim < to_rank && !grouped[dim]; ++dim) result.push_back(static_cast<int>(dim));
  };
  append_ones_from(0);
  for (size_t at = 0; at < significant.size();) {
    const auto starts_here = [&](const ReshapeGroup& group) { return (group.*from)[0] == significant[at]; };
    const auto group = std::find_if(groups.begin(), groups.end(), starts_here);
    if (group == groups.end()) return std::nullopt;
    const std::vector<int>& dims = (*group).*from;
    if (significant.size() - at < dims.size() ||
        !std::equal(dims.begin(), dims.end(), significant.begin() + static_cast<std::ptrdiff_t>(at))) {
      return std::nullopt;
    }
    at += dims.size();
    for (int dim : (*group).*to) {
      result.push_back(dim);
      append_ones_from(static_cast<size_t>(dim) + 1);
    }
  }
  return result;
}

}  // namespace

std::optional<ReshapeGroups> ReshapeGroups::Find(const ir::Graph& graph, const ir::Node& reshape) {
  const ir::Value& input = graph.value(reshape.inputs[0]);
  const ir::Value& output = graph.value(reshape.outputs[0]);
  const auto& codes = reshape.as<schema::ReshapeOptionsT>().shape;
  if (reshape.has_input(1) || !input.has_shape || !output.has_shape || codes.size() != output.shape.size())
    return std::nullopt;
  const auto is_zero = [](int64_t dim) { return dim == 0; };
  if (std::any_of(input.shape.begin(), input.shape.end(), is_zero)) return std::nullopt;

  const std::vector<Extent> in = InputExtents(input.shape);
  const auto out = OutputExtents(in, output.shape, codes);
  if (!out) return std::nullopt;
  auto groups = MatchExtents(in, *out);
  if (!groups) return std::nullopt;

  ReshapeGroups result;
  result.groups_ = std::move(*groups);
  result.input_shape_ = input.shape;
  result.output_shape_ = output.shape;
  int inferred = 0;
  for (size_t o = 0; o < output.shape.size(); ++o) {
    int copied = -1;
    for (size_t i = 0; i < in.size(); ++i) {
      if (output.shape[o] == ir::kDynamic && in[i] == (*out)[o]) copied = static_cast<int>(i);
    }
    inferred += output.shape[o] == ir::kDynamic && copied < 0;
    result.copied_.push_back(copied);
  }
  return inferred <= 1 ? std::make_optional(result) : std::nullopt;
}

std::optional<Order> ReshapeGroups::OutputOrder(const Order& order) const {
  return Translate(order, groups_, &ReshapeGroup::input, &ReshapeGroup::output, output_shape_.size());
}

std::optional<Order> ReshapeGroups::InputOrder(const Order& order) const {
  return Translate(order, groups_, &ReshapeGroup::output, &ReshapeGroup::input, input_shape_.size());
}

const ReshapeGroup* ReshapeGroups::OfOutput(int dim) const {
  for (const ReshapeGroup& group : groups_) {
    if (std::count(group.output.begin(), group.output.end(), dim) != 0) return &group;
  }
  return nullptr;
}

std::vector<int32_t> ReshapeGroups::Codes(const Order& input, const Order& output) const {
  std::vector<int32_t> codes;
  for (int dim : output) {
    const auto d = static_cast<size_t>(dim);
    if (output_shape_[d] != ir::kDynamic) {
      codes.push_back(static_cast<int32_t>(output_shape_[d]));
    } else {
      codes.push_back(copied_[d] < 0 ? -1 : -2 - PositionOf(input, copied_[d]));
    }
  }
  return codes;
}

}  // namespace micrort::passes
