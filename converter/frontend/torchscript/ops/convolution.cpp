// Convolutions, and transposed ones.

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

struct ConvArguments {
  std::vector<int64_t> stride, padding, dilation, output_padding;
  std::string same;  // "same" or "valid" instead of padding
  bool transposed = false;
  int64_t groups = 1;
};

// A sample alone has no dimension for a batch.
void Convolve(OpContext& c, const ConvArguments& a) {
  ir::ValueId x = c.TensorAt(0);
  const ir::ValueId w = c.TensorAt(1);
  const bool is_alone = c.rank(x) == c.rank(w) - 1;
  if (is_alone) x = c.Onnx("Unsqueeze", {x, c.Integers({0})});
  std::vector<Attribute> attributes = {{"strides", a.stride}, {"dilations", a.dilation}, {"group", a.groups}};
  if (a.same == "same") {
    attributes.push_back({"auto_pad", std::string("SAME_UPPER")});
  } else if (a.same != "valid") {
    std::vector<int64_t> pads = a.padding;
    pads.insert(pads.end(), a.padding.begin(), a.padding.end());
    attributes.push_back({"pads", pads});
  }
  if (a.transposed) attributes.push_back({"output_padding", a.output_padding});
  ir::ValueId y = c.Onnx(a.transposed ? "ConvTranspose" : "Conv", {x, w, c.OptionalTensor(2)}, attributes);
  if (is_alone) y = c.Onnx("Squeeze", {y, c.Integers({0})});
  c.Return(y);
}

size_t SpatialDims(OpContext& c) {
  const int rank = c.rank(c.TensorAt(1));
  if (rank < 3) c.Fail(Invalid("weights of a convolution with {} dimensions", rank));
  return rank < 3 ? 1 : static_cast<size_t>(rank - 2);
}

// (input, weight, bias, stride, padding, dilation, groups)
void ImportConv(OpContext& c) {
  const size_t spatial = SpatialDims(c);
  ConvArguments a;
  a.stride = c.IntsFor(3, spatial, 1);
  if (c.arg(4).Is(Kind::kString)) {
    a.same = c.arg(4).text;
  } else {
    a.padding = c.IntsFor(4, spatial, 0);
  }
  a.dilation = c.IntsFor(5, spatial, 1);
  a.groups = c.Int(6, 1);
  Convolve(c, a);
}

// (input, weight, bias, stride, padding, output_padding, groups, dilation)
void ImportConvTranspose(OpContext& c) {
  const size_t spatial = SpatialDims(c);
  ConvArguments a;
  a.stride = c.IntsFor(3, spatial, 1);
  a.padding = c.IntsFor(4, spatial, 0);
  a.output_padding = c.IntsFor(5, spatial, 0);
  a.groups = c.Int(6, 1);
  a.dilation = c.IntsFor(7, spatial, 1);
  a.transposed = true;
  Convolve(c, a);
}

// (input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, ...)
void ImportConvolution(OpContext& c) {
  const size_t spatial = SpatialDims(c);
  ConvArguments a;
  a.stride = c.IntsFor(3, spatial, 1);
  a.padding = c.IntsFor(4, spatial, 0);
  a.dilation = c.IntsFor(5, spatial, 1);
  a.transposed = c.Bool(6, false);
  a.output_padding = c.IntsFor(7, spatial, 0);
  a.groups = c.Int(8, 1);
  Convolve(c, a);
}

constexpr char kConv[] = "input weight bias stride padding dilation groups";
constexpr char kConvTranspose[] = "input weight bias stride padding output_padding groups dilation";

}  // namespace

const ImporterList ConvolutionOps = {
    {"_convolution",
     "input weight bias stride padding dilation transposed output_padding groups benchmark deterministic "
     "cudnn_enabled allow_tf32",
     ImportConvolution},
    {"_convolution_mode", kConv, ImportConv},
    {"conv1d", kConv, ImportConv},
    {"conv2d", kConv, ImportConv},
    {"conv3d", kConv, ImportConv},
    {"conv_transpose1d", kConvTranspose, ImportConvTranspose},
    {"conv_transpose2d", kConvTranspose, ImportConvTranspose},
    {"conv_transpose3d", kConvTranspose, ImportConvTranspose},
    {"convolution", "input weight bias stride padding dilation transposed output_padding groups",
     ImportConvolution},
};

}  // namespace micrort::frontend::torchscript
