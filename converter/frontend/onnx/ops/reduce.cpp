// Reductions.

#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::ReduceKind;

// Axes as an input that is no constant. Their number decides whether there are any, and the output's rank.
Status ReduceByInput(NodeContext& c, ReduceKind kind, bool keep_dims) {
  if (!c.x(1).is_static()) return Unsupported("the number of axes is not fixed");
  schema::ReduceOptionsT options;
  options.kind = kind;
  options.keep_dims = keep_dims;
  return c.Return(c.build.Add(std::move(options), c.inputs()));
}

// Axes are an attribute, or input 1 (ReduceSum: from opset 13, the others: from opset 18). Without any, all
// axes are reduced, unless noop_with_empty_axes.
template <ReduceKind kind>
Status ImportReduce(NodeContext& c) {
  std::vector<int64_t> list = c.Ints("axes");
  const bool keep_dims = c.Int("keepdims", 1) != 0;
  const bool noop = c.Int("noop_with_empty_axes", 0) != 0;
  const bool has_none = c.has_input(1) && c.x(1).is_static() && c.x(1).elements() == 0;
  if (c.has_input(1) && !has_none && !ir::IntegersOf(c.x(1), &list)) return ReduceByInput(c, kind, keep_dims);
  if (list.empty() && !noop) {
    for (int i = 0; i < c.x().rank(); ++i) list.push_back(i);
  }
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, c.Axes(list, c.x().rank()));
  return c.Return(c.build.Reduce(kind, c.input(0), axes, keep_dims));
}

// Roots and logarithms of integers are computed as float64 and cut off.
template <ReduceKind kind>
Status ImportReduceInFloats(NodeContext& c) {
  const DType dtype = c.x().dtype;
  if (IsFloat(dtype)) return ImportReduce<kind>(c);
  c.ReplaceInput(0, c.build.Cast(c.input(0), DType::kFloat64));
  MICRORT_RETURN_IF_ERROR(ImportReduce<kind>(c));
  return c.Return(c.build.Cast(c.outputs()[0], dtype));
}

template <ReduceKind kind>
Status ImportArg(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", 0), c.x().rank()));
  schema::ReduceOptionsT options;
  options.kind = kind;
  options.axes = {axis};
  options.keep_dims = c.Int("keepdims", 1) != 0;
  options.select_last_index = c.Int("select_last_index", 0) != 0;
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

}  // namespace

const ImporterList ReduceImporters = {
    {"ArgMax", 1, 1, ImportArg<ReduceKind::ArgMax>},
    {"ArgMin", 1, 1, ImportArg<ReduceKind::ArgMin>},
    {"ReduceL1", 1, 2, ImportReduce<ReduceKind::L1>},
    {"ReduceL2", 1, 2, ImportReduceInFloats<ReduceKind::L2>},
    {"ReduceLogSum", 1, 2, ImportReduceInFloats<ReduceKind::LogSum>},
    {"ReduceLogSumExp", 1, 2, ImportReduceInFloats<ReduceKind::LogSumExp>},
    {"ReduceMax", 1, 2, ImportReduce<ReduceKind::Max>},
    {"ReduceMean", 1, 2, ImportReduce<ReduceKind::Mean>},
    {"ReduceMin", 1, 2, ImportReduce<ReduceKind::Min>},
    {"ReduceProd", 1, 2, ImportReduce<ReduceKind::Prod>},
    {"ReduceSum", 1, 2, ImportReduce<ReduceKind::Sum>},
    {"ReduceSumSquare", 1, 2, ImportReduce<ReduceKind::SumSquare>},
};

}  // namespace micrort::frontend::onnx
