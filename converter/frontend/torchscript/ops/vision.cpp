// Operators of torchvision.

#include <algorithm>

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// Columns [first, end) of a matrix.
ir::ValueId Columns(OpContext& c, ir::ValueId x, int64_t first, int64_t end) {
  return c.build.Slice(x, 1, first, end);
}

// (dets [N, 4], scores [N], iou_threshold): positions of the boxes that stay, best first
void ImportNms(OpContext& c) {
  const ir::ValueId boxes = c.TensorAt(0), scores = c.TensorAt(1);
  if (c.rank(boxes) != 2 || c.rank(scores) != 1)
    return c.Fail(Invalid("boxes of {} dimensions, scores of {}", c.rank(boxes), c.rank(scores)));
  const ir::ValueId count = c.build.SizesOf(scores, 0, 1);
  const ir::ValueId selected =
      c.Onnx("NonMaxSuppression", {c.Onnx("Unsqueeze", {boxes, c.Integers({0})}),
                                   c.Onnx("Unsqueeze", {scores, c.Integers({0, 1})}), count,
                                   c.build.Constant<float>({1}, {static_cast<float>(c.Float(2, 0))})});
  c.Return(c.build.Reshape(Columns(c, selected, 2, 3), {ir::kInferDim}));
}

// (input, rois [K, 5], spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned)
void ImportRoiAlignOp(OpContext& c) {
  const ir::ValueId rois = c.TensorAt(1);
  const ir::ValueId batch = c.CastTo(c.build.Reshape(Columns(c, rois, 0, 1), {ir::kInferDim}), DType::kInt64);
  const std::string mode = c.Bool(6, false) ? "half_pixel" : "output_half_pixel";
  c.Return(c.Onnx("RoiAlign", {c.TensorAt(0), Columns(c, rois, 1, 5), batch},
                  {{"spatial_scale", static_cast<float>(c.Float(2, 1))},
                   {"output_height", c.Int(3, 1)},
                   {"output_width", c.Int(4, 1)},
                   {"sampling_ratio", std::max<int64_t>(c.Int(5, 0), 0)},
                   {"coordinate_transformation_mode", mode}}));
}

// (input, rois [K, 5], spatial_scale, pooled_height, pooled_width): also the positions of the maxima
void ImportRoiPool(OpContext& c) {
  c.Return(c.Onnx("MaxRoiPool", {c.TensorAt(0), c.TensorAt(1)},
                  {{"spatial_scale", static_cast<float>(c.Float(2, 1))},
                   {"pooled_shape", std::vector<int64_t>{c.Int(3, 1), c.Int(4, 1)}}}));
  c.ReturnValue(Value::Sequence(Kind::kTuple, {c.result(), Value::Of(Kind::kUnreachable)}));
}

// (input, weight, offset, mask, bias, strides, pads and dilations of both dimensions, groups,
// offset_groups, use_mask)
void ImportDeformConvOp(OpContext& c) {
  const auto two = [&](size_t i) { return std::vector<int64_t>{c.Int(i, 1), c.Int(i + 1, 1)}; };
  const std::vector<int64_t> pad = two(7);
  const ir::ValueId mask = c.Bool(13, false) ? c.TensorAt(3) : ir::kNoValue;
  c.Return(c.Onnx("DeformConv", {c.TensorAt(0), c.TensorAt(1), c.TensorAt(2), c.TensorAt(4), mask},
                  {{"strides", two(5)},
                   {"pads", std::vector<int64_t>{pad[0], pad[1], pad[0], pad[1]}},
                   {"dilations", two(9)},
                   {"group", c.Int(11, 1)},
                   {"offset_group", c.Int(12, 1)}}));
}

}  // namespace

const ImporterList VisionOps = {
    {"torchvision::deform_conv2d",
     "input weight offset mask bias stride_h stride_w pad_h pad_w dilation_h dilation_w groups "
     "offset_groups use_mask",
     ImportDeformConvOp},
    {"torchvision::nms", "dets scores iou_threshold", ImportNms},
    {"torchvision::roi_align", "input rois spatial_scale pooled_height pooled_width sampling_ratio aligned",
     ImportRoiAlignOp},
    {"torchvision::roi_pool", "input rois spatial_scale pooled_height pooled_width", ImportRoiPool,
     "positions of the maxima"},
};

}  // namespace micrort::frontend::torchscript
