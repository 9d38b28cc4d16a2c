#include "converter/observe/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "converter/simd/floats.h"

namespace micrort::observe {
namespace {

int64_t Floor(double x) { return static_cast<int64_t>(std::floor(x)); }

// Bins of this width that [min, max] touches: beyond all integers where the width was chosen for far smaller
// values.
double BinsOf(double min, double max, double width) {
  return std::floor(max / width) - std::floor(min / width) + 1.0;
}

constexpr size_t kAtOnce = 256;

// The bin of each: floor(x / width). As ranges hold 0, these are small numbers.
void BinsOf(const float* x, size_t n, double width, int32_t* bins) {
  size_t i = 0;
  // Products with powers of two are as exact as in doubles, but for x * per_width where that is next to 0.
  if (width >= 0x1p-100 && width <= 0x1p100) {
    const auto step = static_cast<float>(width), per_width = static_cast<float>(1.0 / width);
    for (; i + simd::kFloats <= n; i += simd::kFloats) {
      const simd::Floats values = simd::Load(x + i);
      const auto towards_zero = __builtin_convertvector(values * per_width, simd::Integers);
      const simd::Floats edges = __builtin_convertvector(towards_zero, simd::Floats) * step;
      const simd::Integers is_above = values < edges;  // 0 or -1
      simd::Store(towards_zero + is_above, bins + i);
    }
  }
  for (; i < n; ++i) bins[i] = static_cast<int32_t>(Floor(x[i] * (1.0 / width)));
}

bool IsZero(const float& x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits << 1 == 0;
}

}  // namespace

void Histogram::Add(const float* x, size_t n, float min, float max) {
  if (min == 0.0f && max == 0.0f) return;
  Cover(min, max);
  uint64_t* const counts = counts_.data();
  const int64_t lowest = first_;
  int32_t bins[kAtOnce];
  for (size_t first = 0; first < n; first += kAtOnce) {
    const size_t count = std::min(kAtOnce, n - first);
    BinsOf(x + first, count, width_, bins);
    // Zeros leave out: half of what follows a rectifier, in no order that a processor foresees.
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
      bins[kept] = bins[i];
      kept += IsZero(x[first + i]) ? 0 : 1;
    }
    for (size_t i = 0; i < kept; ++i) ++counts[bins[i] - lowest];
    total_ += kept;
  }
}

double Histogram::mean() const {
  double sum = 0.0;
  for (size_t i = 0; i < counts_.size(); ++i)
    sum += static_cast<double>(counts_[i]) * center(static_cast<int64_t>(i));
  return empty() ? 0.0 : sum / static_cast<double>(total_);
}

double Histogram::variance() const {
  const double middle = mean();
  double sum = 0.0;
  for (size_t i = 0; i < counts_.size(); ++i) {
    const double distance = center(static_cast<int64_t>(i)) - middle;
    sum += static_cast<double>(counts_[i]) * distance * distance;
  }
  return empty() ? 0.0 : sum / static_cast<double>(total_);
}

void Histogram::Cover(double min, double max) {
  if (counts_.empty()) {
    counts_.assign(kBins, 0);
    width_ = std::exp2(std::ceil(std::log2((max - min) / (kBins - 1))));
    first_ = Floor(min / width_);
  }
  min_ = std::fmin(min, min_);
  max_ = std::fmax(max, max_);
  while (BinsOf(min_, max_, width_) > static_cast<double>(kBins)) Widen();
  const int64_t shift = first_ - Floor(min_ / width_);
  if (shift == 0) return;
  // The bins that fall off the end lie above max_ and hold nothing.
  std::vector<uint64_t> moved(kBins, 0);
  std::copy(counts_.begin(), counts_.end() - shift, moved.begin() + shift);
  counts_.swap(moved);
  first_ -= shift;
}

void Histogram::Widen() {
  const int64_t first = Floor(static_cast<double>(first_) / 2);
  std::vector<uint64_t> merged(kBins, 0);
  for (int64_t i = 0; i < kBins; ++i) {
    const int64_t to = Floor(static_cast<double>(first_ + i) / 2) - first;
    merged[static_cast<size_t>(to)] += counts_[static_cast<size_t>(i)];
  }
  counts_.swap(merged);
  first_ = first;
  width_ *= 2;
}

}  // namespace micrort::observe
