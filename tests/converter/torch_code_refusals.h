#pragma once
// Code of TorchScript that must be refused.

#include <string>
#include <vector>

#include "tests/converter/torch_archive.h"
#include "tests/refusal.h"

namespace micrort::testing {

using Dims = std::vector<int64_t>;

// A model with an input x of this shape.
inline Status ImportWithX(const TorchArchive& archive, const Dims& shape = {2, 3}) {
  frontend::ImportOptions options;
  options.input_shapes = {{"x", shape}};
  return ImportTorch(archive.Bytes(), options).status;
}

// What `forward` consists of, indented by four spaces.
inline TorchArchive ArchiveOf(const std::string& body) {
  return TorchArchive("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n" + body);
}

inline Status ImportCode(const std::string& body, const Dims& shape = {2, 3}) {
  return ImportWithX(ArchiveOf(body), shape);
}

inline Status ImportExpression(const std::string& expression, const Dims& shape = {2, 3}) {
  return ImportCode("    return " + expression + "\n", shape);
}

}  // namespace micrort::testing
