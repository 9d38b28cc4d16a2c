// Operators of StableHLO that read or write windows at places that are data: GATHER and SCATTER.

#include <algorithm>
#include <functional>
#include <numeric>

#include "converter/frontend/tflite/ops/stablehlo_options.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

namespace {

using schema::ReduceKind;
using schema::ScatterReduction;

bool Contains(const Dims& dims, int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

int64_t Product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

std::vector<int32_t> AsOrder(const Dims& dims) { return {dims.begin(), dims.end()}; }

// `dims` first, then the others of `rank` as they come.
Dims WithOthers(Dims dims, int rank) {
  const size_t first = dims.size();
  for (int64_t d = 0; d < rank; ++d) {
    if (std::find(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(first), d) ==
        dims.begin() + static_cast<std::ptrdiff_t>(first))
      dims.push_back(d);
  }
  return dims;
}

Dims Chosen(const Dims& from, const Dims& positions) {
  Dims out;
  for (const int64_t p : positions) out.push_back(from[static_cast<size_t>(p)]);
  return out;
}

// Input 1 as int64 [batch..., count]: where windows start.
Result<ir::ValueId> ReadStarts(OpContext& c, int64_t vector_dim, size_t count) {
  ir::ValueId starts = c.Int64(1);
  const int rank = c.value(starts).rank();
  if (vector_dim < 0 || vector_dim > rank) return Invalid("index_vector_dim is {} of {}", vector_dim, rank);
  if (vector_dim == rank) {
    starts = c.build.InsertDim(starts, rank);
  } else if (vector_dim != rank - 1) {
    Dims order;
    for (int64_t d = 0; d < rank; ++d) {
      if (d != vector_dim) order.push_back(d);
    }
    order.push_back(vector_dim);
    starts = c.build.Transpose(starts, AsOrder(order));
  }
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const int64_t found = c.value(starts).shape.back();
  if (found == static_cast<int64_t>(count) && count > 0) return starts;
  return Invalid("places of {} coordinates, and {} dimensions for them", found, count);
}

// [batch..., L] → [batch..., window..., L]: the place of every element of the windows.
Result<ir::ValueId> PlacesInWindows(OpContext& c, ir::ValueId starts, const Dims& window) {
  const auto length = static_cast<int64_t>(window.size());
  int64_t most = ir::kMaxMade / length;
  for (const int64_t size : window) {
    if (size > most) return Unsupported("windows of too many elements");
    most /= size;
  }
  const int batch = c.value(starts).rank() - 1;
  std::vector<int32_t> shape;
  for (int d = 0; d < batch; ++d) shape.push_back(ir::CopyDim(d));
  shape.insert(shape.end(), window.size(), 1);
  shape.push_back(ir::CopyDim(batch));
  const ir::ValueId first = c.build.Reshape(starts, shape);
  if (Product(window) == 1) return c.build.Checked(first);
  Dims coordinates, place(window.size(), 0);
  for (int64_t k = Product(window); k > 0; --k) {
    coordinates.insert(coordinates.end(), place.begin(), place.end());
    for (size_t d = window.size(); d-- > 0;) {
      if (++place[d] < window[d]) break;
      place[d] = 0;
    }
  }
  Dims grid = window;
  grid.push_back(length);
  return c.build.Checked(c.build.Add(first, c.build.Constant(grid, coordinates)));
}

Status CheckGather(OpContext& c, const fb::StablehloGatherOptionsT& o) {
  const int rank = c.x().rank();
  MICRORT_RETURN_IF_ERROR(CheckFixed(c, 0));
  MICRORT_RETURN_IF_ERROR(CheckAxes(o.start_index_map, rank, "start_index_map"));
  MICRORT_RETURN_IF_ERROR(CheckAxes(o.collapsed_slice_dims, rank, "collapsed_slice_dims"));
  MICRORT_RETURN_IF_ERROR(CheckCount(o.slice_sizes.size(), rank, "slice_sizes"));
  MICRORT_RETURN_IF_ERROR(CheckCount(o.offset_dims.size(),
                                     rank - static_cast<int>(o.collapsed_slice_dims.size()), "offset_dims"));
  for (size_t d = 0; d < o.slice_sizes.size(); ++d) {
    const int64_t size = o.slice_sizes[d], most = c.x().shape[d];
    const bool is_collapsed = Contains(o.collapsed_slice_dims, static_cast<int64_t>(d));
    if (size < 1 || size > (is_collapsed ? 1 : most) || most < 1)
      return Invalid("slice_sizes: {} of {} elements along dimension {}", size, most, d);
  }
  return Status();
}

// Only along these dimensions does it matter where a window starts. At least one, in the order of the map;
// their positions there.
Dims MovingCoordinates(OpContext& c, const fb::StablehloGatherOptionsT& o) {
  Dims positions;
  for (size_t i = 0; i < o.start_index_map.size(); ++i) {
    const auto d = static_cast<size_t>(o.start_index_map[i]);
    if (o.slice_sizes[d] < c.x().shape[d]) positions.push_back(static_cast<int64_t>(i));
  }
  return positions.empty() ? Dims{0} : positions;
}

// [batch..., operand dimensions in `order`] as the operator's output: without collapsed dimensions, and
// batches between the others.
Status ArrangeGathered(OpContext& c, ir::ValueId x, const fb::StablehloGatherOptionsT& o, const Dims& order) {
  const int rank = c.value(x).rank(), batch = rank - static_cast<int>(order.size());
  std::vector<int32_t> dropped;
  Dims kept;
  for (size_t i = 0; i < order.size(); ++i) {
    if (Contains(o.collapsed_slice_dims, order[i])) {
      dropped.push_back(batch + static_cast<int32_t>(i));
    } else {
      kept.push_back(order[i]);
    }
  }
  x = c.build.DropDims(x, dropped);
  MICRORT_RETURN_IF_ERROR(CheckAxes(o.offset_dims, batch + static_cast<int>(kept.size()), "offset_dims"));
  Dims sorted = kept, permutation(static_cast<size_t>(batch) + kept.size(), -1);
  std::sort(sorted.begin(), sorted.end());
  for (size_t k = 0; k < sorted.size(); ++k) {
    const auto at = std::find(kept.begin(), kept.end(), sorted[k]) - kept.begin();
    permutation[static_cast<size_t>(o.offset_dims[k])] = batch + at;
  }
  int64_t next = 0;
  for (int64_t& p : permutation) {
    if (p < 0) p = next++;
  }
  return c.Return(c.build.Transpose(x, AsOrder(permutation)));
}

// Windows are moved so that they lie within the operand.
Status ImportHloGather(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloGatherOptionsT>();
  MICRORT_RETURN_IF_ERROR(CheckGather(c, o));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId starts, ReadStarts(c, o.index_vector_dim, o.start_index_map.size()));
  const Dims moving = MovingCoordinates(c, o), placed = Chosen(o.start_index_map, moving);
  if (moving.size() != o.start_index_map.size())
    starts = c.build.Gather(starts, c.build.Integers(moving), c.value(starts).rank() - 1);
  const Dims window = Chosen(o.slice_sizes, placed), shape = Chosen(c.x().shape, placed);
  Dims last;
  for (size_t i = 0; i < window.size(); ++i) last.push_back(shape[i] - window[i]);
  starts = c.build.Max(c.build.Min(starts, c.build.Integers(last)), c.build.Integers({0}));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId places, PlacesInWindows(c, starts, window));
  const int rank = c.x().rank();
  ir::ValueId x = c.input(0);
  for (int d = 0; d < rank; ++d) {
    const int64_t size = o.slice_sizes[static_cast<size_t>(d)];
    if (!Contains(placed, d) && size < c.x().shape[static_cast<size_t>(d)]) x = c.build.Slice(x, d, 0, size);
  }
  const Dims order = WithOthers(placed, rank);
  x = c.build.Add(schema::GatherNDOptionsT(), {c.build.Transpose(x, AsOrder(order)), places});
  MICRORT_RETURN_IF_ERROR(c.build.status());
  return ArrangeGathered(c, x, o, order);
}

