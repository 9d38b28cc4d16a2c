// STABLEHLO_SORT.

#include <algorithm>

#include "converter/frontend/tflite/called_subgraph.h"
#include "converter/frontend/tflite/ops/stablehlo_options.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

// Indices (int64) of the elements along the axis, the least or largest first.
ir::ValueId OrderOf(OpContext& c, ir::ValueId x, int axis, int64_t count, bool largest) {
  return c.build.TopK(x, c.build.Integers({count}), axis, largest)[1];
}

// A function that is one comparison of both elements of one input.
struct Comparison {
  size_t input = 0;
  bool descends = false;
  bool in_total = false;  // order of floats
};

bool IsComparison(const ModelFile& file, const fb::SubGraph& graph, Comparison* out) {
  if (graph.operators() == nullptr || graph.operators()->size() != 1 || graph.inputs() == nullptr)
    return false;
  const StatedOperator op(file, graph, *graph.operators()->Get(0));
  const std::string name = op.name();
  bool is_less = name == "LESS", is_greater = name == "GREATER";
  if (name == "STABLEHLO_COMPARE") {
    const auto o = op.Options2<fb::StablehloCompareOptionsT>();
    is_less = o.comparison_direction == fb::StablehloComparisonDirection::Less;
    is_greater = o.comparison_direction == fb::StablehloComparisonDirection::Greater;
    out->in_total = o.compare_type == kTotalOrder;
  }
  if ((!is_less && !is_greater) || op.input_count() != 2) return false;
  for (flatbuffers::uoffset_t i = 0; i + 1 < graph.inputs()->size(); i += 2) {
    const int32_t a = graph.inputs()->Get(i), b = graph.inputs()->Get(i + 1);
    const bool is_straight = op.input_index(0) == a && op.input_index(1) == b;
    if (!is_straight && (op.input_index(0) != b || op.input_index(1) != a)) continue;
    out->input = i / 2, out->descends = is_greater == is_straight;
    return true;
  }
  return false;
}

// Compares all elements along the axis with each other: [..., n, n, ...], whether the one along `axis` goes
// before that along axis + 1.
Status CompareAll(OpContext& c, int64_t subgraph, int axis, ir::ValueId* out) {
  std::vector<TensorValue> arguments, results;
  for (size_t i = 0; i < c.op.input_count(); ++i) {
    for (const int place : {axis + 1, axis}) {
      TensorValue element;
      MICRORT_RETURN_IF_ERROR(c.subgraph.PassedArgument(c.op.input_index(i), c.build, &element));
      const bool is_real = element.stored == ir::kNoValue;
      const ir::ValueId spread = c.build.InsertDim(element.any(), place);
      element.real = is_real ? spread : ir::kNoValue, element.stored = is_real ? ir::kNoValue : spread;
      arguments.push_back(std::move(element));
    }
  }
  MICRORT_RETURN_IF_ERROR(CalledSubgraph::Inline(c.subgraph, subgraph, arguments, &results));
  if (results.size() == 1 && results[0].any() != ir::kNoValue) {
    *out = results[0].any();
    if (c.value(*out).dtype == DType::kBool && c.value(*out).rank() == c.x().rank() + 1) return Status();
  }
  return Unsupported("a comparator that does not give one bool for every pair of elements");
}

// An element's place is the number of those that go before it; of equal ones, the first does.
Result<ir::ValueId> OrderByComparisons(OpContext& c, int64_t subgraph, int axis, int64_t count) {
  // There may be many places of no elements.
  if (count > ir::kMaxMade || c.x().elements() > ir::kMaxMade / std::max<int64_t>(1, count))
    return Unsupported("a comparator that is more than one comparison, of so many elements");
  ir::ValueId before = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(CompareAll(c, subgraph, axis, &before));
  const int rank = c.x().rank() + 1;
  std::vector<int32_t> swapped, along_first(static_cast<size_t>(rank), 1), along_second = along_first;
  for (int d = 0; d < rank; ++d) swapped.push_back(d == axis ? axis + 1 : d == axis + 1 ? axis : d);
  along_first[static_cast<size_t>(axis)] = along_second[static_cast<size_t>(axis) + 1] = ir::kInferDim;
  Dims places(static_cast<size_t>(count));
  for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int64_t>(i);
  const ir::ValueId place = c.build.Integers(places);
  const ir::ValueId comes_first =
      c.build.Less(c.build.Reshape(place, along_first), c.build.Reshape(place, along_second));
  const ir::ValueId after = c.build.Transpose(before, swapped);
  const ir::ValueId is_equal = c.build.Equal(before, after);
  const ir::ValueId goes_before = c.build.Select({is_equal, comes_first, before});
  const ir::ValueId rank_of =
      c.build.Reduce(schema::ReduceKind::Sum, c.build.Cast(goes_before, DType::kInt32), {axis}, false);
  return c.build.Checked(OrderOf(c, rank_of, axis, count, false));
}

Status ImportHloSort(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloSortOptionsT>();
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(o.dimension, c.x().rank()));
  MICRORT_RETURN_IF_ERROR(CheckCount(c.op.output_count(), static_cast<int>(c.op.input_count()), "outputs"));
  MICRORT_RETURN_IF_ERROR(c.subgraph.CheckCall(o.comparator_subgraph_index, 2 * c.op.input_count()));
  for (size_t i = 0; i < c.op.input_count(); ++i) {
    if (!c.op.has_input(i)) return Invalid("input {} is absent", i);
    MICRORT_RETURN_IF_ERROR(CheckFixed(c, i));
    if (c.x(i).shape != c.x().shape) return Invalid("input {} has another shape", i);
  }
  const int64_t count = c.x().shape[static_cast<size_t>(axis)];
  const ModelFile& file = c.subgraph.file();
  Comparison by;
  ir::ValueId order = ir::kNoValue;
  if (IsComparison(file, file.subgraph(static_cast<size_t>(o.comparator_subgraph_index)), &by)) {
    const bool in_total = by.in_total && c.x(by.input).dtype == DType::kFloat32;
    const ir::ValueId keys = in_total ? TotalOrderOf(c, c.input(by.input)) : c.input(by.input);
    order = OrderOf(c, keys, axis, count, by.descends);
  } else {
    MICRORT_ASSIGN_OR_RETURN(order, OrderByComparisons(c, o.comparator_subgraph_index, axis, count));
  }
  for (size_t i = 0; i < c.op.input_count(); ++i)
    c.SetOutput(i, c.build.GatherElements({c.input(i), order}, axis));
  return c.build.status();
}

}  // namespace

const ImporterList StablehloSortImporters = {
    {"STABLEHLO_SORT", 1, -1, ImportHloSort,
     Types(kAllTypes).Without("shapes that are not fixed; comparators that are more than one comparison, of "
                              "more than 16 million pairs")},
};

}  // namespace micrort::frontend::tflite
