#pragma once
// The size of JSON, counted before it is made.

#include <cstddef>

#include "serve/protocol/tensor.h"

namespace micrort::serve {

// An upper bound of the memory that JsonDocument takes for a text, whatever it holds.
size_t JsonDocumentBytes(const char* text, size_t length);

// An upper bound of the characters of a tensor's elements.
size_t JsonTextBytes(const Tensor& tensor);
// The same of all outputs of an answer, with what stands around them. Those that are sent as bytes count as
// such.
size_t JsonTextBytes(const InferRequest& request, const InferResponse& response);

}  // namespace micrort::serve
