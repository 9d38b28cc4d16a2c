// Gather: output[..., indices, ...] = data[..., indices[...], ...] along an axis.

#include "kernels/base/checked_math.h"
#include "kernels/copy/gather_table.h"
#include "kernels/elementwise/convert_f32.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/index_operand.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/per_tensor_quantization.h"

namespace micrort {
namespace gather_op {
namespace {

struct State {
  int axis;
  int resolved_axis;
  GatherCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::GatherOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  static_cast<State*>(state)->axis = options->axis();
  return Status();
}

// Whether rows become floats. Those of 4 bits always do; the converter does not know the output's type yet.
bool IsTable(const Tensor& data, const Tensor& output) {
  if (data.dtype == DType::kInt4) return true;
  return output.dtype == DType::kFloat32 && (data.dtype == DType::kInt8 || data.dtype == DType::kFloat16);
}

// Scales are one for all, for a row, for a group of elements of a row, or for a column.
Status ReadTableScales(const Tensor& data, TableRows* table) {
  const QuantizationView& q = data.quantization;
  const bool is_matrix = data.shape.rank == 2;
  table->run = q.group > 0 && q.axis == 0 ? static_cast<size_t>(q.group) : table->elements;
  size_t expected = 1;
  if (q.axis == 0) {
    table->row_scales = q.group > 0 ? CeilDiv(table->elements, table->run) : 1;
    expected = static_cast<size_t>(data.shape[0]) * table->row_scales;
  } else if (q.count != 1) {
    table->run = 1;
    expected = q.axis == 1 && is_matrix && data.dtype == DType::kInt8 ? table->elements : 0;
  }
  if (q.count == expected && !q.empty()) {
    table->grid = data.grid;
    table->scales = q.scales;
    table->zero_points = q.zero_points;
    return data.grid.has_half_scales() ? Status() : CheckScales(data);
  }
  return MICRORT_ERROR(kInvalidModel,
                       "table '%s' of shape %s: expected one scale, or one a row, group or column, found %zu "
                       "along axis %d",
                       data.name, ShapeString(data.shape).c_str(), q.count, q.axis);
}

Status PrepareTable(const PrepareContext& context, int axis, Shape* shape, TableRows* table) {
  const Tensor& data = context.input(0);
  if (axis != 0 || (data.dtype == DType::kInt4 && data.shape.rank < 2) ||
      (!kHasNarrowTables && data.dtype != DType::kInt8)) {
    return MICRORT_ERROR(kUnsupported, "rows of %s along axis %d of %s do not become floats%s",
                         Name(data.dtype), axis, ShapeString(data.shape).c_str(),
                         kHasNarrowTables ? "" : " in a build without layers of floats");
  }
  if (data.dtype == DType::kInt4) (*shape)[shape->rank - 1] *= 2;
  table->dtype = data.dtype;
  table->elements = static_cast<size_t>(data.shape.product(1, data.shape.rank));
  if (data.dtype == DType::kInt4) table->elements *= 2;
  table->kernel = SelectConvertF32(context.features()).id;
  return data.dtype == DType::kFloat16 ? Status() : ReadTableScales(data, table);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 2, 1));
  State& s = context.state<State>();
  const Shape& data = context.input(0).shape;
  const Tensor& indices = context.input(1);
  MICRORT_RETURN_IF_ERROR(ResolveAxis(s.axis, data.rank, &s.resolved_axis));
  MICRORT_RETURN_IF_ERROR(ExpectIndices(indices));
  if (data.rank - 1 + indices.shape.rank > kMaxRank) {
    return MICRORT_ERROR(kUnsupported,
                         "data of shape %s and indices of shape %s make more than %d dimensions",
                         ShapeString(data).c_str(), ShapeString(indices.shape).c_str(), kMaxRank);
  }
  Shape shape;
  for (int i = 0; i < s.resolved_axis; ++i) shape[shape.rank++] = data[i];
  for (int i = 0; i < indices.shape.rank; ++i) shape[shape.rank++] = indices.shape[i];
  for (int i = s.resolved_axis + 1; i < data.rank; ++i) shape[shape.rank++] = data[i];
  const int axis = s.resolved_axis;
  TableRows table;
  if (IsTable(context.input(0), context.output(0))) {
    MICRORT_RETURN_IF_ERROR(PrepareTable(context, axis, &shape, &table));
    MICRORT_RETURN_IF_ERROR(context.SetOutput(0, DType::kFloat32, shape));
  } else {
    MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, shape));
  }
  s.call = {{static_cast<size_t>(data.product(0, axis)), static_cast<size_t>(data[axis]), indices.elements(),
             static_cast<size_t>(data.product(axis + 1, data.rank)) * SizeOf(context.input(0).dtype)},
            indices.dtype,
            table};
  context.SetCall(&s.call);
  return Status();
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const Tensor &data = context.input(0), &indices = context.input(1);
  const Tensor& output = context.output(0);
  const size_t bad =
      s.call.table.dtype == DType::kUnknown
          ? RunGather(s.call, data.data, indices.data, output.data, *context.parallel)
          : RunGatherTable(s.call, data.data, indices.data, output.as<float>(), *context.parallel);
  return bad == s.call.shape.count ? Status() : IndexOutside(indices, bad, data, s.resolved_axis);
}

}  // namespace
}  // namespace gather_op

MICRORT_OPERATOR(Gather, gather_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
