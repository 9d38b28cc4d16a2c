// Elements written into a new tensor: SCATTER_ND, SPARSE_TO_DENSE; rows looked up and added:
// EMBEDDING_LOOKUP, SEGMENT_SUM, UNSORTED_SEGMENT_*.

#include <algorithm>
#include <limits>

#include "converter/frontend/tflite/registry.h"
#include "converter/lower/empty_segment.h"

namespace micrort::frontend::tflite {

namespace {

using schema::ScatterReduction;

// Into zeros; updates at one place are added up.
Status ImportScatterNd(OpContext& c) {
  const ir::ValueId shape = c.Int64(2);
  const ir::ValueId zeros = c.build.Expand({c.Scalar(c.x(1).dtype, 0), shape});
  return c.Return(c.build.ScatterND({zeros, c.stored(0), c.input(1)}, ScatterReduction::Add));
}

// Indices are one number, a vector of places along one dimension, or rows of coordinates.
Status ImportSparseToDense(OpContext& c) {
  ir::ValueId indices = c.Int64(0), values = c.input(2);
  const int rank = c.value(indices).rank();
  if (rank > 2) return Invalid("indices of {} dimensions", rank);
  if (rank == 0) indices = c.build.Reshape(indices, {1, 1});
  if (rank == 1) indices = c.build.InsertDim(indices, 1);
  if (c.value(values).rank() == 0) values = c.build.Expand({values, c.build.DimOf(indices, 0)});
  const ir::ValueId shape = c.Int64(1);
  const ir::ValueId defaults = c.build.Expand({c.build.Reshape(c.input(3), {}), shape});
  return c.Return(c.build.ScatterND({defaults, indices, values}, ScatterReduction::None));
}

Status ImportEmbeddingLookup(OpContext& c) { return c.Return(c.build.Gather(c.input(1), c.stored(0), 0)); }

bool MayBeNegative(OpContext& c, ir::ValueId ids) {
  std::vector<int64_t> list;
  return !ir::AnyIntegersOf(c.value(ids), &list) ||
         std::any_of(list.begin(), list.end(), [](int64_t id) { return id < 0; });
}

// Row i of data is combined into row ids[i] of the output, which has `rows`. Rows of negative ids are left
// out: a row more takes them. Ids from `rows` on move behind that row, so that a run still finds them out of
// range.
Status CombineRows(OpContext& c, int64_t rows, ScatterReduction reduction) {
  ir::ValueId ids = c.Int64(1);
  if (c.value(ids).rank() != 1 || c.x().rank() < 1)
    return Unsupported("segment ids of {} dimensions", c.value(ids).rank());
  const bool leaves_out = MayBeNegative(c, ids);
  if (leaves_out) {
    const ir::ValueId is_negative = c.build.Less(ids, c.build.Integers({0}));
    const ir::ValueId is_behind = c.build.GreaterOrEqual(ids, c.build.Integers({rows}));
    const ir::ValueId moved = c.build.Add(ids, c.build.Cast(is_behind, DType::kInt64));
    ids = c.build.Select({is_negative, c.build.Integers({rows}), moved});
  }
  schema::ShapeOptionsT rest;
  rest.start = 1;
  const ir::ValueId shape = c.build.Concat(
      {c.build.Integers({rows + (leaves_out ? 1 : 0)}), c.build.Add(std::move(rest), {c.input(0)})}, 0);
  const ir::ValueId base = c.build.Expand({lower::EmptySegment(c.build, c.x().dtype, reduction), shape});
  const ir::ValueId y = c.build.ScatterND({base, c.build.InsertDim(ids, 1), c.input(0)}, reduction);
  return c.Return(leaves_out ? c.build.Slice(y, 0, 0, rows) : y);
}

Status ImportSegmentSum(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> ids, c.ConstantIntegers(1));
  for (const int64_t id : ids) {
    if (id < 0 || id > std::numeric_limits<int32_t>::max()) return Invalid("segment id {}", id);
  }
  return CombineRows(c, ids.empty() ? 0 : *std::max_element(ids.begin(), ids.end()) + 1,
                     ScatterReduction::Add);
}

template <ScatterReduction kReduction>
Status ImportUnsortedSegment(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int64_t rows, c.ConstantScalar(2));
  if (rows < 0) return Invalid("{} segments", rows);
  return CombineRows(c, rows, kReduction);
}

constexpr TypeSet kAdded = TypesOf(DType::kFloat32, DType::kInt32, DType::kInt64);

}  // namespace

const ImporterList ScatterImporters = {
    {"EMBEDDING_LOOKUP", 2, 2, ImportEmbeddingLookup, Types(kFloat32 | kBytes)},
    {"SCATTER_ND", 3, 3, ImportScatterNd, Types(kAdded)},
    {"SEGMENT_SUM", 2, 2, ImportSegmentSum, Types(kAdded).Without("ids that are not constant")},
    {"SPARSE_TO_DENSE", 4, 4, ImportSparseToDense, Types(kAdded)},
    {"UNSORTED_SEGMENT_MAX", 3, 3, ImportUnsortedSegment<ScatterReduction::Max>, Types(kAdded)},
    {"UNSORTED_SEGMENT_MIN", 3, 3, ImportUnsortedSegment<ScatterReduction::Min>, Types(kAdded)},
    {"UNSORTED_SEGMENT_PROD", 3, 3, ImportUnsortedSegment<ScatterReduction::Mul>, Types(kAdded)},
    {"UNSORTED_SEGMENT_SUM", 3, 3, ImportUnsortedSegment<ScatterReduction::Add>, Types(kAdded)},
};

}  // namespace micrort::frontend::tflite
