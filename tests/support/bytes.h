#pragma once
// Many bytes at once, at the speed of optimized code: that of tests is not.

#include <cstddef>
#include <cstdint>

namespace micrort::testing {

bool EachIs(const void* bytes, size_t count, uint8_t value);

}  // namespace micrort::testing
