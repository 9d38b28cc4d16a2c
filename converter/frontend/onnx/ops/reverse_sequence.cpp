// ReverseSequence: the first elements of each sequence of a batch, in reverse order.

#include <numeric>

#include "converter/frontend/onnx/ops/positions.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;

// [batch, time]: where the element at each place comes from.
ir::ValueId ReversedPositions(NodeContext& c, ir::ValueId lengths, ir::ValueId positions) {
  const ir::ValueId end = c.build.Reshape(c.build.Cast(lengths, DType::kInt64), {CopyDim(0), 1});
  const ir::ValueId last = c.build.Binary(BinaryKind::Sub, end, c.build.Integers({1}));
  const ir::ValueId mirrored = c.build.Binary(BinaryKind::Sub, last, positions);
  const ir::ValueId inside = c.build.Binary(BinaryKind::Less, positions, end);
  return c.build.Add(schema::SelectOptionsT(), {inside, mirrored, positions});
}

Status ImportReverseSequence(NodeContext& c) {
  const int rank = c.x().rank();
  const int64_t batch_axis = c.Int("batch_axis", 1), time_axis = c.Int("time_axis", 0);
  const bool fits = (batch_axis == 0 && time_axis == 1) || (batch_axis == 1 && time_axis == 0);
  if (rank < 2 || c.x(1).rank() != 1 || !fits) {
    return MICRORT_ERROR(kInvalidModel, "batch_axis %lld and time_axis %lld of %d dimensions",
                         static_cast<long long>(batch_axis), static_cast<long long>(time_axis), rank);
  }
  std::vector<int32_t> swapped(static_cast<size_t>(rank));
  std::iota(swapped.begin(), swapped.end(), 0);
  if (time_axis == 0) std::swap(swapped[0], swapped[1]);
  const ir::ValueId x = time_axis == 0 ? c.build.Transpose(c.input(0), swapped) : c.input(0);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const ir::ValueId from = ReversedPositions(c, c.input(1), PositionsAlong(c, x, 1));
  schema::GatherNDOptionsT options;
  options.batch_dims = 1;
  const ir::ValueId y = c.build.Add(options, {x, c.build.Reshape(from, {CopyDim(0), CopyDim(1), 1})});
  return c.Return(time_axis == 0 ? c.build.Transpose(y, swapped) : y);
}

}  // namespace

Span<const OpImporter> ReverseSequenceImporters() {
  static constexpr OpImporter kImporters[] = {
      {"ReverseSequence", 2, 2, ImportReverseSequence, Types(kAllTypes).Since(10)},
  };
  return kImporters;
}

}  // namespace micrort::frontend::onnx
