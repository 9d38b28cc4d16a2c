#pragma once
// What Conv2D and DepthwiseConv2D share: they differ only in the layout of their weights.

#include "runtime/ops/activation.h"
#include "runtime/ops/conv_geometry.h"
#include "runtime/ops/conv_layer.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/parse_rounding.h"

namespace micrort {

struct ConvState : ConvLayerCall {
  ConvGeometry geometry;
  int64_t groups;  // set in parse by Conv2D, in prepare by DepthwiseConv2D
  schema::WeightCompute compute;
};

template <typename Options>
Status ParseConv(const schema::Operator& op, const Options& options, ConvState* s) {
  MICRORT_RETURN_IF_ERROR(ParseRounding(op, &s->layer.params.types.rounding));
  MICRORT_RETURN_IF_ERROR(ParseGeometry(options, &s->geometry));
  s->compute = options.compute();
  return ParseActivation(options.activation(), Slopes::kInput, &s->layer.params.types.activation);
}

// What the weights say; the channel count of the input has been checked against them.
struct ConvFilters {
  int64_t columns;  // output channels
  int64_t kernel_h, kernel_w;
  int axis;  // of the output channels
};

// Checks that x has rank 4 and at least one channel.
Status CheckConvInput(const Tensor& x);
// The dimensions of x, weights [O,KH,KW,C/groups] and groups match. Sets the strides of the weights.
Status ReadConvFilters(const PrepareContext& context, ConvState* s, ConvFilters* filters);
// Everything of the parameters but the size of the output and the types.
void FillConvParams(const Shape& x, const ConvFilters& filters, ConvState* s);
// Height and width of the output of a convolution that is not transposed.
Status FillConvOutputSize(ConvState* s);
// With all dimensions known: types, output and plan.
Status PlanConv(PrepareContext& context, const ConvFilters& filters, ConvState* s);
Status PackConv(const PackContext& context);
Status RunConv(const RunContext& context);

}  // namespace micrort
