#pragma once
// NumPy's .npy (format versions 1 to 3) and .npz.
// Source: NumPy's documentation, "NEP 1: A simple file format for NumPy arrays".

#include <string>
#include <vector>

#include "kernels/base/span.h"
#include "tools/io/array.h"

namespace micrort::io {

// `what` stands for the file in messages. Little-endian arrays of our element types; Fortran order is
// reordered.
Status ParseNpy(const std::string& what, Span<const uint8_t> bytes, NamedArray* out);

// The bytes of a version 1 file. bfloat16, which NumPy lacks, is written as its bit patterns, uint16.
std::vector<uint8_t> FormatNpy(DType dtype, const std::vector<int64_t>& shape, const void* data);

// Every .npy member of the archive, named without the suffix. Stored or deflated members; no ZIP64.
Status ParseNpz(const std::string& what, Span<const uint8_t> bytes, std::vector<NamedArray>* out);

}  // namespace micrort::io
