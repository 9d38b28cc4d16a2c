// Operators that read images between their pixels, at the coordinates of a grid, or in regions; grids that an
// affine map makes.

#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"
#include "kernels/base/shape.h"

namespace micrort::frontend::onnx {

namespace {

using schema::GridCoordinates;
using schema::GridPadding;
using schema::ResizeMode;

// [N,C,...] → [N,...,C]
ir::ValueId ChannelsLast(NodeContext& c, ir::ValueId x) {
  const int rank = c.value(x).rank();
  return rank == 3 ? c.build.Transpose(x, {0, 2, 1}) : ToNhwc(c.build, x, rank);
}

// [N,...,C] → [N,C,...], for the rank of a result without errors.
ir::ValueId ChannelsFirst(NodeContext& c, ir::ValueId y, int rank) {
  return rank == 3 ? c.build.Transpose(y, {0, 2, 1}) : FromNhwc(c.build, y, rank);
}

Status ReadMode(NodeContext& c, ResizeMode* mode) {
  const std::string name = c.String("mode", "linear");
  if (name == "linear" || name == "bilinear") {
    *mode = ResizeMode::Linear;
  } else if (name == "cubic" || name == "bicubic") {
    *mode = ResizeMode::Cubic;
  } else if (name == "nearest") {
    *mode = ResizeMode::Nearest;
  } else {
    return Invalid("mode '{}'", name);
  }
  return Status();
}

Status ReadPadding(NodeContext& c, GridPadding* padding) {
  const std::string name = c.String("padding_mode", "zeros");
  if (name == "zeros") {
    *padding = GridPadding::Zeros;
  } else if (name == "border") {
    *padding = GridPadding::Border;
  } else if (name == "reflection") {
    *padding = GridPadding::Reflection;
  } else {
    return Invalid("padding_mode '{}'", name);
  }
  return Status();
}

Status ImportGridSample(NodeContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckImageRank(c.x()));
  const int rank = c.x().rank();
  if (c.x(1).rank() != rank) return Invalid("input of {} dimensions, grid of {}", rank, c.x(1).rank());
  schema::GridSampleOptionsT options;
  MICRORT_RETURN_IF_ERROR(ReadMode(c, &options.mode));
  MICRORT_RETURN_IF_ERROR(ReadPadding(c, &options.padding));
  const bool align = c.Int("align_corners", 0) != 0;
  options.coordinates = align ? GridCoordinates::AlignCorners : GridCoordinates::HalfPixel;
  const ir::ValueId x = ChannelsLast(c, c.input(0));
  return c.Return(ChannelsFirst(c, c.build.Add(std::move(options), {x, c.input(1)}), rank));
}

Status ImportRoiAlign(NodeContext& c) {
  if (c.x().rank() != 4) return Invalid("input of {} dimensions: expected 4", c.x().rank());
  schema::RoiAlignOptionsT options;
  MICRORT_ASSIGN_OR_RETURN(options.output_h, ToInt32(c.Int("output_height", 1), "output_height"));
  MICRORT_ASSIGN_OR_RETURN(options.output_w, ToInt32(c.Int("output_width", 1), "output_width"));
  MICRORT_ASSIGN_OR_RETURN(options.sampling_ratio, ToInt32(c.Int("sampling_ratio", 0), "sampling_ratio"));
  options.spatial_scale = c.Float("spatial_scale", 1.0f);
  const std::string mode = c.String("mode", "avg");
  const std::string coordinates =
      c.String("coordinate_transformation_mode", c.opset() < 16 ? "output_half_pixel" : "half_pixel");
  if ((mode != "avg" && mode != "max") || (coordinates != "half_pixel" && coordinates != "output_half_pixel"))
    return Invalid("mode '{}', coordinate_transformation_mode '{}'", mode, coordinates);
  options.pooling = mode == "max" ? schema::RoiPooling::Max : schema::RoiPooling::Average;
  options.half_pixel = coordinates == "half_pixel";
  const ir::ValueId x = ToNhwc(c.build, c.input(0), 4);
  return c.Return(FromNhwc(c.build, c.build.Add(std::move(options), {x, c.input(1), c.input(2)}), 4));
}

// The coordinates of `size` (a float scalar) elements along one dimension,
// between -1 and 1.
ir::ValueId GridAxis(NodeContext& c, ir::ValueId size, bool align_corners) {
  const ir::ValueId one = c.build.Scalar(1);
  const ir::ValueId count = c.build.Cast(size, DType::kFloat32);
  const ir::ValueId i = c.build.Cast(Arange(c, size), DType::kFloat32);
  const ir::ValueId twice = c.build.Add(i, i);
  if (!align_corners) {
    const ir::ValueId centre = c.build.Add(twice, one);
    return c.build.Sub(c.build.Div(centre, count), one);
  }
  // A single element is in the centre.
  const ir::ValueId steps = c.build.Sub(count, one);
  const ir::ValueId divisor = c.build.Max(steps, one);
  const ir::ValueId begin = c.build.Min(steps, one);
  return c.build.Sub(c.build.Div(twice, divisor), begin);
}

// theta [N,n,n+1], size [N,C,S1..Sn]: the affine image of the coordinates of
// every element, [N,S1..Sn,n].
Status ImportAffineGrid(NodeContext& c) {
  const bool align = c.Int("align_corners", 0) != 0;
  const ir::Value& size = c.x(1);
  if (c.x(0).rank() != 3 || size.rank() != 1 || !size.is_static() || size.shape[0] < 3 ||
      size.shape[0] > kMaxRank)
    return Invalid("expected theta [N,n,n+1] and a size of n + 2 numbers");
  const auto dims = static_cast<int>(size.shape[0]) - 2;
  const auto column = [&](int i) {
    std::vector<int32_t> shape = {CopyDim(0)};
    shape.resize(static_cast<size_t>(dims) + 1, 1);
    shape.push_back(dims);
    return c.build.Reshape(c.build.Slice(c.input(0), 2, i, i + 1), shape);
  };
  ir::ValueId sum = column(dims);
  for (int i = 0; i < dims; ++i) {
    // Column i belongs to the i-th dimension from the end.
    const ir::ValueId length = ScalarAt(c, c.input(1), 1 + dims - i);
    const ir::ValueId axis = c.build.Along(GridAxis(c, length, align), 0, static_cast<int>(i) + 2);
    sum = c.build.Add(sum, c.build.Mul(column(i), axis));
  }
  return c.Return(sum);
}

}  // namespace

const ImporterList SamplingImporters = {
    {"GridSample", 2, 2, InFloat32<ImportGridSample>, Types(kFloats).Since(16)},
    {"RoiAlign", 3, 3, InFloat32<ImportRoiAlign>, Types(kFloats).Since(10)},
    {"AffineGrid", 2, 2, InFloat32<ImportAffineGrid>, Types(kFloats).Since(20)},
};

}  // namespace micrort::frontend::onnx
