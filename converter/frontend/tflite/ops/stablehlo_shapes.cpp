// Operators that came from StableHLO, of shapes, parts and reductions.

#include <algorithm>
#include <limits>
#include <numeric>

#include "converter/frontend/tflite/ops/stablehlo_options.h"
#include "converter/frontend/tflite/ops/window.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/lower/positions.h"
#include "converter/lower/reduce_windows.h"

namespace micrort::frontend::tflite {

namespace {

using schema::ReduceKind;

Status ImportHloReshape(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Dims shape, OutputShape(c));
  return c.Return(c.build.ReshapeTo(c.input(0), c.build.Integers(shape)));
}

Status ImportHloConcatenate(OpContext& c) {
  std::vector<ir::ValueId> parts;
  MICRORT_ASSIGN_OR_RETURN(const int axis,
                           c.Axis(c.op.Options2<fb::StablehloConcatenateOptionsT>().dimension, c.x().rank()));
  for (size_t i = 0; i < c.op.input_count(); ++i) parts.push_back(c.input(i));
  if (std::count(parts.begin(), parts.end(), ir::kNoValue) != 0) return Invalid("an input is absent");
  return c.Return(c.build.Concat(parts, axis));
}

// Dimension i of x becomes dimension dims[i] of the output.
Status ImportHloBroadcastInDim(OpContext& c) {
  const Dims dims = c.op.Options2<fb::StablehloBroadcastInDimOptionsT>().broadcast_dimensions;
  MICRORT_ASSIGN_OR_RETURN(Dims shape, OutputShape(c));
  const auto rank = static_cast<int>(shape.size());
  MICRORT_RETURN_IF_ERROR(CheckCount(dims.size(), c.x().rank(), "broadcast_dimensions"));
  MICRORT_RETURN_IF_ERROR(CheckAxes(dims, rank, "broadcast_dimensions"));
  std::vector<int32_t> spread(shape.size(), 1), order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return dims[static_cast<size_t>(a)] < dims[static_cast<size_t>(b)];
  });
  for (size_t i = 0; i < order.size(); ++i)
    spread[static_cast<size_t>(dims[static_cast<size_t>(order[i])])] = ir::CopyDim(static_cast<int>(i));
  const bool is_sorted = std::is_sorted(dims.begin(), dims.end());
  const ir::ValueId x =
      c.build.Reshape(is_sorted ? c.input(0) : c.build.Transpose(c.input(0), order), spread);
  return c.Return(c.build.Expand({x, c.build.Integers(shape)}));
}

Status ImportHloSlice(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloSliceOptionsT>();
  MICRORT_RETURN_IF_ERROR(CheckCount(o.start_indices.size(), c.x().rank(), "start_indices"));
  MICRORT_RETURN_IF_ERROR(CheckCount(o.limit_indices.size(), c.x().rank(), "limit_indices"));
  MICRORT_RETURN_IF_ERROR(CheckCount(o.strides.size(), c.x().rank(), "strides"));
  schema::SliceOptionsT options;
  options.starts = o.start_indices, options.ends = o.limit_indices, options.steps = o.strides;
  for (int i = 0; i < c.x().rank(); ++i) options.axes.push_back(i);
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

Status ImportHloTranspose(OpContext& c) {
  const Dims permutation = c.op.Options2<fb::StablehloTransposeOptionsT>().permutation;
  MICRORT_RETURN_IF_ERROR(CheckCount(permutation.size(), c.x().rank(), "permutation"));
  MICRORT_RETURN_IF_ERROR(CheckAxes(permutation, c.x().rank(), "permutation"));
  return c.Return(c.build.Transpose(c.input(0), {permutation.begin(), permutation.end()}));
}

// Negative padding at the edges cuts off.
Status ImportHloPad(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloPadOptionsT>();
  const int rank = c.x().rank();
  MICRORT_RETURN_IF_ERROR(CheckCount(o.edge_padding_low.size(), rank, "edge_padding_low"));
  MICRORT_RETURN_IF_ERROR(CheckCount(o.edge_padding_high.size(), rank, "edge_padding_high"));
  MICRORT_RETURN_IF_ERROR(CheckCount(o.interior_padding.size(), rank, "interior_padding"));
  Dims dilations = o.interior_padding;
  for (int64_t& d : dilations) {
    if (d < 0 || d >= std::numeric_limits<int32_t>::max()) return Invalid("interior_padding {}", d);
    ++d;
  }
  const ir::ValueId fill = c.build.Reshape(c.input(1), {});
  ir::ValueId x = c.input(0);
  if (std::any_of(dilations.begin(), dilations.end(), [](int64_t d) { return d != 1; }))
    MICRORT_RETURN_IF_ERROR(Take(Dilated(c, x, dilations, fill), &x));
  schema::PadOptionsT options;
  options.pads = o.edge_padding_low;
  options.pads.insert(options.pads.end(), o.edge_padding_high.begin(), o.edge_padding_high.end());
  return c.Return(c.build.Add(std::move(options), {x, ir::kNoValue, fill}));
}

Status ImportHloIota(OpContext& c) {
  const auto dimension = c.op.Options2<fb::StablehloIotaOptionsT>().iota_dimension;
  MICRORT_ASSIGN_OR_RETURN(Dims shape, OutputShape(c));
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(dimension, static_cast<int>(shape.size())));
  const ir::ValueId count = c.build.Range(
      {c.build.Integer(0), c.build.Integer(shape[static_cast<size_t>(axis)]), c.build.Integer(1)});
  const ir::ValueId along = c.build.Along(count, axis, static_cast<int>(shape.size()));
  return c.Return(c.build.Expand({along, c.build.Integers(shape)}));
}

