#pragma once
// An array as it is read from or written to a file: owned, row-major, little-endian.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/dtype.h"
#include "kernels/base/shape.h"
#include "kernels/base/status.h"

namespace micrort::io {

struct NamedArray {
  std::string name;  // "" where the format has none (.npy)
  DType dtype = DType::kUnknown;
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;
  DType stored = DType::kUnknown;  // what the file has, where the elements were converted
  bool is_random = false;          // no file has it

  size_t elements() const {
    size_t n = 1;
    for (int64_t d : shape) n *= static_cast<size_t>(d);
    return n;
  }
  template <typename T>
  const T* as() const {
    return reinterpret_cast<const T*>(data.data());
  }
};

// What every reader checks: dims >= 0, and their checked product times the element size equals
// `bytes`. `what` names the file and the array in the message.
Status CheckArrayBytes(const std::string& what, DType dtype, const std::vector<int64_t>& shape, size_t bytes);

// "1x3x224x224", "scalar".
std::string ShapeText(const std::vector<int64_t>& shape);

// The same values in another element type. kInvalidArgument, naming the value, unless every one is kept
// exactly (uint8 pictures for a float32 input are; 0.5 for an int32 input is not; float64 → float32 rounds
// and is allowed).
Status ConvertArray(const NamedArray& from, DType dtype, NamedArray* out);

}  // namespace micrort::io
