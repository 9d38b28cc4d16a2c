// Operators that read images between their pixels: at the coordinates of a grid, or in regions.

#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/registry.h"

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

}  // namespace

const ImporterList SamplingImporters = {
    {"GridSample", 2, 2, InFloat32<ImportGridSample>, Types(kFloats).Since(16)},
    {"RoiAlign", 3, 3, InFloat32<ImportRoiAlign>, Types(kFloats).Since(10)},
};

}  // namespace micrort::frontend::onnx
