#pragma once
// Arrays and bytes for the tests of tools/io.

#include <cstring>
#include <string>
#include <vector>

#include "kernels/base/span.h"
#include "tools/io/array.h"

namespace micrort::testing {

template <typename T>
io::NamedArray MakeArray(const std::vector<int64_t>& shape, const std::vector<T>& values) {
  io::NamedArray array{"", kDTypeOf<T>, shape, {}};
  array.data.resize(values.size() * sizeof(T));
  std::memcpy(array.data.data(), values.data(), array.data.size());
  return array;
}

template <typename T>
std::vector<T> Values(const io::NamedArray& array) {
  std::vector<T> values(array.data.size() / sizeof(T));
  std::memcpy(values.data(), array.data.data(), array.data.size());
  return values;
}

inline Span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

inline Span<const uint8_t> BytesOf(const std::vector<uint8_t>& bytes) { return {bytes.data(), bytes.size()}; }

}  // namespace micrort::testing
