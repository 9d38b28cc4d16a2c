// GroupNorm comes as a normalization of an image reshaped to [N, groups, rest]. With the dimensions of the
// rest apart, [N, groups, C / groups, H, W], it works in any layout of the image.

#include <optional>
#include <utility>
#include <vector>

#include "converter/ir/build.h"
#include "converter/passes/layout/reshape_groups.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"
#include "kernels/base/shape.h"

namespace micrort::passes {
namespace {

using schema::OpCode;

// The output of a reshape with one of its dimensions cut into those that it was made of.
struct Refined {
  std::vector<int32_t> shape;     // as ReshapeOptions.shape, of the reshape's input
  std::vector<int32_t> original;  // likewise, from the refined shape back to the reshape's output
  std::vector<int32_t> axes;      // that the dimension was cut into
};

int32_t CodeOf(int64_t size, size_t copied) {
  return size == ir::kDynamic ? ir::CopyDim(static_cast<int>(copied)) : static_cast<int32_t>(size);
}

// `group` makes dimension `axis`, or that and the one before it, of several input dimensions.
std::optional<Refined> Refine(const ir::Value& x, const ir::Value& y, const ReshapeGroup& group, int axis) {
  const bool has_groups = group.output == std::vector<int>{axis - 1, axis};
  if ((!has_groups && group.output != std::vector<int>{axis}) || group.input.size() < 2) return std::nullopt;
  int64_t first = x.shape[static_cast<size_t>(group.input[0])];
  if (has_groups) {
    const int64_t groups = y.shape[static_cast<size_t>(axis) - 1];
    if (first == ir::kDynamic || groups == ir::kDynamic || first % groups != 0) return std::nullopt;
    first /= groups;
  }
  Refined refined;
  for (size_t d = 0; d < y.shape.size(); ++d) {
    if (static_cast<int>(d) != axis) {
      if (y.shape[d] == ir::kDynamic && (d > 0 || x.shape[0] != ir::kDynamic)) return std::nullopt;
      refined.original.push_back(CodeOf(y.shape[d], refined.shape.size()));
      refined.shape.push_back(CodeOf(y.shape[d], 0));
      continue;
    }
    refined.original.push_back(y.shape[d] == ir::kDynamic ? ir::kInferDim : static_cast<int32_t>(y.shape[d]));
    for (size_t i = 0; i < group.input.size(); ++i) {
      const auto from = static_cast<size_t>(group.input[i]);
      refined.axes.push_back(static_cast<int32_t>(refined.shape.size()));
      refined.shape.push_back(CodeOf(i == 0 ? first : x.shape[from], from));
    }
  }
  return refined;
}

bool SplitDims(const Site& site) {
  ir::Node& node = site.node;
  if (node.inputs.size() != 1) return false;
  const ir::Node* reshape = site.producer(0);
  auto options = node.as<schema::NormalizeOptionsT>();
  if (reshape == nullptr || reshape->code != OpCode::Reshape || options.axes.size() != 1) return false;
  const auto groups = ReshapeGroups::Find(site.graph, *reshape);
  const ReshapeGroup* group = groups ? groups->OfOutput(options.axes[0]) : nullptr;
  if (group == nullptr) return false;
  const auto refined = Refine(site.graph.value(reshape->inputs[0]), site.input(0), *group, options.axes[0]);
  if (!refined || refined->shape.size() > static_cast<size_t>(kMaxRank)) return false;

  options.axes = refined->axes;
  ir::Builder build = site.Build();
  const ir::ValueId x = build.Reshape(reshape->inputs[0], refined->shape);
  const ir::ValueId y = build.Add(std::move(options), {x}, DType::kFloat32);
  schema::ReshapeOptionsT back;
  back.shape = refined->original;
  node.code = OpCode::Reshape;
  node.options.Set(std::move(back));
  node.inputs = {y};
  return true;
}

}  // namespace

Status SplitNormalizedDims(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::Normalize}, SplitDims);
  return Status();
}

}  // namespace micrort::passes
