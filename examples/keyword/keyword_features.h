#pragma once
// Mel-frequency cepstral coefficients of the last second, as the keyword networks of MLPerf Tiny were trained
// with: frames of 30 ms every 20 ms, 40 mel bands from 20 to 4000 Hz, the first 10 coefficients. For
// computers and boards: everything is in the object, 19 KB, and in single precision.

#include <cmath>
#include <cstddef>

namespace examples {

class KeywordFeatures {
 public:
  static constexpr int kRate = 16000;
  static constexpr int kStep = 320;  // samples, 20 ms
  static constexpr int kSteps = 50;  // of a second, which is what a network sees
  static constexpr int kFrames = 49, kCoefficients = 10;

  KeywordFeatures() {
    const auto step = static_cast<float>(2 * kPi / kTransform);
    for (int i = 0; i < kTransform / 2; ++i) {
      cosines_[i] = std::cos(step * static_cast<float>(i));
      sines_[i] = -std::sin(step * static_cast<float>(i));
    }
    for (int i = 0; i < kFrame; ++i)
      window_[i] = 0.5f - 0.5f * std::cos(static_cast<float>(2 * kPi / kFrame) * static_cast<float>(i));
    const float lowest = Mel(20), width = (Mel(4000) - lowest) / (kBands + 1);
    for (int f = 0; f < kFrequencies; ++f)
      place_[f] = (Mel(static_cast<float>(f) * kRate / kTransform) - lowest) / width;
  }

  // Forgets what was heard.
  void Clear() { steps_ = 0; }

  // The next 20 ms: kStep numbers of any scale, as a microphone's int16.
  template <typename Sample>
  void Add(const Sample* samples) {
    for (int i = 0; i < kStep; ++i) {
      heard_[i] = heard_[kStep + i];
      heard_[kStep + i] = static_cast<float>(samples[i]);
    }
    float loudest = 0;
    for (int i = 0; i < kStep; ++i) loudest = std::fmax(loudest, heard_[kStep + i]);
    loudest_[steps_ % kSteps] = loudest;
    // A frame of 30 ms is complete in the middle of the step behind it.
    if (steps_ > 0) HearFrame(energies_[(steps_ - 1) % kFrames]);
    // Any number of steps whose places are the same.
    if (++steps_ == 3 * kSteps * kFrames) steps_ -= kSteps * kFrames;
  }

  // Whether there is a whole second.
  bool is_full() const { return steps_ >= kSteps; }

  // Reads the features of the last second: kFrames rows of kCoefficients, by put(i, x).
  template <typename Put>
  void Read(Put put) const {
    // The loudest sample is 1.
    float loudest = 0;
    for (const float x : loudest_) loudest = std::fmax(loudest, x);
    const float scale = loudest > 0 ? 1 / loudest : 1;
    for (int frame = 0; frame < kFrames; ++frame) {
      float logs[kBands];
      const float* const energies = energies_[(steps_ - 1 + frame) % kFrames];
      for (int band = 0; band < kBands; ++band) logs[band] = std::log(energies[band] * scale + kSmallest);
      for (int k = 0; k < kCoefficients; ++k)
        put(static_cast<size_t>(frame * kCoefficients + k), Coefficient(logs, k));
    }
  }

 private:
  static constexpr double kPi = 3.14159265358979323846;
  static constexpr int kFrame = 480, kTransform = 512, kBands = 40;
  static constexpr int kFrequencies = 4000 * kTransform / kRate + 1;  // up to 4000 Hz
  static constexpr float kSmallest = 1e-6f;                           // added to the energy of a band

  static float Mel(float hertz) { return 1127 * std::log(1 + hertz / 700); }

  // The cosine transform of type 2, orthonormal but for the first coefficient.
  static float Coefficient(const float* logs, int k) {
    float sum = 0;
    for (int n = 0; n < kBands; ++n)
      sum += logs[n] * std::cos(static_cast<float>(kPi / (2 * kBands)) * static_cast<float>(k * (2 * n + 1)));
    return sum * std::sqrt(2.0f / kBands);
  }

  // Computes the energies of the first kFrame samples of heard_.
  void HearFrame(float* energies) {
    for (int i = 0; i < kTransform; ++i) {
      real_[Reversed(i)] = i < kFrame ? heard_[i] * window_[i] : 0.0f;
      imaginary_[i] = 0;
    }
    Transform();
    for (int band = 0; band < kBands; ++band) energies[band] = 0;
    // Triangles that overlap by half, in mel; the constant part is in none.
    for (int f = 1; f < kFrequencies; ++f) {
      const float magnitude = std::sqrt(real_[f] * real_[f] + imaginary_[f] * imaginary_[f]);
      const float floor = std::floor(place_[f]), share = place_[f] - floor;
      const int band = static_cast<int>(floor);
      if (band >= 0 && band < kBands) energies[band] += share * magnitude;
      if (band >= 1 && band <= kBands) energies[band - 1] += (1 - share) * magnitude;
    }
  }

  static int Reversed(int i) {
    int reversed = 0;
    for (int bit = 1; bit < kTransform; bit *= 2) reversed = 2 * reversed + ((i & bit) != 0 ? 1 : 0);
    return reversed;
  }

  // Radix 2, of what lies in reversed order.
  void Transform() {
    for (int size = 2; size <= kTransform; size *= 2) {
      const int half = size / 2, stride = kTransform / size;
      for (int begin = 0; begin < kTransform; begin += size) {
        for (int k = 0; k < half; ++k) {
          const int a = begin + k, b = a + half;
          const float c = cosines_[k * stride], s = sines_[k * stride];
          const float r = c * real_[b] - s * imaginary_[b], i = c * imaginary_[b] + s * real_[b];
          real_[b] = real_[a] - r;
          imaginary_[b] = imaginary_[a] - i;
          real_[a] += r;
          imaginary_[a] += i;
        }
      }
    }
  }

  int steps_ = 0;
  float heard_[2 * kStep] = {};           // the last 40 ms
  float loudest_[kSteps] = {};            // of each step
  float energies_[kFrames][kBands] = {};  // of frames, the next one where the oldest is
  float real_[kTransform] = {}, imaginary_[kTransform] = {};
  float cosines_[kTransform / 2] = {}, sines_[kTransform / 2] = {}, window_[kFrame] = {},
                              place_[kFrequencies] = {};
};

}  // namespace examples
