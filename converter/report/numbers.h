#pragma once
// Figures as people read them.

#include <cstdint>
#include <string>

#include "tools/io/byte_count.h"

namespace micrort::report {

using io::Grouped;
std::string Decibels(double snr);       // "31.4", "exact", "not finite"
std::string InDecibels(double snr);     // "31.4 dB", "exact"
std::string Percent(double share);      // "0", "0.03 %", "12 %"
std::string Short(double x);            // three digits: "1.25", "3e-05"
std::string Bytes(uint64_t n);          // "1.2 MB"
std::string Time(double microseconds);  // "350 µs", "1.2 ms"

}  // namespace micrort::report
