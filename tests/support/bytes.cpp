#include "tests/support/bytes.h"

#include <cstring>

namespace micrort::testing {

bool EachIs(const void* bytes, size_t count, uint8_t value) {
  const auto* first = static_cast<const uint8_t*>(bytes);
  // Each is as the one before it.
  return count == 0 || (*first == value && std::memcmp(first, first + 1, count - 1) == 0);
}

}  // namespace micrort::testing
