#pragma once
// Archives with bytes that torch.jit.save does not write.

#include <string>

#include "tests/converter/torch_archive.h"
#include "tests/refusal.h"

namespace micrort::testing {

inline std::string LittleEndian(uint64_t v, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(v >> (8 * i) & 0xff);
  return text;
}

// A model that adds `w` to its input. It is still to be given.
inline TorchArchive ModelWithoutW() {
  return TorchArchive(
      "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n    return torch.add(x, self.w)\n");
}
inline TorchArchive AddingModel() { return ModelWithoutW().Tensor("w", {1, 2}, {1, 2}); }

inline Status ImportedWithTwo(const std::string& archive) {
  frontend::ImportOptions options;
  options.input_shapes = {{"x", {1, 2}}};
  return ImportTorch(archive, options).status;
}

}  // namespace micrort::testing
