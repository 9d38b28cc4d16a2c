// Pooling of sequences, images and volumes, in windows, in regions and as a whole, and back. Windows are
// boxes, so a volume is pooled plane by plane and then along each dimension before the plane.

#include <limits>

#include "converter/frontend/common/max_positions.h"
#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/lower/positions.h"

namespace micrort::frontend::onnx {

namespace {

using schema::PoolKind;
using schema::ReduceKind;

// The second output of MaxPool: where the maxima come from.

// The number of elements in front of each image of the whole tensor: [N,C,1].
ir::ValueId ImageOffsets(NodeContext& c, int64_t image) {
  const ir::ValueId n = c.build.Reshape(lower::PositionsAlong(c.build, c.input(0), 0), {kInferDim, 1, 1});
  const ir::ValueId channel =
      c.build.Reshape(lower::PositionsAlong(c.build, c.input(0), 1), {1, kInferDim, 1});
  const ir::ValueId channels = c.build.SizesOf(c.input(0), 1, 2);
  const ir::ValueId before = c.build.Add(c.build.Mul(n, channels), channel);
  return c.build.Mul(before, c.build.Integers({image}));
}

// For every element of y, the pooled input 0 of the node, the index of its maximum in the whole input
// (int64): row-major or, if `column_major`, with each image in column-major order. Of equal elements the
// first counts. kUnsupported unless the images have a fixed size.
Result<ir::ValueId> PoolIndices(NodeContext& c, const Window& window, bool column_major, ir::ValueId y) {
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const size_t spatial = c.x().shape.size() - 2;
  const std::vector<WindowAxis> axes(window.axes.end() - static_cast<std::ptrdiff_t>(spatial),
                                     window.axes.end());
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId in_image,
                           MaxPositions(c.build, c.input(0), y, axes, column_major));
  int64_t image = 1;
  std::vector<int32_t> shape = {CopyDim(0), CopyDim(1)};
  for (size_t i = 0; i < spatial; ++i) {
    image *= c.x().shape[2 + i];
    shape.push_back(static_cast<int32_t>(c.value(y).dim(2 + i)));
  }
  const ir::ValueId flat = c.build.Add(in_image, ImageOffsets(c, image));
  return c.build.Checked(c.build.Reshape(flat, shape));
}

// x [B,H,W,C]. `pool`: all but the window.
ir::ValueId PoolPlanes(NodeContext& c, schema::Pool2DOptionsT pool, const WindowAxis& height,
                       const WindowAxis& width, ir::ValueId x) {
  Window{{height, width}}.CopyTo(&pool);
  return c.build.Add(std::move(pool), {x});
}

// Pools dimension `dim` of x [N,S1,...,C]: the height of images whose rows are all that follows it.
ir::ValueId PoolDim(NodeContext& c, const schema::Pool2DOptionsT& pool, const WindowAxis& axis, int dim,
                    ir::ValueId x) {
  const int last = c.value(x).rank() - 1;
  const ir::ValueId rows =
      ReshapeTo(c, x, {{x, 0, dim}, OneDim(x, dim), {x, dim + 1, last}, OneDim(x, last)});
  const ir::ValueId y = PoolPlanes(c, pool, axis, WindowAxis(), rows);
  std::vector<DimRange> dims;
  for (int i = 0; i <= last; ++i) dims.push_back(i == dim ? OneDim(y, 1) : OneDim(x, i));
  return ReshapeTo(c, y, dims);
}

// x as in ONNX, [N,C,...].
ir::ValueId Pool(NodeContext& c, const schema::Pool2DOptionsT& pool, const Window& window, ir::ValueId x) {
  const int rank = c.value(x).rank();
  const ir::ValueId volume = ToNhwc(c.build, x, rank);
  const ir::ValueId planes = PoolPlanes(c, pool, window.height(), window.width(), ToPlanes(c, volume));
  ir::ValueId y = FromPlanes(c, planes, volume);
  for (size_t i = 0; i + 2 < window.spatial() && c.build.status().ok(); ++i) {
    if (!window.axes[i].is_trivial()) y = PoolDim(c, pool, window.axes[i], static_cast<int>(1 + i), y);
  }
  return FromNhwc(c.build, y, rank);
}

Status ReadPool(NodeContext& c, schema::Pool2DOptionsT* pool, Window* window) {
  MICRORT_RETURN_IF_ERROR(CheckImageRank(c.x()));
  pool->ceil_mode = c.Int("ceil_mode", 0) != 0;
  pool->count_include_pad = c.Int("count_include_pad", 0) != 0;
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, {}, window));
  return ApplyAutoPad(c, pool->kind == PoolKind::Max ? -std::numeric_limits<float>::infinity() : 0, window);
}

