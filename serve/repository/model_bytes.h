#pragma once
// Model files in memory.

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/base/span.h"
#include "serve/protocol/error.h"

namespace micrort::serve {

// The bytes of a model file, however they came to be; aligned to 64.
struct ModelBytes {
  std::shared_ptr<const void> owner;
  Span<const uint8_t> bytes;
};

// A copy of a regular file: it may be written over or cut while the copy is in use. Messages begin with the
// path.
Error ReadModelBytes(const std::string& path, ModelBytes* bytes);

}  // namespace micrort::serve
