#include "converter/report/numbers.h"

#include <cmath>
#include <cstdio>

namespace micrort::report {
namespace {

std::string Print(const char* format, double x) {
  char text[48];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

// As many decimals as make three digits.
std::string ThreeDigits(double x) {
  const double size = std::fabs(x);
  return Print(size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", x);
}

}  // namespace

std::string Decibels(double snr) {
  if (std::isnan(snr)) return "not finite";
  return std::isinf(snr) ? (snr > 0 ? "exact" : "no signal") : Print("%.1f", snr);
}

std::string InDecibels(double snr) { return Decibels(snr) + (std::isfinite(snr) ? " dB" : ""); }

std::string Percent(double share) {
  if (share == 0.0) return "0";
  return Print(share < 0.01 ? "%.2g %%" : share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
}

std::string Short(double x) { return Print("%.3g", x); }

std::string Bytes(uint64_t n) {
  const auto x = static_cast<double>(n);
  if (n < 1000) return std::to_string(n) + " B";
  return n < 1000000 ? ThreeDigits(x / 1e3) + " kB" : ThreeDigits(x / 1e6) + " MB";
}

std::string Time(double microseconds) {
  return microseconds < 1000 ? ThreeDigits(microseconds) + " µs" : ThreeDigits(microseconds / 1e3) + " ms";
}

}  // namespace micrort::report