// How an update meets what is there: a subgraph that gives its second input replaces it.
Result<ScatterReduction> UpdateOf(OpContext& c, int64_t subgraph) {
  MICRORT_RETURN_IF_ERROR(CheckSubgraphIndex(c.subgraph.file(), subgraph));
  const fb::SubGraph& graph = c.subgraph.file().subgraph(static_cast<size_t>(subgraph));
  const bool is_empty = graph.operators() == nullptr || graph.operators()->size() == 0;
  const bool has_ports = graph.inputs() != nullptr && graph.inputs()->size() == 2 &&
                         graph.outputs() != nullptr && graph.outputs()->size() == 1;
  if (is_empty && has_ports && graph.outputs()->Get(0) == graph.inputs()->Get(1)) {
    return ScatterReduction::None;
  }
  MICRORT_ASSIGN_OR_RETURN(ReduceKind kind, ReducerOf(c, subgraph));
  return kind == ReduceKind::Sum    ? ScatterReduction::Add
         : kind == ReduceKind::Prod ? ScatterReduction::Mul
         : kind == ReduceKind::Max  ? ScatterReduction::Max
                                    : ScatterReduction::Min;
}

// The sizes of an update's window along the operand's dimensions.
Status WindowOf(OpContext& c, const fb::StablehloScatterOptionsT& o, Dims* window) {
  const ir::Value &x = c.x(0), &updates = c.x(2);
  MICRORT_RETURN_IF_ERROR(CheckAxes(o.update_window_dims, updates.rank(), "update_window_dims"));
  MICRORT_RETURN_IF_ERROR(CheckAxes(o.inserted_window_dims, x.rank(), "inserted_window_dims"));
  MICRORT_RETURN_IF_ERROR(
      CheckAxes(o.scatter_dims_to_operand_dims, x.rank(), "scatter_dims_to_operand_dims"));
  MICRORT_RETURN_IF_ERROR(CheckCount(o.update_window_dims.size() + o.inserted_window_dims.size(), x.rank(),
                                     "update_window_dims and inserted_window_dims"));
  size_t next = 0;
  for (int64_t d = 0; d < x.rank(); ++d) {
    const bool is_inserted = Contains(o.inserted_window_dims, d);
    const int64_t most = x.shape[static_cast<size_t>(d)];
    window->push_back(is_inserted ? 1 : updates.shape[static_cast<size_t>(o.update_window_dims[next++])]);
    if (window->back() < 1 || window->back() > most)
      return Invalid("updates of {} of {} elements along dimension {}", window->back(), most, d);
  }
  return Status();
}

