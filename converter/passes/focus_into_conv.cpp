// Space-to-depth by strided slices, "focus", before a convolution: a convolution of the whole image with a
// kernel and a stride as much larger does the same, and nothing is copied.

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::OpCode;

// Where height, width and channels of an image are; slices may come before it is moved to [N,H,W,C].
struct Axes {
  int spatial[2];
  int channels;
};
constexpr Axes kNhwc = {{1, 2}, 3}, kNchw = {{2, 3}, 1};

// Every second row and column of an image, from these on.
struct Quarter {
  ir::ValueId image = ir::kNoValue;
  int64_t start[2] = {0, 0};
  bool halved[2] = {false, false};
};

// Whether a Slice takes every second element of one of the axes H and W, up to the end; notes it.
bool ReadSlice(const ir::Graph& graph, const ir::Node& slice, const Axes& axes, Quarter* quarter) {
  if (slice.code != OpCode::Slice || slice.has_input(1)) return false;
  const auto& options = slice.as<schema::SliceOptionsT>();
  const ir::Value& x = graph.value(slice.inputs[0]);
  if (x.rank() != 4 || options.steps.size() != options.axes.size()) return false;
  for (size_t i = 0; i < options.axes.size(); ++i) {
    const auto axis =
        static_cast<size_t>(std::find(axes.spatial, axes.spatial + 2, options.axes[i]) - axes.spatial);
    if (axis == 2 || quarter->halved[axis]) return false;
    const int64_t size = x.shape[static_cast<size_t>(options.axes[i])];
    const bool is_half = size != ir::kDynamic && size % 2 == 0 && options.steps[i] == 2 &&
                         options.ends[i] >= size && options.starts[i] >= 0 && options.starts[i] < 2;
    if (!is_half) return false;
    quarter->start[axis] = options.starts[i];
    quarter->halved[axis] = true;
  }
  return true;
}

std::optional<Quarter> FindQuarter(const Site& site, ir::ValueId id, const Axes& axes) {
  Quarter quarter;
  while (!quarter.halved[0] || !quarter.halved[1]) {
    const ir::Node* slice = site.uses.producer(id);
    if (slice == nullptr || !ReadSlice(site.graph, *slice, axes, &quarter)) return std::nullopt;
    id = slice->inputs[0];
  }
  quarter.image = id;
  return quarter;
}

// The quarters of one image, each once.
std::vector<Quarter> FindQuarters(const Site& site, const ir::Node& concat, const Axes& axes) {
  if (concat.code != OpCode::Concat || concat.inputs.size() != 4) return {};
  if (concat.as<schema::ConcatOptionsT>().axis != axes.channels) return {};
  std::vector<Quarter> quarters;
  int found = 0;
  for (const ir::ValueId part : concat.inputs) {
    const auto quarter = FindQuarter(site, part, axes);
    if (!quarter || (!quarters.empty() && quarter->image != quarters[0].image)) return {};
    found |= 1 << (2 * quarter->start[0] + quarter->start[1]);
    quarters.push_back(*quarter);
  }
  return found == 15 ? quarters : std::vector<Quarter>();
}

// [O,KH,KW,4C] over quarters → [O,2KH,2KW,C] over the image.
ir::ValueId SpreadWeights(ir::Graph& graph, const ir::Value& w, const std::vector<Quarter>& quarters) {
  const auto o_count = static_cast<size_t>(w.shape[0]), h = static_cast<size_t>(w.shape[1]);
  const auto width = static_cast<size_t>(w.shape[2]), c = static_cast<size_t>(w.shape[3]) / 4;
  std::vector<float> spread(o_count * h * width * 4 * c);
  const float* from = w.as<float>();
  for (size_t o = 0; o < o_count; ++o) {
    for (size_t y = 0; y < h; ++y) {
      for (size_t x = 0; x < width; ++x) {
        for (const Quarter& quarter : quarters) {
          const size_t row = (o * 2 * h + 2 * y + static_cast<size_t>(quarter.start[0])) * 2 * width;
          const size_t at = row + 2 * x + static_cast<size_t>(quarter.start[1]);
          for (size_t i = 0; i < c; ++i) spread[at * c + i] = *from++;
        }
      }
    }
  }
  const std::vector<int64_t> shape = {w.shape[0], 2 * w.shape[1], 2 * w.shape[2], w.shape[3] / 4};
  return graph.AddConstantOf(w.name + "/image", shape, spread);
}

bool MovesToNhwc(const ir::Node& node) {
  return node.code == OpCode::Transpose &&
         node.as<schema::TransposeOptionsT>().permutation == std::vector<int32_t>{0, 2, 3, 1};
}

bool FoldFocus(const Site& site) {
  ir::Node& conv = site.node;
  if (!HasConstantWeights(site.graph, conv)) return false;
  auto& options = conv.as<schema::Conv2DOptionsT>();
  const ir::Node* concat = site.producer(0);
  const bool moves = concat != nullptr && MovesToNhwc(*concat);
  if (moves) concat = site.uses.producer(concat->inputs[0]);
  if (concat == nullptr || options.groups != 1 || options.dilation_h != 1 || options.dilation_w != 1) {
    return false;
  }
  int32_t* const numbers[] = {&options.stride_h, &options.stride_w,   &options.pad_top,
                              &options.pad_left, &options.pad_bottom, &options.pad_right};
  constexpr int32_t kMost = 1 << 20;
  if (std::any_of(std::begin(numbers), std::end(numbers), [](const int32_t* n) { return *n > kMost; })) {
    return false;
  }
  const std::vector<Quarter> quarters = FindQuarters(site, *concat, moves ? kNchw : kNhwc);
  if (quarters.empty()) return false;
  conv.inputs[0] = moves ? site.Build().Transpose(quarters[0].image, {0, 2, 3, 1}) : quarters[0].image;
  conv.inputs[1] = SpreadWeights(site.graph, site.input(1), quarters);
  for (int32_t* number : numbers) *number *= 2;
  return true;
}

}  // namespace

Status FoldFocusIntoConv(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::Conv2D}, FoldFocus);
  return Status();
}

}  // namespace micrort::passes
