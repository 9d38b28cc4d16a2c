// Folds spatial padding with constants into the operator that reads it, where that pads alike.

#include <limits>

#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::OpCode;

struct Padding {
  int64_t top, left, bottom, right;
  float value;
};

// The padding of a Pad that extends [N,H,W,C] along H and W by a constant.
bool ReadPadding(const ir::Graph& graph, const ir::Node& pad, Padding* out) {
  if (pad.code != OpCode::Pad || pad.has_input(1)) return false;
  const auto& options = pad.as<schema::PadOptionsT>();
  if (options.mode != schema::PadMode::Constant || options.pads.size() != 8) return false;
  for (int64_t p : options.pads) {
    if (p < 0 || p > std::numeric_limits<int16_t>::max()) return false;
  }
  const auto& p = options.pads;
  if (p[0] != 0 || p[3] != 0 || p[4] != 0 || p[7] != 0) return false;
  *out = {p[1], p[2], p[5], p[6], options.value};
  if (pad.has_input(2)) {
    const auto value = ScalarOf(graph.value(pad.inputs[2]));
    if (!value) return false;
    out->value = *value;
  }
  return graph.value(pad.inputs[0]).dtype == DType::kFloat32;
}

template <typename OptionsT>
void AddPadding(const Padding& padding, OptionsT* options) {
  options->pad_top += static_cast<int32_t>(padding.top);
  options->pad_left += static_cast<int32_t>(padding.left);
  options->pad_bottom += static_cast<int32_t>(padding.bottom);
  options->pad_right += static_cast<int32_t>(padding.right);
}

bool IsNonNegative(const ir::Graph& graph, const LiveUses& uses, ir::ValueId id) {
  ir::Node* producer = uses.producer(id);
  if (producer == nullptr || !graph.value(id).quantization.empty()) return false;
  if (const schema::Activation* activation = ActivationOf(*producer); activation != nullptr) {
    return activation->kind() == schema::ActivationKind::Clip && activation->a() >= 0;
  }
  return IsUnary(*producer, schema::UnaryKind::Clip) && producer->as<schema::UnaryOptionsT>().a >= 0;
}

// A pool that rounds its output size up counts windows by where they start; padding moves that limit, so such
// pools are left alone.
bool FoldIntoPool(const Site& site, const ir::Node& pad, const Padding& padding) {
  auto& pool = site.node.as<schema::Pool2DOptionsT>();
  if (pool.ceil_mode) return false;
  const bool pads_already =
      pool.pad_top != 0 || pool.pad_left != 0 || pool.pad_bottom != 0 || pool.pad_right != 0;
  if (pool.kind != schema::PoolKind::Max) {
    if (padding.value != 0 || (pads_already && !pool.count_include_pad)) return false;
    pool.count_include_pad = true;
  } else {
    // The pool's own padding never wins the maximum; zeros do not either where nothing is below them.
    const bool never_wins = padding.value == -std::numeric_limits<float>::infinity() ||
                            (padding.value == 0 && IsNonNegative(site.graph, site.uses, pad.inputs[0]));
    const bool covers_input =
        pool.pad_top + padding.top < pool.kernel_h && pool.pad_left + padding.left < pool.kernel_w &&
        pool.pad_bottom + padding.bottom < pool.kernel_h && pool.pad_right + padding.right < pool.kernel_w &&
        pool.dilation_h == 1 && pool.dilation_w == 1;
    if (!never_wins || !covers_input) return false;
  }
  AddPadding(padding, &pool);
  return true;
}

bool FoldPadInto(const Site& site) {
  const ir::Node* pad = site.producer(0);
  Padding padding = {};
  if (pad == nullptr || !ReadPadding(site.graph, *pad, &padding)) return false;
  switch (site.node.code) {
    case OpCode::Conv2D:
      if (padding.value != 0) return false;
      AddPadding(padding, &site.node.as<schema::Conv2DOptionsT>());
      break;
    case OpCode::DepthwiseConv2D:
      if (padding.value != 0) return false;
      AddPadding(padding, &site.node.as<schema::DepthwiseConv2DOptionsT>());
      break;
    case OpCode::Pool2D:
      if (!FoldIntoPool(site, *pad, padding)) return false;
      break;
    default:
      return false;
  }
  site.node.inputs[0] = pad->inputs[0];
  return true;
}

}  // namespace

Status FoldPad(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::Conv2D, OpCode::DepthwiseConv2D, OpCode::Pool2D}, FoldPadInto);
  return Status();
}

}  // namespace micrort::passes
