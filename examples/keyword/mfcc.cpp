#include "examples/keyword/mfcc.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace examples {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kFrame = 480, kStep = 320, kTransform = 512, kFrequencies = kTransform / 2 + 1, kBands = 40;
constexpr double kLowest = 20, kHighest = 4000;  // Hz
constexpr float kSmallest = 1e-6f;               // added to the energy of a band

double Mel(double hertz) { return 1127 * std::log(1 + hertz / 700); }

// Radix 2, in place; the size is a power of two.
void Transform(std::vector<std::complex<double>>* x) {
  const size_t n = x->size();
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap((*x)[i], (*x)[j]);
  }
  for (size_t size = 2; size <= n; size *= 2) {
    const std::complex<double> root = std::polar(1.0, -2 * kPi / static_cast<double>(size));
    for (size_t begin = 0; begin < n; begin += size) {
      std::complex<double> factor = 1;
      for (size_t k = 0; k < size / 2; ++k, factor *= root) {
        const std::complex<double> a = (*x)[begin + k], b = factor * (*x)[begin + k + size / 2];
        (*x)[begin + k] = a + b;
        (*x)[begin + k + size / 2] = a - b;
      }
    }
  }
}

}  // namespace

Mfcc::Mfcc() {
  for (int i = 0; i < kFrame; ++i)
    window_.push_back(static_cast<float>(0.5 - 0.5 * std::cos(2 * kPi * i / kFrame)));
  // Triangles that overlap by half, in mel; the constant part is in none.
  const double lowest = Mel(kLowest), step = (Mel(kHighest) - lowest) / (kBands + 1);
  for (int band = 0; band < kBands; ++band) {
    for (int f = 0; f < kFrequencies; ++f) {
      const double place = (Mel(static_cast<double>(f) * kRate / kTransform) - lowest) / step - band;
      bands_.push_back(f == 0 ? 0.0f : static_cast<float>(std::max(0.0, std::min(place, 2 - place))));
    }
  }
}

std::vector<float> Mfcc::Frame(const float* samples) const {
  std::vector<std::complex<double>> spectrum(kTransform);
  for (size_t i = 0; i < kFrame; ++i) spectrum[i] = static_cast<double>(samples[i] * window_[i]);
  Transform(&spectrum);
  std::vector<float> logs;
  for (size_t band = 0; band < kBands; ++band) {
    float sum = 0;
    for (size_t f = 0; f < kFrequencies; ++f)
      sum += bands_[band * kFrequencies + f] * static_cast<float>(std::abs(spectrum[f]));
    logs.push_back(std::log(sum + kSmallest));
  }
  // The cosine transform of type 2, orthonormal but for the first coefficient.
  std::vector<float> out;
  for (int k = 0; k < kCoefficients; ++k) {
    double sum = 0;
    for (size_t n = 0; n < kBands; ++n)
      sum +=
          static_cast<double>(logs[n]) * std::cos(kPi * k * (2 * static_cast<double>(n) + 1) / (2 * kBands));
    out.push_back(static_cast<float>(sum * std::sqrt(2.0 / kBands)));
  }
  return out;
}

std::vector<float> Mfcc::Of(const float* samples) const {
  // The loudest sample is 1.
  const float loudest = *std::max_element(samples, samples + kWindow);
  std::vector<float> scaled(samples, samples + kWindow), out;
  if (loudest > 0) {
    for (float& x : scaled) x /= loudest;
  }
  for (size_t frame = 0; frame < kFrames; ++frame) {
    const std::vector<float> row = Frame(&scaled[frame * kStep]);
    out.insert(out.end(), row.begin(), row.end());
  }
  return out;
}

}  // namespace examples
