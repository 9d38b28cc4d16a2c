#pragma once
// Inference over REST as the Open Inference Protocol has it, with its binary tensor extension: tensors behind
// the JSON of a body, which a header tells the length of.

#include <optional>
#include <string>
#include <vector>

#include "serve/protocol/tensor.h"

namespace micrort::serve {

// A body of a response: JSON, and the bytes behind it.
struct V2Body {
  std::string bytes;
  std::optional<size_t> json_bytes;  // set if tensors follow the JSON
};

// `json_bytes` is what Inference-Header-Content-Length says; absent: the whole body is JSON. Tensors of the
// request refer to `body`. `max_tensor_bytes` limits each tensor.
Error ParseV2Request(Span<const uint8_t> body, std::optional<size_t> json_bytes, size_t max_tensor_bytes,
                     InferRequest* request);

// `request` tells which outputs are wanted as bytes.
Error FormatV2Response(const InferRequest& request, const InferResponse& response, V2Body* body);

}  // namespace micrort::serve
