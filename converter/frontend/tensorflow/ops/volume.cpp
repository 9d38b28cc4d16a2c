// Convolutions and pooling of volumes, [N,D,H,W,C] or [N,C,D,H,W].

#include "converter/frontend/tensorflow/ops/image.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

constexpr size_t kDims = 5;

ir::ValueId ChannelsFirst(OpContext& c, ir::ValueId x) {
  return IsChannelsFirst(c) ? x : c.build.Transpose(x, {0, 4, 1, 2, 3});
}
ir::ValueId AsGiven(OpContext& c, ir::ValueId y) {
  return IsChannelsFirst(c) ? y : c.build.Transpose(y, {0, 2, 3, 4, 1});
}

Result<std::vector<int64_t>> ReadVolumeDims(const OpContext& c, const char* attribute) {
  std::vector<int64_t> out;
  std::vector<int64_t> list = c.Ints(attribute);
  if (list.empty()) list.assign(kDims, 1);
  const size_t first = IsChannelsFirst(c) ? 2 : 1, channels = IsChannelsFirst(c) ? 1 : 4;
  if (list.size() != kDims || list[0] != 1 || list[channels] != 1)
    return Invalid("{}: expected 5 numbers, those of batch and channels 1", attribute);
  out.assign(list.begin() + static_cast<std::ptrdiff_t>(first),
             list.begin() + static_cast<std::ptrdiff_t>(first + 3));
  return out;
}

Result<std::vector<OnnxAttribute>> VolumeWindow(const OpContext& c) {
  std::vector<OnnxAttribute> out;
  const std::string padding = c.String("padding", "");
  if (padding != "SAME" && padding != "VALID")
    return MICRORT_ERROR(kUnsupported, "padding '%.20s'", padding.c_str());
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> strides, ReadVolumeDims(c, "strides"));
  out.push_back({"strides", strides});
  out.push_back({"auto_pad", std::string(padding == "SAME" ? "SAME_UPPER" : "VALID")});
  return out;
}

Status ImportConv3D(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 5));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 5));
  MICRORT_ASSIGN_OR_RETURN(std::vector<OnnxAttribute> attributes, VolumeWindow(c));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> dilations, ReadVolumeDims(c, "dilations"));
  attributes.push_back({"dilations", dilations});
  const ir::ValueId x = ChannelsFirst(c, c.input(0));
  const int64_t channels = c.value(x).dim(1), depth = c.x(1).shape[3];
  if (channels == ir::kDynamic || depth < 1 || channels % depth != 0)
    return Unsupported("{} channels, and weights for {}", channels, depth);
  attributes.push_back({"group", channels / depth});
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y,
                           c.Onnx("Conv", {x, c.build.Transpose(c.input(1), {4, 3, 0, 1, 2})}, attributes));
  return c.Return(AsGiven(c, y));
}

// inputs: the output's shape, weights [KD,KH,KW,O,I], x.
Status ImportConv3DTransposed(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 5));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(2, 5));
  MICRORT_ASSIGN_OR_RETURN(std::vector<OnnxAttribute> attributes, VolumeWindow(c));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> sizes, c.ConstantIntegers(0));
  if (sizes.size() != kDims) return Invalid("a shape of {} dimensions", sizes.size());
  for (const int64_t dilation : c.Ints("dilations")) {
    if (dilation != 1) return Unsupported("dilations");
  }
  const std::ptrdiff_t first = IsChannelsFirst(c) ? 2 : 1;
  attributes.push_back(
      {"output_shape", std::vector<int64_t>(sizes.begin() + first, sizes.begin() + first + 3)});
  MICRORT_ASSIGN_OR_RETURN(
      const ir::ValueId y,
      c.Onnx("ConvTranspose", {ChannelsFirst(c, c.input(2)), c.build.Transpose(c.input(1), {4, 3, 0, 1, 2})},
             attributes));
  return c.Return(AsGiven(c, y));
}

template <bool is_max>
Status ImportPool3D(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 5));
  MICRORT_ASSIGN_OR_RETURN(std::vector<OnnxAttribute> attributes, VolumeWindow(c));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> kernel, ReadVolumeDims(c, "ksize"));
  attributes.push_back({"kernel_shape", kernel});
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId y, c.Onnx(is_max ? "MaxPool" : "AveragePool",
                                                       {ChannelsFirst(c, c.input(0))}, attributes));
  return c.Return(AsGiven(c, y));
}

}  // namespace

const ImporterList VolumeOps = {
    {"AvgPool3D", 1, 1, ImportPool3D<false>},
    {"Conv3D", 2, 2, ImportConv3D},
    {"Conv3DBackpropInputV2", 3, 3, ImportConv3DTransposed, "a shape that is not constant; dilations"},
    {"MaxPool3D", 1, 1, ImportPool3D<true>},
};

}  // namespace micrort::frontend::tensorflow
