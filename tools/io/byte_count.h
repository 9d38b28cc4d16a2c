#pragma once

#include <cstdint>
#include <string>

namespace micrort::io {

// "215040", "210K" or "1.5M": bytes, or units of 1024, 1024^2 and 1024^3 of them (K, M, G; KB and KiB mean
// the same). False for anything else, a negative number or a fraction of a byte among it.
bool ParseByteCount(const std::string& text, uint64_t* bytes);

std::string Grouped(uint64_t n);  // "1,234,567"

}  // namespace micrort::io
