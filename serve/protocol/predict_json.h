#pragma once
// The body of TensorFlow Serving's :predict, by rows ("instances") or by columns ("inputs").

#include <string>
#include <vector>

#include "serve/protocol/tensor.h"

namespace micrort::serve {

enum class PredictFormat { kRows, kColumns };

// `specs` are the model's inputs: they tell the types, and the name where the body has none. {"b64": "..."}
// in the place of a tensor, or of one's row, is its elements as bytes.
Error ParsePredictRequest(Span<const uint8_t> body, const std::vector<TensorSpec>& specs,
                          size_t max_tensor_bytes, InferRequest* request, PredictFormat* format);

// A single output stands without its name.
Error FormatPredictResponse(const InferResponse& response, PredictFormat format, std::string* body);

}  // namespace micrort::serve
