// Shapes and the order of elements, and blocks of them.

#include <algorithm>

#include "converter/frontend/common/blocks.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/subgraph_importer.h"
#include "converter/lower/arrays.h"

namespace micrort::frontend::tflite {

namespace {

Status ReshapeToConstant(OpContext& c, const std::vector<int64_t>& shape) {
  std::vector<int32_t> codes(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    MICRORT_ASSIGN_OR_RETURN(codes[i], ToInt32(shape[i], "shape"));
    if (codes[i] < -1) return Invalid("dimension {} of the new shape", codes[i]);
  }
  return c.Return(c.build.Reshape(c.input(0), codes));
}

// The shape is input 1, or, in older files, an option, where [0] meant a scalar.
Status ImportReshape(OpContext& c) {
  if (!c.op.has_input(1)) {
    const std::vector<int32_t> shape = c.op.Options<fb::ReshapeOptionsT>().new_shape;
    if (shape == std::vector<int32_t>{0}) return ReshapeToConstant(c, {});
    return ReshapeToConstant(c, {shape.begin(), shape.end()});
  }
  std::vector<int64_t> shape;
  if (ir::AnyIntegersOf(c.value(c.stored(1)), &shape)) return ReshapeToConstant(c, shape);
  return c.Return(c.build.ReshapeTo(c.input(0), c.Int64(1)));
}

Status ImportSqueeze(OpContext& c) {
  const std::vector<int32_t> given = c.op.Options<fb::SqueezeOptionsT>().squeeze_dims;
  const ir::Value& x = c.x();
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, NormalizeAxes({given.begin(), given.end()}, x.rank()));
  if (given.empty()) {
    for (int i = 0; i < x.rank(); ++i) {
      if (x.shape[static_cast<size_t>(i)] == ir::kDynamic)
        return Unsupported("all dimensions of size 1 of a shape that is not fixed");
      if (x.shape[static_cast<size_t>(i)] == 1) axes.push_back(i);
    }
  }
  std::sort(axes.begin(), axes.end());
  return c.Return(c.build.DropDims(c.input(0), axes));
}

Status ImportExpandDims(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int64_t given, c.ConstantScalar(1));
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(given, c.x().rank() + 1));
  return c.Return(c.build.InsertDim(c.input(0), axis));
}

Status ImportTranspose(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> given, c.ConstantIntegers(1));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> permutation, NormalizeAxes(given, c.x().rank()));
  return c.Return(c.build.Transpose(c.input(0), permutation));
}

Status ImportShape(OpContext& c) { return c.Return(c.build.ShapeOf(c.stored(0))); }

Status ImportRank(OpContext& c) {
  return c.Return(c.build.Constant<int32_t>({}, {c.value(c.stored(0)).rank()}));
}

Status ImportBroadcastTo(OpContext& c) { return c.Return(c.build.Expand({c.input(0), c.Int64(1)})); }

// The shape that two shapes broadcast to.
Status ImportBroadcastArgs(OpContext& c) {
  const ir::ValueId a = c.Int64(0), b = c.Int64(1);
  return c.Return(lower::BroadcastShapes(c.build, a, b));
}

Status ImportFill(OpContext& c) { return c.Return(c.build.Expand({c.input(1), c.Int64(0)})); }

Status ImportTile(OpContext& c) {
  return c.Return(c.build.Add(schema::TileOptionsT(), {c.input(0), c.Int64(1)}));
}

template <Result<ir::ValueId> (*Move)(ir::Builder&, ir::ValueId, int64_t)>
Status MoveBlocks(OpContext& c, int32_t block) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 4));
  return c.Return(Move(c.build, c.input(0), block));
}

Status ImportSpaceToDepth(OpContext& c) {
  return MoveBlocks<SpaceToDepth>(c, c.op.Options<fb::SpaceToDepthOptionsT>().block_size);
}

Status ImportDepthToSpace(OpContext& c) {
  return MoveBlocks<DepthToSpace>(c, c.op.Options<fb::DepthToSpaceOptionsT>().block_size);
}

Status ImportReverse(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> axes, c.ConstantIntegers(1));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> reversed, NormalizeAxes(axes, c.x().rank()));
  return c.Return(c.build.Reversed(c.input(0), reversed));
}

template <Result<ir::ValueId> (*Move)(ir::Builder&, ir::ValueId, const SpatialBlocks&)>
Status ImportBatch(OpContext& c) {
  if (c.subgraph.dilated_convs().HandsOn(c.op.stated())) return c.Return(c.input(0));
  std::vector<int64_t> borders;
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> sizes, c.ConstantIntegers(1));
  SpatialBlocks blocks;
  if (c.value(c.stored(2)).is_constant()) {
    MICRORT_ASSIGN_OR_RETURN(borders, c.ConstantIntegers(2));
    MICRORT_ASSIGN_OR_RETURN(blocks, ReadSpatialBlocks(c.x(), std::move(sizes), borders));
  } else {
    MICRORT_RETURN_IF_ERROR(c.CheckRank(2, 2));
    MICRORT_ASSIGN_OR_RETURN(blocks, ReadSpatialBlocks(c.x(), std::move(sizes), c.Int64(2)));
  }
  return c.Return(Move(c.build, c.input(0), blocks));
}

constexpr OpSupport kBlockSupport = Types(kAllTypes).Without("block sizes that are not constant");

}  // namespace

const ImporterList LayoutImporters = {
    {"BROADCAST_ARGS", 2, 2, ImportBroadcastArgs, Types(TypesOf(DType::kInt32, DType::kInt64))},
    {"BROADCAST_TO", 2, 2, ImportBroadcastTo, Types(kAllTypes)},
    {"DEPTH_TO_SPACE", 1, 1, ImportDepthToSpace, Types(kAllTypes)},
    {"EXPAND_DIMS", 2, 2, ImportExpandDims, Types(kAllTypes)},
    {"FILL", 2, 2, ImportFill, Types(kAllTypes)},
    {"RANK", 1, 1, ImportRank, Types(kAllTypes)},
    {"RESHAPE", 1, 2, ImportReshape, Types(kAllTypes)},
    {"REVERSE_V2", 2, 2, ImportReverse, Types(kAllTypes)},
    {"SHAPE", 1, 1, ImportShape, Types(kAllTypes)},
    {"SPACE_TO_DEPTH", 1, 1, ImportSpaceToDepth, Types(kAllTypes)},
    {"SQUEEZE", 1, 1, ImportSqueeze, Types(kAllTypes)},
    {"TILE", 2, 2, ImportTile, Types(kAllTypes)},
    {"TRANSPOSE", 2, 2, ImportTranspose, Types(kAllTypes)},
    {"BATCH_TO_SPACE_ND", 3, 3, ImportBatch<BatchToSpace>, kBlockSupport},
    {"SPACE_TO_BATCH_ND", 3, 3, ImportBatch<SpaceToBatch>, kBlockSupport},
};

}  // namespace micrort::frontend::tflite
