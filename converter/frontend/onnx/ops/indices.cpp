// Operators whose indices are data.

#include <numeric>

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend {

namespace {

using schema::BinaryKind;

constexpr int kMaxDepth = 1 << 20;

Status ImportGather(NodeContext& c) {
  int axis = 0;
  MICRORT_RETURN_IF_ERROR(c.Axis(c.Int("axis", 0), c.x().rank(), &axis));
  return c.Return(c.build.Gather(c.input(0), c.input(1), axis));
}

// 0, 1 ... n - 1 along `axis` of `rank` dimensions.
ir::ValueId Iota(NodeContext& c, int64_t n, int axis, int rank) {
  std::vector<int64_t> elements(static_cast<size_t>(n));
  std::iota(elements.begin(), elements.end(), 0);
  std::vector<int64_t> shape(static_cast<size_t>(rank), 1);
  shape[static_cast<size_t>(axis)] = n;
  return c.build.Constant(shape, elements);
}

// A constant of any type.
Status ReadDepth(const NodeContext& c, int64_t* depth) {
  std::vector<int64_t> integers;
  std::vector<float> floats;
  if (ir::FloatsOf(c.x(1), &floats)) {
    for (float v : floats) integers.push_back(v >= 0 && v <= kMaxDepth ? static_cast<int64_t>(v) : -1);
  } else {
    MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &integers));
  }
  if (integers.size() != 1 || integers[0] < 0 || integers[0] > kMaxDepth) {
    return MICRORT_ERROR(kUnsupported, "depth must be one number from 0 to %d", kMaxDepth);
  }
  *depth = integers[0];
  return Status();
}

// values = [off, on]; on where the index along the new axis is that of the input. Negative indices count from
// the end.
Status ImportOneHot(NodeContext& c) {
  int64_t depth = 0;
  MICRORT_RETURN_IF_ERROR(ReadDepth(c, &depth));
  const int rank = c.x().rank() + 1;
  int axis = 0;
  MICRORT_RETURN_IF_ERROR(c.Axis(c.Int("axis", -1), rank, &axis));
  std::vector<int32_t> shape;
  for (int i = 0, from = 0; i < rank; ++i) shape.push_back(i == axis ? 1 : CopyDim(from++));
  const ir::ValueId integers =
      c.x().dtype == DType::kInt64 ? c.input(0) : c.build.Cast(c.input(0), DType::kInt64);
  const ir::ValueId indices = c.build.Reshape(integers, shape);
  const ir::ValueId iota = Iota(c, depth, axis, rank);
  const ir::ValueId end = c.build.Constant<int64_t>({}, {depth});
  const ir::ValueId from_start = c.build.Binary(BinaryKind::Equal, indices, iota);
  const ir::ValueId from_end =
      c.build.Binary(BinaryKind::Equal, c.build.Binary(BinaryKind::Add, indices, end), iota);
  const ir::ValueId hit = c.build.Binary(BinaryKind::Or, from_start, from_end);
  const ir::ValueId off = c.build.Slice(c.input(2), 0, 0, 1);
  const ir::ValueId on = c.build.Slice(c.input(2), 0, 1, 2);
  return c.Return(c.build.Add(schema::SelectOptionsT(), {hit, on, off}));
}

constexpr OpImporter kImporters[] = {
    {"Gather", 2, 2, ImportGather},
    {"OneHot", 3, 3, ImportOneHot},
};

}  // namespace

Span<const OpImporter> IndexImporters() { return kImporters; }

}  // namespace micrort::frontend
