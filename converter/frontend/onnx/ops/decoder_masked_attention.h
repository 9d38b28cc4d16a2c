#pragma once
// DecoderMaskedMultiHeadAttention of com.microsoft: one new position a run.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// Inputs: query [B,1,N*D], key and value as the query or, of an encoder, [B,N,T,D]; mask [B,T]; bias of
// scores; past key and value; how many of their rows count; beam width, cache indirection; bias.
Status ImportDecoderMaskedAttention(NodeContext& c);

}  // namespace micrort::frontend::onnx
