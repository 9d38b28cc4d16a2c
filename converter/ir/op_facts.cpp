#include "converter/ir/op_facts.h"

namespace micrort::ir {
namespace {

using schema::OpCode;

Movement MovementOfPad(const Node& node) {
  const auto& pad = node.as<schema::PadOptionsT>();
  if (node.has_input(2)) return Movement::kNone;
  if (pad.mode != schema::PadMode::Constant) return Movement::kMoves;
  return pad.value == 0.0f ? Movement::kFillsZero : Movement::kNone;
}

Movement MovementOfCast(const Node& node, DType from, DType to) {
  // Different numbers become one bool; bits become other numbers.
  if (to == DType::kBool || node.as<schema::CastOptionsT>().reinterpret) return Movement::kNone;
  return from == to ? Movement::kMoves : Movement::kConverts;
}

Movement MovementByOptions(const Graph& graph, const Node& node) {
  const DType from = graph.value(node.inputs[0]).dtype, to = graph.value(node.outputs[0]).dtype;
  switch (node.code) {
    case OpCode::Pad:
      return MovementOfPad(node);
    case OpCode::Cast:
      return MovementOfCast(node, from, to);
    case OpCode::Unary:
      if (node.as<schema::UnaryOptionsT>().kind != schema::UnaryKind::Identity ||
          node.rounding != schema::Rounding::Exact) {
        return Movement::kNone;
      }
      return from == to ? Movement::kMoves : Movement::kConverts;
    case OpCode::Gather:
      return from == to ? Movement::kMoves : Movement::kNone;
    case OpCode::Pool2D:
      return node.as<schema::Pool2DOptionsT>().kind == schema::PoolKind::Max ? Movement::kChooses
                                                                             : Movement::kNone;
    case OpCode::Resize:
      return node.as<schema::ResizeOptionsT>().mode == schema::ResizeMode::Nearest ? Movement::kMoves
                                                                                   : Movement::kNone;
    default:
      return Movement::kNone;
  }
}

}  // namespace

Movement MovementOf(const Graph& graph, const Node& node) {
  switch (TraitsOf(node.code).moves_data) {
    case Holds::kAlways:
      return Movement::kMoves;
    case Holds::kByOptions:
      return MovementByOptions(graph, node);
    default:
      return Movement::kNone;
  }
}

bool CommutesWithQuantization(const Graph& graph, const Node& node) {
  if (OperandOf(node.code, 1) == Operand::kData) return false;
  const Movement movement = MovementOf(graph, node);
  // Zero is a number that every quantization has.
  return movement == Movement::kMoves || movement == Movement::kFillsZero || movement == Movement::kChooses;
}

int ChannelAxis(const Node& node, int weights_rank) {
  const OpTraits& traits = TraitsOf(node.code);
  const bool is_expected = weights_rank == traits.weights_rank;
  switch (traits.channels) {
    case Channels::kFirst:
      return is_expected ? 0 : -1;
    case Channels::kLast:
      return is_expected ? weights_rank - 1 : -1;
    case Channels::kColumns:
      if (weights_rank < traits.weights_rank) return -1;
      return weights_rank - (node.as<schema::MatMulOptionsT>().transpose_b ? 2 : 1);
    default:
      return -1;
  }
}

}  // namespace micrort::ir