// Starts are scalars, one a dimension; parts are moved so that they lie within x.
Status ImportHloDynamicSlice(OpContext& c) {
  const Dims sizes = c.op.Options2<fb::StablehloDynamicSliceOptionsT>().slice_sizes;
  const int rank = c.x().rank();
  MICRORT_RETURN_IF_ERROR(CheckCount(sizes.size(), rank, "slice_sizes"));
  MICRORT_RETURN_IF_ERROR(CheckCount(c.op.input_count() - 1, rank, "starts"));
  ir::ValueId y = c.input(0);
  for (int axis = 0; axis < rank; ++axis) {
    const auto i = static_cast<size_t>(axis);
    const int64_t size = c.x().shape[i];
    if (size == ir::kDynamic || sizes[i] < 0 || sizes[i] > size)
      return Unsupported("{} elements of {}", sizes[i], size);
    if (sizes[i] == size) continue;
    if (sizes[i] == 0) {
      y = c.build.Slice(y, axis, 0, 0);
      continue;
    }
    const ir::ValueId start = c.build.Reshape(c.Int64(i + 1), {1});
    const ir::ValueId at_most = c.build.Min(start, c.build.Integers({size - sizes[i]}));
    const ir::ValueId first = c.build.Max(at_most, c.build.Integers({0}));
    y = c.build.Gather(y, c.build.Add(first, lower::Positions(c.build, sizes[i])), axis);
  }
  return c.Return(y);
}

Status ImportHloReduce(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloReduceOptionsT>();
  MICRORT_ASSIGN_OR_RETURN(ReduceKind kind, ReducerOf(c, o.body_subgraph_index));
  MICRORT_RETURN_IF_ERROR(CheckAxes(o.dimensions, c.x().rank(), "dimensions"));
  const bool is_bool = c.x().dtype == DType::kBool;
  // The maximum of no integers is no truth value.
  const ReduceKind of_numbers = is_bool && kind == ReduceKind::Max ? ReduceKind::Sum : kind;
  std::vector<int32_t> axes(o.dimensions.begin(), o.dimensions.end());
  std::sort(axes.begin(), axes.end());
  const ir::ValueId x = is_bool ? c.build.Cast(c.input(0), DType::kInt32) : c.input(0);
  const ir::ValueId y = c.build.Reduce(of_numbers, x, axes, false);
  return c.Return(lower::Combined(c.build, kind, is_bool ? c.build.Cast(y, DType::kBool) : y,
                                  c.build.Reshape(c.input(1), {})));
}

Status ImportHloReduceWindow(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloReduceWindowOptionsT>();
  const int rank = c.x().rank();
  const auto ones_if_absent = [&](Dims dims) {
    return dims.empty() ? Dims(static_cast<size_t>(rank), 1) : dims;
  };
  MICRORT_ASSIGN_OR_RETURN(ReduceKind kind, ReducerOf(c, o.body_subgraph_index));
  lower::ReducedWindow window = {
      o.window_dimensions, ones_if_absent(o.window_strides), ones_if_absent(o.window_dilations), {}};
  const ir::ValueId first = c.build.Reshape(c.input(1), {});
  ir::ValueId x = c.input(0), y = ir::kNoValue;
  if (!o.base_dilations.empty()) MICRORT_RETURN_IF_ERROR(Take(Dilated(c, x, o.base_dilations, first), &x));
  if (!o.padding.empty()) {
    MICRORT_RETURN_IF_ERROR(CheckCount(o.padding.size(), 2 * rank, "padding"));
    for (size_t side = 0; side < 2; ++side) {
      for (size_t i = side; i < o.padding.size(); i += 2) window.pads.push_back(o.padding[i]);
    }
  }
  MICRORT_ASSIGN_OR_RETURN(y, lower::ReduceWindows(c.build, x, first, kind, window));
  return c.Return(y);
}

