#include "tools/io/byte_count.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace micrort::io {
namespace {

bool ParseUnit(std::string unit, double* factor) {
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string prefix = unit.substr(0, 1), rest = unit.empty() ? "" : unit.substr(1);
  *factor = 1.0;
  if (unit.empty() || unit == "B") return true;
  const size_t power = std::string("KMG").find(prefix);
  if (power == std::string::npos || !(rest.empty() || rest == "B" || rest == "IB")) return false;
  *factor = std::pow(1024.0, static_cast<double>(power + 1));
  return true;
}

}  // namespace

bool ParseByteCount(const std::string& text, uint64_t* bytes) {
  constexpr double kLimit = 9007199254740992.0;  // 2^53: every smaller number of bytes is exact
  const size_t digits = text.find_first_not_of("0123456789.");
  const std::string number = text.substr(0, digits);
  double factor = 1.0;
  if (!ParseUnit(digits == std::string::npos ? "" : text.substr(digits), &factor)) return false;
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end) * factor;
  if (number.empty() || *end != '\0' || !(value < kLimit) || value != std::floor(value)) return false;
  *bytes = static_cast<uint64_t>(value);
  return true;
}

std::string Grouped(uint64_t n) {
  std::string digits = std::to_string(n);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace micrort::io
