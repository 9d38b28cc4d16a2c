#include "converter/frontend/tflite/ops/stablehlo_options.h"

#include <algorithm>
#include <limits>

#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

using schema::ReduceKind;

namespace {

bool HasActivation(const StatedOperator& op) {
  constexpr auto kNone = fb::ActivationFunctionType::None;
  return op.Options<fb::AddOptionsT>().fused_activation_function != kNone ||
         op.Options<fb::MulOptionsT>().fused_activation_function != kNone;
}

// The name of the operator that is all of a function of two scalars and reads both; "" of other functions.
std::string FunctionOf(const ModelFile& file, const fb::SubGraph& graph) {
  const auto *inputs = graph.inputs(), *outputs = graph.outputs();
  if (graph.operators() == nullptr || graph.operators()->size() != 1 || inputs == nullptr ||
      inputs->size() != 2 || outputs == nullptr || outputs->size() != 1)
    return "";
  const StatedOperator op(file, graph, *graph.operators()->Get(0));
  if (op.input_count() != 2 || op.output_count() != 1 || op.output_index(0) != outputs->Get(0)) return "";
  const int32_t a = inputs->Get(0), b = inputs->Get(1), x = op.input_index(0), y = op.input_index(1);
  const bool reads_both = a != b && ((x == a && y == b) || (x == b && y == a));
  return reads_both && !HasActivation(op) ? op.name() : "";
}

}  // namespace

Result<Dims> OutputShape(const OpContext& c) {
  Dims dims;
  if (!c.op.wants_output(0)) return dims;
  const auto *shape = c.op.output_tensor(0).shape(), *open = c.op.output_tensor(0).shape_signature();
  if (open != nullptr && std::any_of(open->begin(), open->end(), [](int32_t d) { return d < 0; }))
    return Unsupported("an output whose shape is not fixed");
  for (flatbuffers::uoffset_t i = 0; shape != nullptr && i < shape->size(); ++i) {
    if (shape->Get(i) < 0) return Unsupported("an output whose shape is not fixed");
    dims.push_back(shape->Get(i));
  }
  return dims;
}

Status CheckCount(size_t found, int expected, const char* what) {
  if (found == static_cast<size_t>(expected)) return Status();
  return Invalid("{}: expected {} numbers, found {}", what, expected, found);
}

Status CheckAxes(const Dims& axes, int rank, const char* what) {
  for (const int64_t axis : axes) {
    if (axis < 0 || axis >= rank || std::count(axes.begin(), axes.end(), axis) != 1)
      return Invalid("{} has dimension {} of {}", what, axis, rank);
  }
  return Status();
}

Status CheckFixed(OpContext& c, size_t i) {
  return c.x(i).is_static() ? Status() : Unsupported("input {}: a shape that is not fixed", i);
}

Result<ReduceKind> ReducerOf(OpContext& c, int64_t subgraph) {
  MICRORT_RETURN_IF_ERROR(CheckSubgraphIndex(c.subgraph.file(), subgraph));
  const std::string op =
      FunctionOf(c.subgraph.file(), c.subgraph.file().subgraph(static_cast<size_t>(subgraph)));
  const bool is_of_bits = op == "STABLEHLO_OR" || op == "STABLEHLO_AND";
  if (is_of_bits && c.x().dtype != DType::kBool) return Unsupported("reductions of the bits of integers");
  if (op == "STABLEHLO_ADD" || op == "ADD") return ReduceKind::Sum;
  if (op == "STABLEHLO_MULTIPLY" || op == "MUL") return ReduceKind::Prod;
  if (op == "STABLEHLO_MAXIMUM" || op == "MAXIMUM" || op == "STABLEHLO_OR" || op == "LOGICAL_OR")
    return ReduceKind::Max;
  if (op == "STABLEHLO_MINIMUM" || op == "MINIMUM" || op == "STABLEHLO_AND" || op == "LOGICAL_AND")
    return ReduceKind::Min;
  return Unsupported("reductions by other functions than a sum, product, minimum or maximum");
}

ir::ValueId TotalOrderOf(OpContext& c, ir::ValueId x) {
  const auto number = [&](int32_t v) { return c.build.Constant<int32_t>({}, {v}); };
  const ir::ValueId bits = c.build.BitCast(x, DType::kInt32);
  const ir::ValueId is_negative = c.build.Less(bits, number(0));
  const ir::ValueId turned = c.build.BitwiseXor(bits, number(std::numeric_limits<int32_t>::max()));
  return c.build.Select({is_negative, turned, bits});
}

}  // namespace micrort::frontend::tflite