// One side of a product as [batch..., free, contracted].
Result<ir::ValueId> Flattened(OpContext& c, size_t i, const Dims& batch, const Dims& contracted,
                              Dims* free_sizes) {
  const ir::Value x = c.x(i);
  MICRORT_RETURN_IF_ERROR(CheckAxes(batch, x.rank(), "batching dimensions"));
  MICRORT_RETURN_IF_ERROR(CheckAxes(contracted, x.rank(), "contracting dimensions"));
  if (!x.is_static()) return Unsupported("input {}: a shape that is not fixed", i);
  std::vector<int32_t> order(batch.begin(), batch.end());
  Dims shape;
  int64_t free = 1, depth = 1;
  for (const int64_t axis : batch) shape.push_back(x.shape[static_cast<size_t>(axis)]);
  for (int axis = 0; axis < x.rank(); ++axis) {
    const bool is_used = std::count(batch.begin(), batch.end(), axis) +
                             std::count(contracted.begin(), contracted.end(), axis) !=
                         0;
    if (is_used) continue;
    order.push_back(axis);
    free_sizes->push_back(x.shape[static_cast<size_t>(axis)]);
    free *= free_sizes->back();
  }
  for (const int64_t axis : contracted) {
    order.push_back(static_cast<int32_t>(axis));
    depth *= x.shape[static_cast<size_t>(axis)];
  }
  shape.push_back(free);
  shape.push_back(depth);
  return c.build.Checked(c.build.ReshapeTo(c.build.Transpose(c.input(i), order), c.build.Integers(shape)));
}

Status ImportHloDotGeneral(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloDotGeneralOptionsT>();
  Dims rows, columns;
  ir::ValueId a = ir::kNoValue, b = ir::kNoValue;
  MICRORT_ASSIGN_OR_RETURN(a,
                           Flattened(c, 0, o.lhs_batching_dimensions, o.lhs_contracting_dimensions, &rows));
  MICRORT_ASSIGN_OR_RETURN(
      b, Flattened(c, 1, o.rhs_batching_dimensions, o.rhs_contracting_dimensions, &columns));
  Dims shape;
  for (const int64_t axis : o.lhs_batching_dimensions)
    shape.push_back(c.x().shape[static_cast<size_t>(axis)]);
  shape.insert(shape.end(), rows.begin(), rows.end());
  shape.insert(shape.end(), columns.begin(), columns.end());
  return c.Return(c.build.ReshapeTo(c.build.MatMul({a, b}, true), c.build.Integers(shape)));
}

constexpr OpSupport kAll = Types(kAllTypes), kFixed = kAll.Without("shapes that are not fixed");
constexpr OpSupport kReductions =
    kAll.Without("functions that are no sum, product, minimum or maximum; several inputs");

}  // namespace

const ImporterList StablehloShapeImporters = {
    {"STABLEHLO_BROADCAST_IN_DIM", 1, 1, ImportHloBroadcastInDim, kFixed},
    {"STABLEHLO_CONCATENATE", 1, -1, ImportHloConcatenate, kAll},
    {"STABLEHLO_DOT_GENERAL", 2, 2, ImportHloDotGeneral,
     Types(kFloat32).Without("shapes that are not fixed")},
    {"STABLEHLO_DYNAMIC_SLICE", 1, -1, ImportHloDynamicSlice, kFixed},
    {"STABLEHLO_IOTA", 0, 0, ImportHloIota, OpSupport()},
    {"STABLEHLO_PAD", 2, 2, ImportHloPad, kAll},
    {"STABLEHLO_REDUCE", 2, 2, ImportHloReduce, kReductions},
    {"STABLEHLO_REDUCE_WINDOW", 2, 2, ImportHloReduceWindow, kReductions},
    {"STABLEHLO_RESHAPE", 1, 1, ImportHloReshape, kFixed},
    {"STABLEHLO_SLICE", 1, 1, ImportHloSlice, kAll},
    {"STABLEHLO_TRANSPOSE", 1, 1, ImportHloTranspose, kAll},
};

}  // namespace micrort::frontend::tflite
