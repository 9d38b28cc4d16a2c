// Elements and blocks read or written where indices say.

#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

Status ImportGatherElements(NodeContext& c) {
  schema::GatherElementsOptionsT options;
  MICRORT_RETURN_IF_ERROR(c.Axis(c.Int("axis", 0), c.x().rank(), &options.axis));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1)}));
}

Status ImportGatherND(NodeContext& c) {
  schema::GatherNDOptionsT options;
  MICRORT_RETURN_IF_ERROR(ToInt32(c.Int("batch_dims", 0), "batch_dims", &options.batch_dims));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1)}));
}

// "add" is Add, and so on.
Status ReadReduction(NodeContext& c, schema::ScatterReduction* out) {
  const std::string name = c.String("reduction", "none");
  for (const schema::ScatterReduction kind : schema::EnumValuesScatterReduction()) {
    std::string known = schema::EnumNameScatterReduction(kind);
    known[0] = static_cast<char>(known[0] - 'A' + 'a');
    if (known != name) continue;
    *out = kind;
    return Status();
  }
  return Invalid("reduction '{}': expected none, add, mul, max or min", name);
}

Status ImportScatterElements(NodeContext& c) {
  schema::ScatterElementsOptionsT options;
  MICRORT_RETURN_IF_ERROR(c.Axis(c.Int("axis", 0), c.x().rank(), &options.axis));
  MICRORT_RETURN_IF_ERROR(ReadReduction(c, &options.reduction));
  return c.Return(c.build.Add(options, {c.input(0), c.input(1), c.input(2)}));
}

Status ImportScatterND(NodeContext& c) {
  schema::ScatterNDOptionsT options;
  MICRORT_RETURN_IF_ERROR(ReadReduction(c, &options.reduction));
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
