#pragma once
// .npy files made by hand, so that tests can break them.

#include <string>

namespace micrort::testing {

// `header` as it stands, without padding; format version 1, or 2 and 3 with their longer length field.
inline std::string NpyFile(const std::string& header, const std::string& data, int version = 1) {
  const size_t n = header.size();
  std::string file = "\x93NUMPY";
  file += {static_cast<char>(version), '\0', static_cast<char>(n & 0xff), static_cast<char>(n >> 8)};
  if (version > 1) file += {'\0', '\0'};
  return file + header + data;
}

inline std::string NpyHeader(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
         shape + "), }\n";
}

}  // namespace micrort::testing
