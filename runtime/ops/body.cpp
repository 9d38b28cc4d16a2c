#include "runtime/ops/body.h"

#include <cstring>

namespace micrort {

void PlaceResult(const Tensor& result, void* destination) {
  if (result.data != destination && result.bytes() != 0)
    std::memcpy(destination, result.data, result.bytes());
}

Status ExpectScalar(const Tensor& tensor, DType dtype, const char* what) {
  if (tensor.dtype == dtype && tensor.shape.elements() == 1) return Status();
  return MICRORT_ERROR(kInvalidModel, "%s '%.100s': expected one %s, found %s of shape %s", what, tensor.name,
                       Name(dtype), Name(tensor.dtype), ShapeString(tensor.shape).c_str());
}

bool IsTrue(const Tensor& scalar) { return *scalar.as<uint8_t>() != 0; }

}  // namespace micrort
