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

// The same shape as it should be typed: other separators, brackets, and a missing name are common.
std::string Corrected(const std::string& text) {
  const size_t equals = text.rfind('='), colon = text.rfind(':');
  const bool has_name = equals != std::string::npos || colon != std::string::npos;
  const size_t begin = equals != std::string::npos ? equals : colon;
  std::string shape;
  bool is_separated = false;
  for (const char c : has_name ? text.substr(begin + 1) : text) {
    const bool is_dim = (c >= '0' && c <= '9') || c == '?';
    if (!is_dim && std::strchr("xX,*;/ -[]()", c) == nullptr) return "";
    if (is_dim && is_separated && !shape.empty()) shape += 'x';
    if (is_dim) shape += c;
    is_separated = !is_dim;
  }
  const std::string name = has_name && begin > 0 ? text.substr(0, begin) : "#0";
  return shape.empty() ? "" : name + "=" + shape;
}

std::string Hint(const std::string& text) {
  const std::string corrected = Corrected(text);
  if (corrected.empty()) return "";
  if (corrected[0] == '#') return "; type --input-shape '" + corrected + "' for the first input";
  return "; did you mean --input-shape " + corrected + "?";
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
      "NAME=scalar, found '%s'%s",
      kMaxRank, text.c_str(), Hint(text).c_str());
}

}  // namespace micrort::io
