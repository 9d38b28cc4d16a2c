// Rotations of pairs of elements, and RotaryEmbedding, of ONNX and of com.microsoft.

#include "converter/frontend/onnx/ops/rotation.h"

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/ops/scaled_dot_product.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// (a, b) → (a cos - b sin, a sin + b cos), joined along `axis`.
ir::ValueId Turn(NodeContext& c, ir::ValueId a, ir::ValueId b, ir::ValueId cos, ir::ValueId sin, int axis) {
  const auto product = [&](ir::ValueId x, ir::ValueId y) { return c.build.Mul(x, y); };
  const ir::ValueId real = c.build.Sub(product(cos, a), product(sin, b));
  const ir::ValueId imaginary = c.build.Add(product(sin, a), product(cos, b));
  return c.build.Concat({real, imaginary}, axis);
}

}  // namespace

ir::ValueId Rotate(NodeContext& c, const Rotation& r) {
  const int64_t width = c.value(r.x).dim(3);
  const ir::ValueId turning = r.size == width ? r.x : c.build.Slice(r.x, 3, 0, r.size);
  ir::ValueId turned = ir::kNoValue;
  if (r.interleaved) {
    const auto half = static_cast<int32_t>(r.size / 2);
    const std::vector<int32_t> pairs = {CopyDim(0), CopyDim(1), CopyDim(2), half, 2};
    const std::vector<int32_t> column = {CopyDim(0), CopyDim(1), CopyDim(2), CopyDim(3), 1};
    const ir::ValueId x = c.build.Reshape(turning, pairs);
    const ir::ValueId both = Turn(c, c.build.Slice(x, 4, 0, 1), c.build.Slice(x, 4, 1, 2),
                                  c.build.Reshape(r.cos, column), c.build.Reshape(r.sin, column), 4);
    turned = c.build.Reshape(both, {CopyDim(0), CopyDim(1), CopyDim(2), static_cast<int32_t>(r.size)});
  } else {
    turned = Turn(c, c.build.Slice(turning, 3, 0, r.size / 2), c.build.Slice(turning, 3, r.size / 2, r.size),
                  r.cos, r.sin, 3);
  }
  if (r.size == width) return turned;
  return c.build.Concat({turned, c.build.Slice(r.x, 3, r.size, width)}, 3);
}

ir::ValueId Angles(NodeContext& c, ir::ValueId table, ir::ValueId positions, int head_axis) {
  const ir::ValueId rows = positions == ir::kNoValue ? table : c.build.Gather(table, positions, 0);
  return head_axis == 1 ? c.build.Reshape(rows, {CopyDim(0), 1, CopyDim(1), CopyDim(2)})
                        : c.build.Reshape(rows, {CopyDim(0), CopyDim(1), 1, CopyDim(2)});
}

namespace {

struct Operands {
  ir::ValueId positions, cos, sin;
};

// heads: of x [B,S,N*D]; x [B,N,S,D] has its own.
Status ReturnRotated(NodeContext& c, const Operands& o, int64_t heads, int64_t rotary_size) {
  const int rank = c.x().rank();
  const int64_t width = rank >= 3 ? c.x().shape.back() : ir::kDynamic;
  if (rank != 3 && rank != 4) return Invalid("expected 3 or 4 dimensions, found {}", rank);
  if (rank == 3 && (heads < 1 || width < 1 || width % heads != 0))
    return Invalid("{} numbers cannot be split into {} heads", width, heads);
  Rotation r;
  r.interleaved = c.Int("interleaved", 0) != 0;
  r.x = c.input(0);
  const int64_t size = rank == 3 ? width / heads : width;
  if (rank == 3) {
    const std::vector<int32_t> shape = {CopyDim(0), CopyDim(1), static_cast<int32_t>(heads),
                                        static_cast<int32_t>(size)};
    r.x = c.build.Reshape(r.x, shape);
  }
  r.size = rotary_size == 0 ? size : rotary_size;
  if (r.size < 2 || r.size % 2 != 0 || r.size > size)
    return Invalid("{} of {} numbers cannot turn", r.size, size);
  r.cos = Angles(c, o.cos, o.positions, rank == 3 ? 2 : 1);
  r.sin = Angles(c, o.sin, o.positions, rank == 3 ? 2 : 1);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const ir::ValueId y = Rotate(c, r);
  if (rank == 4) return c.Return(y);
  return c.Return(c.build.Reshape(y, {CopyDim(0), CopyDim(1), static_cast<int32_t>(width)}));
}

Status ImportRotaryEmbedding(NodeContext& c) {
  const Operands operands = {c.input(3), c.input(1), c.input(2)};
  const int64_t heads = c.Int("num_heads", 0);
  return ReturnRotated(c, operands, heads, c.Int("rotary_embedding_dim", 0));
}

// Positions [B,S], or [1]: that of the first of S.
Status ImportMicrosoftRotaryEmbedding(NodeContext& c) {
  c.Ignore({"scale"});
  if (c.Int("is_packed_batching", 0) != 0) return Unsupported("is_packed_batching");
  const int rank = c.x().rank();
  ir::ValueId positions = c.input(1);
  if (c.x(1).rank() == 1 && rank >= 3) {
    const ir::ValueId steps = PositionsOf(c, c.input(0), rank - 2, 1, 2);
    positions = c.build.Add(steps, positions);
  }
  const int64_t rotary_size = c.Int("rotary_embedding_dim", 0);
  int64_t heads = c.Int("num_heads", 0);
  const int64_t table_width = c.x(2).rank() == 2 ? c.x(2).shape[1] : ir::kDynamic;
  if (rank == 3 && heads == 0 && rotary_size == 0 && table_width > 0)
    heads = c.x().shape[2] / (2 * table_width);
  return ReturnRotated(c, {positions, c.input(2), c.input(3)}, heads, rotary_size);
}

}  // namespace

const ImporterList RotaryEmbeddingImporters = {
    {"RotaryEmbedding", 3, 4, InFloat32<ImportRotaryEmbedding>, Types(kFloats).Since(23)},
    {"com.microsoft.RotaryEmbedding", 4, 4, InFloat32<ImportMicrosoftRotaryEmbedding>,
     Types(kFloats).Without("is_packed_batching")},
};

}  // namespace micrort::frontend::onnx