// Input 2 as [batch..., operand dimensions in `order`].
ir::ValueId ArrangeUpdates(OpContext& c, const fb::StablehloScatterOptionsT& o, const Dims& window,
                           const Dims& order) {
  Dims permutation;
  for (int64_t d = 0; d < c.x(2).rank(); ++d) {
    if (!Contains(o.update_window_dims, d)) permutation.push_back(d);
  }
  const Dims batch = Chosen(c.x(2).shape, permutation);
  permutation.insert(permutation.end(), o.update_window_dims.begin(), o.update_window_dims.end());
  Dims shape = batch;
  shape.insert(shape.end(), window.begin(), window.end());
  const ir::ValueId moved = c.build.Transpose(c.input(2), AsOrder(permutation));
  const ir::ValueId windows = c.build.ReshapeTo(moved, c.build.Integers(shape));
  Dims arranged(batch.size());
  std::iota(arranged.begin(), arranged.end(), 0);
  for (const int64_t d : order) arranged.push_back(static_cast<int64_t>(batch.size()) + d);
  return c.build.Transpose(windows, AsOrder(arranged));
}

// `updates` at the places that lie within x; others go to a slice behind x, which is cut off.
ir::ValueId ScatterWithin(OpContext& c, ir::ValueId x, ir::ValueId places, ir::ValueId updates,
                          ScatterReduction reduction, size_t length) {
  const Dims shape = c.value(x).shape;
  const Dims bounds(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(length));
  const ir::ValueId inside = c.build.And(c.build.GreaterOrEqual(places, c.build.Integers({0})),
                                         c.build.Less(places, c.build.Integers(bounds)));
  const ir::ValueId numbers = c.build.Cast(inside, DType::kInt32);
  const int last = c.value(places).rank() - 1;
  const ir::ValueId all = c.build.Cast(c.build.Reduce(ReduceKind::Min, numbers, {last}, true), DType::kBool);
  std::vector<int64_t> flags;
  const bool stays_inside = ir::AnyIntegersOf(c.value(all), &flags) && !Contains(flags, 0);
  if (!stays_inside) {
    Dims behind(length, 0);
    behind[0] = shape[0];
    places = c.build.Select({all, places, c.build.Integers(behind)});
    x = c.build.PadDim(x, 0, 0, 1);
  }
  x = c.build.ScatterND({x, places, updates}, reduction);
  return stays_inside ? x : c.build.Slice(x, 0, 0, shape[0]);
}

