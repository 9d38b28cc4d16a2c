// Layers that multiply by one matrix of weights.

#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

// Dimensions from `axis` on are one vector; those before it stay.
Status ImportInnerProduct(LayerContext& c) {
  const auto& p = c.layer.inner_product_param();
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(p.axis(), c.rank()));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, axis, c.rank()));
  MICRORT_RETURN_IF_ERROR(ExpectRange("num_output", p.num_output(), 1, kMaxExtent));
  const int64_t outputs = p.num_output();
  int64_t depth = 1;
  for (int i = axis; i < c.rank(); ++i) {
    depth *= c.dim(i);
    MICRORT_RETURN_IF_ERROR(ExpectRange("elements", depth, 1, INT32_MAX));
  }
  std::vector<ir::ValueId> inputs = {c.bottom(), ir::kNoValue};
  const bool transposed = p.transpose();
  MICRORT_ASSIGN_OR_RETURN(inputs[1], c.Weights(0, transposed ? std::vector<int64_t>{depth, outputs}
                                                              : std::vector<int64_t>{outputs, depth}));
  if (p.bias_term()) {
    inputs.push_back(ir::kNoValue);
    MICRORT_ASSIGN_OR_RETURN(inputs.back(), c.Weights(1, {outputs}));
  }
  std::vector<int32_t> shape = ir::CopiedDims(axis);
  shape.push_back(static_cast<int32_t>(depth));
  if (axis != c.rank() - 1) inputs[0] = c.build.Reshape(c.bottom(), shape);
  schema::MatMulOptionsT options;
  options.transpose_b = !transposed;
  if (axis > 0) return c.Return(c.build.Add(std::move(options), inputs));
  inputs[0] = c.build.Reshape(c.bottom(), {1, static_cast<int32_t>(depth)});
  return c.Return(c.build.Reshape(c.build.Add(std::move(options), inputs), {static_cast<int32_t>(outputs)}));
}

// Each element, a whole number, picks a row of weights.
Status ImportEmbed(LayerContext& c) {
  const auto& p = c.layer.embed_param();
  MICRORT_RETURN_IF_ERROR(ExpectRange("num_output", p.num_output(), 1, kMaxExtent));
  MICRORT_RETURN_IF_ERROR(ExpectRange("input_dim", p.input_dim(), 1, INT32_MAX));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId table, c.Weights(0, {p.input_dim(), p.num_output()}));
  ir::ValueId y = c.build.Gather(table, c.build.Cast(c.bottom(), DType::kInt64), 0);
  if (p.bias_term()) {
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId bias, c.Weights(1, {p.num_output()}));
    y = c.build.Add(y, bias);
  }
  return c.Return(y);
}

}  // namespace

const ImporterList InnerProductLayers = {
    {"Embed", 1, 1, ImportEmbed},
    {"InnerProduct", 1, 1, ImportInnerProduct},
};

}  // namespace micrort::frontend::caffe
