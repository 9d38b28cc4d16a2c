// MaxUnpool: maxima back to the places that they were taken from.

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

constexpr int64_t kMaxExtent = int64_t{1} << 24;  // of strides, pads ...: products with a size fit int64

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

}  // namespace

const ImporterList UnpoolImporters = {
    {"MaxUnpool", 2, 3, ImportMaxUnpool, Types(kFloats).Since(9)},
};

}  // namespace micrort::frontend::onnx
