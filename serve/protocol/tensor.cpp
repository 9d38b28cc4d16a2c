#include "serve/protocol/tensor.h"

#include "kernels/base/shape.h"

namespace micrort::serve {

Error TensorBytes(const std::string& name, DType dtype, const std::vector<int64_t>& shape, size_t max_bytes,
                  size_t* bytes) {
  if (shape.size() > kMaxRank) {
    return Invalid("tensor '" + name + "': expected at most " + std::to_string(kMaxRank) +
                   " dimensions, found " + std::to_string(shape.size()));
  }
  Shape checked;
  for (int64_t dim : shape) checked.dims[checked.rank++] = dim;
  int64_t elements = 0;
  if (!checked.CheckedElements(SizeOf(dtype), &elements))
    return Invalid("tensor '" + name + "': " + ShapeText(shape) + " is no shape");
  // Lists of nothing are work, too, where they are written out.
  uint64_t lists = 1;
  for (int64_t dim : shape) lists *= dim == 0 ? 1 : static_cast<uint64_t>(dim);
  if (elements == 0 && lists > max_bytes)
    return {ErrorKind::kTooLarge,
            "tensor '" + name + "': " + ShapeText(shape) + " is larger than this server takes"};
  const uint64_t total = static_cast<uint64_t>(elements) * SizeOf(dtype);
  if (total > max_bytes) {
    return {ErrorKind::kTooLarge, "tensor '" + name + "' of shape " + ShapeText(shape) + " takes " +
                                      std::to_string(total) + " bytes; this server takes at most " +
                                      std::to_string(max_bytes)};
  }
  *bytes = static_cast<size_t>(total);
  return {};
}

std::string ShapeText(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  return text + "]";
}

}  // namespace micrort::serve