// The second output says where the maxima come from; storage_order is about it.
Status ImportMaxPool(NodeContext& c) {
  const bool column_major = c.Int("storage_order", 0) != 0;
  schema::Pool2DOptionsT pool;
  pool.kind = PoolKind::Max;
  Window window;
  MICRORT_RETURN_IF_ERROR(ReadPool(c, &pool, &window));
  const ir::ValueId y = Pool(c, pool, window, c.input(0));
  if (c.wants_output(1)) {
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId indices, PoolIndices(c, window, column_major, y));
    c.SetOutput(1, indices);
  }
  return c.Return(y);
}

// As large as the image, for all of its batch and channels.
ir::ValueId Ones(NodeContext& c, ir::ValueId image) {
  const ir::ValueId sizes = c.build.SizesOf(image, 2, c.value(image).rank());
  return c.build.Expand({c.build.Scalar(1), c.build.Concat({c.build.Integers({1, 1}), sizes}, 0)});
}

// Averages count what is inside of the image. Where it has to be padded beforehand, that is a pooling of
// ones.
Status ImportAveragePool(NodeContext& c) {
  schema::Pool2DOptionsT pool;
  pool.kind = PoolKind::Average;
  Window window;
  const ir::ValueId image = c.input(0);
  MICRORT_RETURN_IF_ERROR(ReadPool(c, &pool, &window));
  if (pool.count_include_pad || c.input(0) == image) return c.Return(Pool(c, pool, window, c.input(0)));
  pool.kind = PoolKind::Sum;
  const ir::ValueId sum = Pool(c, pool, window, c.input(0));
  c.ReplaceInput(0, Ones(c, image));
  MICRORT_RETURN_IF_ERROR(ReadPool(c, &pool, &window));
  return c.Return(c.build.Div(sum, Pool(c, pool, window, c.input(0))));
}

// y(|x|^p): the power of which an Lp norm is the root.
ir::ValueId AbsolutePower(NodeContext& c, ir::ValueId x, float p) {
  if (p == 2) return c.build.Mul(x, x);
  const ir::ValueId magnitude = c.build.Abs(x);
  return p == 1 ? magnitude : c.build.Pow(magnitude, c.build.Scalar(p));
}

ir::ValueId Root(NodeContext& c, ir::ValueId x, float p) {
  if (p == 1) return x;
  if (p == 2) return c.build.Sqrt(x);
  return c.build.Pow(x, c.build.Scalar(1 / p));
}

// p is a float in opset 1, an integer later.
Result<float> ReadNorm(NodeContext& c) {
  const float p = c.opset() < 2 ? c.Float("p", 2) : static_cast<float>(c.Int("p", 2));
  if (!(p >= 1)) return Invalid("p = {}: expected at least 1", p);
  return p;
}

Status ImportLpPool(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(float p, ReadNorm(c));
  schema::Pool2DOptionsT pool;
  pool.kind = PoolKind::Sum;
  Window window;
  MICRORT_RETURN_IF_ERROR(ReadPool(c, &pool, &window));
  return c.Return(Root(c, Pool(c, pool, window, AbsolutePower(c, c.input(0), p)), p));
}

template <ReduceKind kind>
Status ImportGlobalPool(NodeContext& c) {
  std::vector<int32_t> spatial;
  for (int i = 2; i < c.x().rank(); ++i) spatial.push_back(i);
  return c.Return(c.build.Reduce(kind, c.input(0), spatial, true));
}

Status ImportGlobalLpPool(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(float p, ReadNorm(c));
  if (p == 2) return ImportGlobalPool<ReduceKind::L2>(c);
  c.ReplaceInput(0, AbsolutePower(c, c.input(0), p));
  MICRORT_RETURN_IF_ERROR(ImportGlobalPool<ReduceKind::Sum>(c));
  return c.Return(Root(c, c.outputs()[0], p));
}

constexpr TypeSet kPooled = kFloats | kBytes;

