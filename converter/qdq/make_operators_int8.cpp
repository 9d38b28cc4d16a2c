// Operators without weights between Dequantize and Quantize. Their kernels read and write bytes by the
// quantization of each tensor.

#include <algorithm>

#include "converter/passes/match.h"
#include "converter/qdq/passes.h"
#include "converter/qdq/quantized_values.h"
#include "kernels/pool/pool2d.h"

namespace micrort::qdq {
namespace {

using passes::Site;
using schema::OpCode;

bool HasInt8Form(const ir::Node& node) {
  switch (node.code) {
    case OpCode::Unary: {
      const auto kind = node.as<schema::UnaryOptionsT>().kind;
      return kind != schema::UnaryKind::Not && kind != schema::UnaryKind::IsNaN &&
             kind != schema::UnaryKind::IsInf && kind != schema::UnaryKind::BitwiseNot;
    }
    case OpCode::Binary:
      return node.as<schema::BinaryOptionsT>().kind <= schema::BinaryKind::Min ||
             node.as<schema::BinaryOptionsT>().kind == schema::BinaryKind::PRelu;
    case OpCode::Reduce: {
      const auto kind = node.as<schema::ReduceOptionsT>().kind;
      return kind != schema::ReduceKind::ArgMax && kind != schema::ReduceKind::ArgMin;
    }
    case OpCode::Pool2D: {
      const auto& pool = node.as<schema::Pool2DOptionsT>();
      return pool.kind == schema::PoolKind::Average &&
             int64_t{pool.kernel_h} * pool.kernel_w <= kMaxPoolTapsS8;
    }
    case OpCode::Resize: {
      const auto& resize = node.as<schema::ResizeOptionsT>();
      return resize.mode == schema::ResizeMode::Linear && !resize.antialias;
    }
    case OpCode::Concat:
    case OpCode::Softmax:
      return true;
    default:
      return false;
  }
}

// A Binary takes floats beside bytes; others take only bytes.
bool TakesFloats(const ir::Node& node) { return node.code == OpCode::Binary; }

// Resizing does not change scale and zero point.
bool FitsQuantization(const Site& site, ir::ValueId source, ir::ValueId output) {
  return site.node.code != OpCode::Resize ||
         site.graph.value(source).quantization == site.graph.value(output).quantization;
}

bool MakeOperatorInt8(const Site& site) {
  if (!HasInt8Form(site.node)) return false;
  ir::Node* quantize = QuantizeAfter(site, site.node.outputs[0]);
  if (quantize == nullptr) return false;
  std::vector<ir::ValueId> inputs = site.node.inputs;
  size_t bytes = 0;
  for (ir::ValueId& input : inputs) {
    const ir::ValueId source = SourceOf(site, input);
    if (source == ir::kNoValue || !FitsQuantization(site, source, quantize->outputs[0])) continue;
    input = source;
    ++bytes;
  }
  if (bytes == 0 || (bytes < inputs.size() && !TakesFloats(site.node))) return false;
  site.node.inputs = std::move(inputs);
  TakeOutputOf(quantize, &site.node);
  return true;
}

}  // namespace

Status MakeOperatorsInt8(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, MakeOperatorInt8);
  return Status();
}

}  // namespace micrort::qdq
