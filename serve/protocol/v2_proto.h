#pragma once
// Inference over gRPC as the Open Inference Protocol has it.

#include "serve/protocol/open_inference.pb.h"
#include "serve/protocol/tensor.h"

namespace micrort::serve {

// Raw tensors of the request refer to `message`.
Error ParseV2Message(const inference::ModelInferRequest& message, size_t max_tensor_bytes,
                     InferRequest* request);

// All outputs as raw bytes.
void FormatV2Message(InferResponse* response, inference::ModelInferResponse* message);

}  // namespace micrort::serve
