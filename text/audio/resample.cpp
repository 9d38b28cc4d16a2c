#include "text/audio/resample.h"

#include <algorithm>
#include <cmath>

#include "micrort/text/audio.h"
#include "text/audio/pi.h"

namespace micrort::text {
namespace {

constexpr int kZeroCrossings = 48;      // of the sinc, on each side
constexpr int kSteps = 512;             // of the table between two of them; linear in between
constexpr double kBand = 0.95;          // the middle of the transition, of half the lower rate
constexpr double kKaiserShape = 7.857;  // 80 dB

double BesselI0(double x) {
  double sum = 1, term = 1;
  for (int k = 1; term > sum * 1e-16; ++k) {
    term *= x / (2 * k) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

// sinc(t) by a Kaiser window, for t = i / kSteps up to kZeroCrossings, and a 0 behind it.
std::vector<float> MakeSincTable() {
  constexpr int kLast = kZeroCrossings * kSteps;
  std::vector<float> table(kLast + 2, 0.0f);
  table[0] = 1;
  for (int i = 1; i <= kLast; ++i) {
    const double t = static_cast<double>(i) / kSteps, edge = static_cast<double>(i) / kLast;
    const double window = BesselI0(kKaiserShape * std::sqrt(1 - edge * edge)) / BesselI0(kKaiserShape);
    table[static_cast<size_t>(i)] = static_cast<float>(std::sin(kPi * t) / (kPi * t) * window);
  }
  return table;
}

Status CheckRate(const char* which, int rate) {
  if (rate >= kLeastSampleRate && rate <= kMostSampleRate) return Status();
  return MICRORT_ERROR(kInvalidArgument, "%s: expected %d to %d samples a second, found %d", which,
                       kLeastSampleRate, kMostSampleRate, rate);
}

}  // namespace

int64_t ResampledCount(size_t samples, int from, int to) {
  return (static_cast<int64_t>(samples) * to + from - 1) / from;
}

std::vector<float> ResampleRange(Span<const float> samples, int from, int to, int64_t first, int64_t count) {
  if (from == to) return {samples.begin() + first, samples.begin() + first + count};
  static const std::vector<float> table = MakeSincTable();
  const double zeros_a_sample = kBand * std::min(1.0, static_cast<double>(to) / from);
  const double steps_a_sample = zeros_a_sample * kSteps, reach = kZeroCrossings / zeros_a_sample;
  const auto given = static_cast<int64_t>(samples.size());
  std::vector<float> out;
  out.reserve(static_cast<size_t>(count));
  for (int64_t i = first; i < first + count; ++i) {
    // The place among the given samples, a whole number and a rest.
    const int64_t whole = i * from / to;
    const double rest = static_cast<double>(i * from % to) / to;
    const int64_t begin = std::max<int64_t>(0, whole - static_cast<int64_t>(reach - rest));
    const int64_t last = std::min(given - 1, whole + static_cast<int64_t>(reach + rest));
    double sum = 0;
    for (int64_t k = begin; k <= last; ++k) {
      const double place = std::abs(static_cast<double>(k - whole) - rest) * steps_a_sample;
      const auto step = static_cast<size_t>(place);
      if (step + 1 >= table.size()) continue;
      const double part = place - static_cast<double>(step);
      const double factor =
          static_cast<double>(table[step]) * (1 - part) + static_cast<double>(table[step + 1]) * part;
      sum += factor * static_cast<double>(samples[static_cast<size_t>(k)]);
    }
    out.push_back(static_cast<float>(sum * zeros_a_sample));
  }
  return out;
}

Result<std::vector<float>> Resample(Span<const float> samples, int from, int to) {
  MICRORT_RETURN_IF_ERROR(CheckRate("from", from));
  MICRORT_RETURN_IF_ERROR(CheckRate("to", to));
  return ResampleRange(samples, from, to, 0, ResampledCount(samples.size(), from, to));
}

}  // namespace micrort::text