// Spatial dimensions of what a MaxPool with these attributes took its maxima from.
Status UnpooledDims(NodeContext& c, std::vector<int64_t>* dims) {
  const std::vector<int64_t>& in = c.x().shape;
  const std::vector<int64_t> kernel = c.Ints("kernel_shape");
  const size_t spatial = in.size() < 2 ? 0 : in.size() - 2;
  const std::vector<int64_t> strides = c.Ints("strides", std::vector<int64_t>(spatial, 1));
  const std::vector<int64_t> pads = c.Ints("pads", std::vector<int64_t>(2 * spatial, 0));
  if (spatial == 0 || kernel.size() != spatial || strides.size() != spatial || pads.size() != 2 * spatial)
    return Invalid("kernel_shape, strides or pads do not fit {} dimensions", in.size());
  for (const auto* list : {&kernel, &strides, &pads}) {
    for (const int64_t v : *list) {
      if (v >= 0 && v <= kMaxExtent) continue;
      return Invalid("kernel_shape, strides or pads: {} is outside [0, {}]", v, kMaxExtent);
    }
  }
  for (size_t i = 0; i < spatial; ++i) {
    if (in[2 + i] == ir::kDynamic)
      return Unsupported("needs an image of fixed size; give it with --input-shape");
    MICRORT_ASSIGN_OR_RETURN(int32_t size, ToInt32(in[2 + i], "dimension"));
    MICRORT_ASSIGN_OR_RETURN(
        size, ToInt32((in[2 + i] - 1) * strides[i] + kernel[i] - pads[i] - pads[spatial + i], "dimension"));
    dims->push_back(size);
  }
  return Status();
}

// Pads the ends with zeros up to a shape that is a value of its own.
ir::ValueId PadTo(NodeContext& c, ir::ValueId x, ir::ValueId shape, ir::ValueId wanted) {
  const ir::ValueId begins = c.build.Integers(std::vector<int64_t>(c.x().shape.size(), 0));
  const ir::ValueId ends = c.build.Sub(wanted, shape);
  return c.build.Add(schema::PadOptionsT(), {x, c.build.Concat({begins, ends}, 0)});
}

// inputs: maxima, their indices in the whole tensor, the shape of the output (optional).
Status ImportMaxUnpool(NodeContext& c) {
  std::vector<int64_t> dims;
  MICRORT_RETURN_IF_ERROR(UnpooledDims(c, &dims));
  const ir::ValueId leading = c.build.SizesOf(c.input(0), 0, 2);
  const ir::ValueId shape = c.build.Concat({leading, c.build.Integers(dims)}, 0);
  const ir::ValueId zeros = c.build.Expand({c.Scalar(c.x().dtype, 0), shape});
  const auto flat = [&](ir::ValueId x) { return c.build.Reshape(x, {kInferDim}); };
  const ir::ValueId scattered =
      c.build.Add(schema::ScatterElementsOptionsT(), {flat(zeros), flat(c.input(1)), flat(c.input(0))});
  const ir::ValueId y = c.build.Add(schema::ReshapeOptionsT(), {scattered, shape});
  return c.Return(c.has_input(2) ? PadTo(c, y, shape, c.input(2)) : y);
}

Status ImportMaxRoiPool(NodeContext& c) {
  const std::vector<int64_t> pooled = c.Ints("pooled_shape");
  const float scale = c.Float("spatial_scale", 1.0f);
  if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1 || pooled[0] > 4096 || pooled[1] > 4096)
    return Invalid("pooled_shape: expected two sizes from 1 to 4096");
  if (c.x().rank() != 4 || c.x(1).rank() != 2 || c.x(1).shape[1] != 5)
    return Invalid("expected an image and regions [R,5]");
  return c.Return(MaxRoiPool(c.build, c.input(0), c.input(1), scale, pooled[0], pooled[1]));
}

}  // namespace

const ImporterList PoolImporters = {
    {"AveragePool", 1, 1, InFloat32<ImportAveragePool>, Types(kFloats)},
    {"GlobalAveragePool", 1, 1, InFloat32<ImportGlobalPool<ReduceKind::Mean>>, Types(kFloats)},
    {"GlobalLpPool", 1, 1, InFloat32<ImportGlobalLpPool>, Types(kFloats)},
    {"GlobalMaxPool", 1, 1, InFloat32<ImportGlobalPool<ReduceKind::Max>>, Types(kFloats)},
    {"LpPool", 1, 1, InFloat32<ImportLpPool>, Types(kFloats)},
    {"MaxPool", 1, 1, InFloat32<ImportMaxPool>, Types(kPooled)},
    {"MaxUnpool", 2, 3, ImportMaxUnpool, Types(kFloats).Since(9)},
    {"MaxRoiPool", 2, 2, InFloat32<ImportMaxRoiPool>, Types(kFloats)},
};

}  // namespace micrort::frontend::onnx
