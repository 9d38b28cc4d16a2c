#include "tools/io/input_shape.h"

#include <cstdlib>
#include <cstring>
#include <limits>

#include "kernels/base/shape.h"

namespace micrort::io {
namespace {

// One dimension of the list that starts at *at; moves *at behind it.
bool ParseDim(const char** at, int64_t* dim) {
  if (**at == '?') {
    *dim = -1;
    ++*at;
    return true;
  }
  if (**at < '0' || **at > '9') return false;
  char* end = nullptr;
  *dim = std::strtoll(*at, &end, 10);
  *at = end;
  return *dim <= std::numeric_limits<int32_t>::max();
}

}  // namespace

Status ParseInputShape(const std::string& text, InputShape* out) {
  const size_t equals = text.rfind('=');
  bool valid = equals != std::string::npos && equals > 0;
  if (valid) {
    out->name = text.substr(0, equals);
    out->dims.clear();
    const char* at = text.c_str() + equals + 1;
    const bool is_scalar = *at == '\0' || std::strcmp(at, "scalar") == 0;
    for (bool more = !is_scalar; valid && more;) {
      int64_t dim = 0;
      valid = ParseDim(&at, &dim) && out->dims.size() < static_cast<size_t>(kMaxRank);
      out->dims.push_back(dim);
      more = *at == 'x';
      if (more) ++at;
      valid = valid && (more || *at == '\0');
    }
  }
  if (valid) return Status();
  return MICRORT_ERROR(
      kInvalidArgument,
      "--input-shape: expected NAME=1x3x224x224 with at most %d dimensions ('?' for a dynamic one) or "
      "NAME=scalar, found '%s'",
      kMaxRank, text.c_str());
}

}  // namespace micrort::io