// What a window has outside the operand is left out.
Status ImportHloScatter(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloScatterOptionsT>();
  Dims window;
  MICRORT_RETURN_IF_ERROR(CheckFixed(c, 0));
  MICRORT_RETURN_IF_ERROR(CheckFixed(c, 2));
  MICRORT_ASSIGN_OR_RETURN(ScatterReduction reduction, UpdateOf(c, o.update_computation_subgraph_index));
  MICRORT_RETURN_IF_ERROR(WindowOf(c, o, &window));
  ir::ValueId places = ir::kNoValue;
  Dims placed = o.scatter_dims_to_operand_dims;
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId starts, ReadStarts(c, o.index_vector_dim, placed.size()));
  // Windows that are smaller than the operand start at 0 where nothing else is said.
  const int rank = c.x().rank();
  for (int64_t d = 0; d < rank; ++d) {
    if (window[static_cast<size_t>(d)] < c.x().shape[static_cast<size_t>(d)] && !Contains(placed, d))
      placed.push_back(d);
  }
  if (placed.size() != o.scatter_dims_to_operand_dims.size()) {
    const auto more = static_cast<int64_t>(placed.size() - o.scatter_dims_to_operand_dims.size());
    starts = c.build.PadDim(starts, c.value(starts).rank() - 1, 0, more);
  }
  MICRORT_ASSIGN_OR_RETURN(places, PlacesInWindows(c, starts, Chosen(window, placed)));
  const Dims order = WithOthers(placed, rank);
  const bool is_reduced_bool = c.x().dtype == DType::kBool && reduction != ScatterReduction::None;
  const auto numbers = [&](ir::ValueId id) { return is_reduced_bool ? c.build.Cast(id, DType::kInt32) : id; };
  const ir::ValueId x = numbers(c.build.Transpose(c.input(0), AsOrder(order)));
  const ir::ValueId updates = numbers(ArrangeUpdates(c, o, window, order));
  MICRORT_RETURN_IF_ERROR(c.build.status());
  ir::ValueId y = ScatterWithin(c, x, places, updates, reduction, placed.size());
  if (is_reduced_bool) y = c.build.Cast(y, DType::kBool);
  return c.Return(c.build.Transpose(y, AsOrder(ir::InverseOf(order))));
}

constexpr OpSupport kFixedShapes = Types(kAllTypes).Without("shapes that are not fixed");

}  // namespace

const ImporterList StablehloGatherImporters = {
    {"STABLEHLO_GATHER", 2, 2, ImportHloGather, kFixedShapes},
    {"STABLEHLO_SCATTER", 3, 3, ImportHloScatter,
     Types(kAllTypes).Without("shapes that are not fixed; functions that are no sum, product, minimum or "
                              "maximum and do not replace; several operands")},
};

}  // namespace micrort::frontend::tflite
