#include "serve/protocol/json_size.h"

namespace micrort::serve {
namespace {

// The bytes of a value in a list that grows by doubling, old and new list at once; of a string, list and
// object on the heap, and of a member with its node.
constexpr size_t kValueBytes = 48, kStringBytes = 48, kListBytes = 64, kObjectBytes = 80, kMemberBytes = 128;
// The bytes of an output: names and shape.
constexpr size_t kOutputBytes = 1024;

// The characters of one element, with a comma.
size_t CharactersOf(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return 6;
    case DType::kInt8:
    case DType::kUInt8:
      return 5;
    case DType::kInt16:
    case DType::kUInt16:
      return 7;
    case DType::kInt32:
    case DType::kUInt32:
      return 12;
    case DType::kInt64:
    case DType::kUInt64:
      return 21;
    case DType::kFloat64:
      return 25;
    default:
      return 16;
  }
}

bool IsBinary(const InferRequest& request, const std::string& output) {
  for (const RequestedOutput& requested : request.outputs) {
    if (requested.name == output) return requested.is_binary;
  }
  return request.binary_outputs;
}

}  // namespace

size_t JsonDocumentBytes(const char* text, size_t length) {
  size_t bytes = kValueBytes;
  bool is_in_string = false;
  for (size_t i = 0; i < length; ++i) {
    const char c = text[i];
    if (is_in_string) {
      bytes += 2;  // strings grow by doubling
      if (c == '\\') ++i;
      if (c == '"') is_in_string = false;
    } else if (c == '"') {
      is_in_string = true;
      bytes += kStringBytes;
    } else if (c == ',') {
      bytes += kValueBytes;
    } else if (c == '[') {
      bytes += kListBytes + kValueBytes;
    } else if (c == '{') {
      bytes += kObjectBytes + kValueBytes;
    } else if (c == ':') {
      bytes += kMemberBytes;
    }
  }
  return bytes;
}

size_t JsonTextBytes(const Tensor& tensor) {
  const size_t step = SizeOf(tensor.dtype);
  size_t bytes = step == 0 ? 0 : tensor.data.size() / step * CharactersOf(tensor.dtype);
  // Brackets and commas of lists inside each other.
  size_t lists = 1;
  for (const int64_t dim : tensor.shape) {
    bytes += 3 * lists;
    lists *= static_cast<size_t>(dim);
  }
  return bytes;
}

size_t JsonTextBytes(const InferRequest& request, const InferResponse& response) {
  size_t bytes = kOutputBytes + response.id.size() * 6;
  for (const Tensor& output : response.outputs) {
    bytes += kOutputBytes + output.name.size() * 6;
    bytes += IsBinary(request, output.name) ? output.data.size() : JsonTextBytes(output);
  }
  return bytes;
}

}  // namespace micrort::serve
