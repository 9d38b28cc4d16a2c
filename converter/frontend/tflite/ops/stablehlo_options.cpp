#include "converter/frontend/tflite/ops/stablehlo_options.h"

#include <algorithm>

#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

using schema::ReduceKind;

Status OutputShape(const OpContext& c, Dims* out) {
  const auto* shape = c.op.wants_output(0) ? c.op.output_tensor(0).shape() : nullptr;
  for (flatbuffers::uoffset_t i = 0; shape != nullptr && i < shape->size(); ++i) {
    if (shape->Get(i) < 0) return MICRORT_ERROR(kUnsupported, "an output whose shape is not fixed");
    out->push_back(shape->Get(i));
  }
  return Status();
}

Status CheckCount(size_t found, int expected, const char* what) {
  if (found == static_cast<size_t>(expected)) return Status();
  return MICRORT_ERROR(kInvalidModel, "%s: expected %d numbers, found %zu", what, expected, found);
}

Status CheckAxes(const Dims& axes, int rank, const char* what) {
  for (const int64_t axis : axes) {
    if (axis < 0 || axis >= rank || std::count(axes.begin(), axes.end(), axis) != 1)
      return MICRORT_ERROR(kInvalidModel, "%s has dimension %lld of %d", what, static_cast<long long>(axis),
                           rank);
  }
  return Status();
}

Status CheckFixed(OpContext& c, size_t i) {
  if (c.x(i).is_static()) return Status();
  return MICRORT_ERROR(kUnsupported, "input %zu: a shape that is not fixed", i);
}

Status ReducerOf(OpContext& c, int64_t subgraph, ReduceKind* kind) {
  MICRORT_RETURN_IF_ERROR(CheckSubgraphIndex(c.subgraph.file(), subgraph));
  const fb::SubGraph& graph = c.subgraph.file().subgraph(static_cast<size_t>(subgraph));
  const bool is_single = graph.operators() != nullptr && graph.operators()->size() == 1;
  const std::string op = is_single ? c.subgraph.file().OpName(*graph.operators()->Get(0)) : "";
  if (op == "STABLEHLO_ADD" || op == "ADD") {
    *kind = ReduceKind::Sum;
  } else if (op == "STABLEHLO_MULTIPLY" || op == "MUL") {
    *kind = ReduceKind::Prod;
  } else if (op == "STABLEHLO_MAXIMUM" || op == "MAXIMUM" || op == "STABLEHLO_OR" || op == "LOGICAL_OR") {
    *kind = ReduceKind::Max;
  } else if (op == "STABLEHLO_MINIMUM" || op == "MINIMUM" || op == "STABLEHLO_AND" || op == "LOGICAL_AND") {
    *kind = ReduceKind::Min;
  } else {
    return MICRORT_ERROR(kUnsupported,
                         "reductions by other functions than a sum, product, minimum or maximum");
  }
  return Status();
}

}  // namespace micrort::frontend::tflite
