#pragma once
// A model file as programs write it, in memory.

#include <cstring>
#include <vector>

#include "converter/emit/file_bytes.h"

namespace micrort::testing {

inline AlignedBytes WholeFile(const AlignedBytes& file) {
  std::vector<uint8_t> bytes;
  emit::FilePieces pieces(file);
  for (Span<const uint8_t> piece = pieces.Next(); !piece.empty(); piece = pieces.Next())
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  return AlignedBytes(bytes.data(), bytes.size());
}

}  // namespace micrort::testing
