// Elements and blocks read or written where indices say.

#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

Status ImportGatherElements(NodeContext& c) {
  schema::GatherElementsOptionsT options;
  MICRORT_ASSIGN_OR_RETURN(options.axis, c.Axis(c.Int("axis", 0), c.x().rank()));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1)}));
}

Status ImportGatherND(NodeContext& c) {
  schema::GatherNDOptionsT options;
  MICRORT_ASSIGN_OR_RETURN(options.batch_dims, ToInt32(c.Int("batch_dims", 0), "batch_dims"));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1)}));
}

// "add" is Add, and so on.
Result<schema::ScatterReduction> ReadReduction(NodeContext& c) {
  const std::string name = c.String("reduction", "none");
  for (const schema::ScatterReduction kind : schema::EnumValuesScatterReduction()) {
    std::string known = schema::EnumNameScatterReduction(kind);
    known[0] = static_cast<char>(known[0] - 'A' + 'a');
    if (known != name) continue;
    return kind;
  }
  return Invalid("reduction '{}': expected none, add, mul, max or min", name);
}

Status ImportScatterElements(NodeContext& c) {
  schema::ScatterElementsOptionsT options;
  MICRORT_ASSIGN_OR_RETURN(options.axis, c.Axis(c.Int("axis", 0), c.x().rank()));
  MICRORT_ASSIGN_OR_RETURN(options.reduction, ReadReduction(c));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1), c.input(2)}));
}

Status ImportScatterND(NodeContext& c) {
  schema::ScatterNDOptionsT options;
  MICRORT_ASSIGN_OR_RETURN(options.reduction, ReadReduction(c));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1), c.input(2)}));
}

}  // namespace

const ImporterList GatherScatterImporters = {
    {"GatherElements", 2, 2, ImportGatherElements, Types(kAllTypes).Since(11)},
    {"GatherND", 2, 2, ImportGatherND, Types(kAllTypes).Since(11)},
    // The older name of ScatterElements.
    {"Scatter", 3, 3, ImportScatterElements, Types(kAllTypes).Since(9)},
    {"ScatterElements", 3, 3, ImportScatterElements, Types(kAllTypes).Since(11)},
    {"ScatterND", 3, 3, ImportScatterND, Types(kAllTypes).Since(11)},
};

}  // namespace micrort::frontend::onnx
