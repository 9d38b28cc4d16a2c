#pragma once
// Shapes of inputs on command lines.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort {

// An input's shape as the user wants it; -1 stays dynamic.
struct InputShape {
  std::string name;
  std::vector<int64_t> dims;
};

namespace io {

// "NAME=1x3x?x?" as --input-shape takes it. The name may hold any character, '=' included.
Status ParseInputShape(const std::string& text, InputShape* out);

}  // namespace io
}  // namespace micrort
