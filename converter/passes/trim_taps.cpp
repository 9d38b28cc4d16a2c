// Taps of a filter that meet padding alone, wherever the filter is: those of dilated filters over small
// images, as in the last layers of segmentation networks. They multiply zeros.

#include <algorithm>
#include <cstring>

#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::OpCode;

// One axis of a layer. Tap t of output i reads element i * stride + t * dilation - before.
struct Axis {
  int64_t in, out, taps, stride, dilation;
  int32_t *before, *after;
};

// Those that are kept: a tap may only go with padding of its own size.
struct Kept {
  int64_t first, count;
};

Kept TapsThatMeet(const Axis& a) {
  int64_t first = 0, last = a.taps - 1;
  const int64_t before = *a.before, after = *a.after;
  const auto ends_before_image = [&] { return (a.out - 1) * a.stride + first * a.dilation < before; };
  const auto starts_behind_image = [&] { return last * a.dilation - before >= a.in; };
  while (first < last && ends_before_image() && (first + 1) * a.dilation <= before) ++first;
  while (first < last && starts_behind_image() && (a.taps - last) * a.dilation <= after) --last;
  return {first, last - first + 1};
}

// [outer, KH, KW, inner], of which some rows and columns are kept.
ir::ValueId TrimmedWeights(ir::Graph& graph, const ir::Value& weights, int axis_h, const Kept& h,
                           const Kept& w) {
  const auto at = static_cast<size_t>(axis_h);
  const auto rows = static_cast<size_t>(weights.shape[at]);
  const auto columns = static_cast<size_t>(weights.shape[at + 1]);
  size_t outer = 1, inner = sizeof(float);
  for (size_t d = 0; d < weights.shape.size(); ++d) {
    if (d < at) outer *= static_cast<size_t>(weights.shape[d]);
    if (d > at + 1) inner *= static_cast<size_t>(weights.shape[d]);
  }
  ir::Value trimmed = weights;
  trimmed.shape[at] = h.count;
  trimmed.shape[at + 1] = w.count;
  trimmed.dim_names.clear();
  trimmed.source_order.clear();
  trimmed.in_source = false;
  const auto line = static_cast<size_t>(w.count) * inner;
  ir::Bytes data(outer * static_cast<size_t>(h.count) * line);
  uint8_t* to = data.data();
  for (size_t o = 0; o < outer; ++o) {
    for (size_t y = static_cast<size_t>(h.first); y < static_cast<size_t>(h.first + h.count);
         ++y, to += line) {
      const size_t from = ((o * rows + y) * columns + static_cast<size_t>(w.first)) * inner;
      std::memcpy(to, weights.data->data() + from, line);
    }
  }
  trimmed.data = std::make_shared<const ir::Bytes>(std::move(data));
  return graph.AddValue(std::move(trimmed));
}

template <typename OptionsT>
bool Trim(const Site& site, int axis_h) {
  auto& options = site.node.as<OptionsT>();
  const std::vector<int64_t>&in = site.input(0).shape, &out = site.output().shape;
  const std::vector<int64_t>& taps = site.input(1).shape;
  const auto at = static_cast<size_t>(axis_h);
  const bool are_fixed = in.size() == 4 && out.size() == 4 && std::min({in[1], in[2], out[1], out[2]}) > 0 &&
                         taps.size() > at + 1;
  if (!are_fixed) return false;
  const Axis axes[] = {
      {in[1], out[1], taps[at], options.stride_h, options.dilation_h, &options.pad_top, &options.pad_bottom},
      {in[2], out[2], taps[at + 1], options.stride_w, options.dilation_w, &options.pad_left,
       &options.pad_right}};
  const Kept h = TapsThatMeet(axes[0]), w = TapsThatMeet(axes[1]);
  if (h.count == taps[at] && w.count == taps[at + 1]) return false;
  const Kept kept[] = {h, w};
  for (int i = 0; i < 2; ++i) {
    *axes[i].before -= static_cast<int32_t>(kept[i].first * axes[i].dilation);
    *axes[i].after -= static_cast<int32_t>((axes[i].taps - kept[i].first - kept[i].count) * axes[i].dilation);
  }
  site.node.inputs[1] = TrimmedWeights(site.graph, site.input(1), axis_h, h, w);
  return true;
}

bool TrimTapsOf(const Site& site) {
  if (!HasConstantWeights(site.graph, site.node)) return false;
  return site.node.code == OpCode::Conv2D ? Trim<schema::Conv2DOptionsT>(site, 1)
                                          : Trim<schema::DepthwiseConv2DOptionsT>(site, 0);
}

}  // namespace

Status TrimTaps(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::Conv2D, OpCode::DepthwiseConv2D}, TrimTapsOf);
  return Status();
}

}  // namespace micrort::passes
