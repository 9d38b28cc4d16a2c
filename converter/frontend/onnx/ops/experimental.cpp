// Operators that opsets 1 to 9 had on trial. Converters of that time wrote them for the preprocessing of
// pictures, and around activations.

#include <algorithm>
#include <limits>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

Status ImportAffine(NodeContext& c) {
  const ir::ValueId scaled = c.build.Scaled(c.input(0), c.Float("alpha", 1.0f));
  return c.Return(c.build.Add(scaled, c.build.Scalar(c.Float("beta", 0.0f))));
}

// x * scale + bias, one bias a channel.
Status ImportImageScaler(NodeContext& c) {
  const std::vector<float> bias = c.Floats("bias");
  if (c.x().rank() != 4) return Invalid("expected an image, found {} dimensions", c.x().rank());
  const ir::ValueId scaled = c.build.Scaled(c.input(0), c.Float("scale", 1.0f));
  if (bias.empty()) return c.Return(scaled);
  const ir::ValueId biases = c.build.Constant({static_cast<int64_t>(bias.size()), 1, 1}, bias);
  return c.Return(c.build.Add(scaled, biases));
}

Status ImportParametricSoftplus(NodeContext& c) {
  const ir::ValueId inner = c.build.Scaled(c.input(0), c.Float("beta", 1.0f));
  return c.Return(c.build.Scaled(c.build.Softplus(inner), c.Float("alpha", 1.0f)));
}

Status ImportScaledTanh(NodeContext& c) {
  const ir::ValueId inner = c.build.Scaled(c.input(0), c.Float("beta", 1.0f));
  return c.Return(c.build.Scaled(c.build.Tanh(inner), c.Float("alpha", 1.0f)));
}

Status ImportScale(NodeContext& c) { return c.Return(c.build.Scaled(c.input(0), c.Float("scale", 1.0f))); }

// border: left, top, right, bottom. With `scale`, the height and width that are left, only the first two
// count.
Status ImportCrop(NodeContext& c) {
  std::vector<int64_t> border = c.Ints("border");
  const std::vector<int64_t> size = c.Ints("scale");
  if (c.x().rank() != 4 || border.size() != 4 || (!size.empty() && size.size() != 2))
    return Invalid("expected an image, four borders and two sizes or none");
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  const bool misfits =
      std::any_of(border.begin(), border.end(), [](int64_t b) { return b < 0 || b > kMax; }) ||
      std::any_of(size.begin(), size.end(), [](int64_t s) { return s < 1 || s > kMax; });
  if (misfits) return Invalid("a border or size that is negative or too large");
  schema::SliceOptionsT options;
  options.axes = {2, 3};
  options.steps = {1, 1};
  options.starts = {border[1], border[0]};
  for (size_t i = 0; i < 2; ++i) {
    const int64_t dim = c.x().shape[2 + i];
    if (size.empty() && dim == ir::kDynamic) return Unsupported("borders of an image without fixed size");
    const int64_t end = size.empty() ? dim - border[3 - i] : options.starts[i] + size[i];
    if (end <= options.starts[i] || (dim != ir::kDynamic && end > dim))
      return Invalid("nothing is left of the image, or more than there is");
    options.ends.push_back(end);
  }
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

}  // namespace

const ImporterList ExperimentalImporters = {
    {"Affine", 1, 1, InFloat32<ImportAffine>, Types(kFloats).Until(9)},
    {"Crop", 1, 1, ImportCrop, Types(kAllTypes).Until(9).Without("borders of images without fixed size")},
    {"ImageScaler", 1, 1, InFloat32<ImportImageScaler>, Types(kFloats).Until(9)},
    {"ParametricSoftplus", 1, 1, InFloat32<ImportParametricSoftplus>, Types(kFloats).Until(9)},
    {"Scale", 1, 1, InFloat32<ImportScale>, Types(kFloats).Until(9)},
    {"ScaledTanh", 1, 1, InFloat32<ImportScaledTanh>, Types(kFloats).Until(9)},
};

}  // namespace micrort::frontend::onnx
