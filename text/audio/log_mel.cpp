#include "text/audio/log_mel.h"

#include <algorithm>
#include <cmath>

#include "text/audio/pi.h"

namespace micrort::text {
namespace {

// Slaney's scale: linear up to 1 kHz, logarithmic above.
double MelToHertz(double mel) {
  constexpr double kLinear = 200.0 / 3, kCorner = 15;  // hertz a mel; 1 kHz
  const double kFactor = std::log(6.4) / 27;
  return mel < kCorner ? kLinear * mel : 1000 * std::exp(kFactor * (mel - kCorner));
}

double HertzToMel(double hertz) {
  const double kFactor = std::log(6.4) / 27;
  return hertz < 1000 ? hertz * 3 / 200 : 15 + std::log(hertz / 1000) / kFactor;
}

}  // namespace

LogMel::LogMel(int bands, int frames) : bands_(bands), frames_(frames), plan_(PlanFourier(kLength, false)) {
  MakeBands();
  for (int i = 0; i < kLength; ++i) hann_.push_back(0.5 - 0.5 * std::cos(2 * kPi * i / kLength));
  tables_.resize(static_cast<size_t>(FourierTableSize(plan_)));
  work_.resize(static_cast<size_t>(FourierWorkSize(plan_)));
  MakeFourierTables(plan_, tables_.data());
  for (std::vector<double>& spectrum : spectra_) spectrum.resize(kBins);
}

void LogMel::MakeBands() {
  std::vector<double> corners;
  const double highest = HertzToMel(kRate / 2.0);
  for (int i = 0; i < bands_ + 2; ++i) corners.push_back(MelToHertz(highest * i / (bands_ + 1)));
  for (size_t b = 0; b + 2 < corners.size(); ++b) {
    const double low = corners[b], middle = corners[b + 1], high = corners[b + 2];
    Band band;
    for (int bin = 0; bin < kBins; ++bin) {
      const double hertz = static_cast<double>(bin) * kRate / kLength;
      const double height = std::min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
      if (height <= 0) continue;
      if (band.weights.empty()) band.first = bin;
      band.weights.push_back(height * 2 / (high - low));  // all triangles have one area
    }
    triangles_.push_back(std::move(band));
  }
}

// The window is mirrored at its ends.
double LogMel::SampleAt(Span<const float> audio, int64_t i) const {
  const auto count = static_cast<int64_t>(samples());
  if (i < 0) i = -i;
  if (i >= count) i = 2 * (count - 1) - i;
  return i < static_cast<int64_t>(audio.size()) ? static_cast<double>(audio[static_cast<size_t>(i)]) : 0.0;
}

// Two real frames are one complex transform: the spectrum of the one is even, that of the other odd.
void LogMel::TransformTwo(Span<const float> audio, int frame) {
  bool is_silent = true;
  const int64_t first = int64_t{frame} * kStep - kLength / 2;
  for (int i = 0; i < kLength; ++i) {
    const auto at = static_cast<size_t>(i);
    work_[at] = {hann_[at] * SampleAt(audio, first + i), hann_[at] * SampleAt(audio, first + kStep + i)};
    is_silent = is_silent && work_[at].re == 0 && work_[at].im == 0;
  }
  if (!is_silent) TransformFourier(plan_, tables_.data(), work_.data());
  for (size_t bin = 0; bin < kBins; ++bin) {
    const Complex a = work_[bin], b = work_[bin == 0 ? 0 : kLength - bin];
    const double even_re = a.re + b.re, even_im = a.im - b.im, odd_re = a.im + b.im, odd_im = b.re - a.re;
    spectra_[0][bin] = (even_re * even_re + even_im * even_im) / 4;
    spectra_[1][bin] = (odd_re * odd_re + odd_im * odd_im) / 4;
  }
}

double LogMel::PowerOf(const Band& band, const std::vector<double>& spectrum) const {
  double sum = 0;
  for (size_t i = 0; i < band.weights.size(); ++i)
    sum += band.weights[i] * spectrum[static_cast<size_t>(band.first) + i];
  return sum;
}

void LogMel::Compute(Span<const float> audio, float* out) {
  constexpr double kLeastPower = 1e-10, kRange = 8;  // of the logarithm to base 10
  const auto frames = static_cast<size_t>(frames_);
  float greatest = static_cast<float>(std::log10(kLeastPower));
  for (int frame = 0; frame < frames_; frame += 2) {
    TransformTwo(audio, frame);
    for (size_t b = 0; b < triangles_.size(); ++b) {
      for (size_t i = 0; i < 2 && static_cast<size_t>(frame) + i < frames; ++i) {
        const double power = std::max(PowerOf(triangles_[b], spectra_[i]), kLeastPower);
        float& to = out[b * frames + static_cast<size_t>(frame) + i];
        to = static_cast<float>(std::log10(power));
        greatest = std::max(greatest, to);
      }
    }
  }
  const float least = greatest - static_cast<float>(kRange);
  for (size_t i = 0; i < elements(); ++i) out[i] = (std::max(out[i], least) + 4) / 4;
}

}  // namespace micrort::text
