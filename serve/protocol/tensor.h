#pragma once
// The tensors of requests and responses, whichever protocol they came by.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/base/dtype.h"
#include "kernels/base/span.h"
#include "serve/protocol/byte_budget.h"
#include "serve/protocol/error.h"

namespace micrort::serve {

// An input or output as a model declares it; -1: any size.
struct TensorSpec {
  std::string name;
  DType dtype = DType::kUnknown;
  std::vector<int64_t> shape;
};

// Elements are row-major and little-endian, and lie in `owned` or in the body of the request.
struct Tensor {
  Tensor() = default;
  Tensor(Tensor&&) = default;
  Tensor& operator=(Tensor&&) = default;
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  // Makes `owned` so many bytes long, and `data` all of it.
  void Own(size_t bytes) {
    owned.resize(bytes);
    data = {owned.data(), owned.size()};
  }

  std::string name;
  DType dtype = DType::kUnknown;
  std::vector<int64_t> shape;
  Span<const uint8_t> data;
  std::vector<uint8_t> owned;
};

struct RequestedOutput {
  std::string name;
  bool is_binary = false;  // REST only
};

struct InferRequest {
  std::string model;
  std::string version;  // "": the model's default
  std::string id;
  std::vector<Tensor> inputs;
  std::vector<RequestedOutput> outputs;  // none: all
  bool binary_outputs = false;           // REST: of all outputs that are not requested by name
  uint64_t timeout_us = 0;               // 0: none
  uint32_t priority = 0;                 // 1: the first; 0: the model's default
  uint64_t sequence = 0;                 // 0: none
  bool sequence_start = false, sequence_end = false;
  ByteBudget::Share share;  // what its tensors take
};

struct InferResponse {
  std::string model;
  std::string version;
  std::string id;
  std::vector<Tensor> outputs;
  ByteBudget::Share share;  // what they take
};

// Bytes of a tensor; an error if a dimension is negative or the product over `max_bytes`.
Error TensorBytes(const std::string& name, DType dtype, const std::vector<int64_t>& shape, size_t max_bytes,
                  size_t* bytes);

// "[1,3,224,224]"
std::string ShapeText(const std::vector<int64_t>& shape);

}  // namespace micrort::serve
