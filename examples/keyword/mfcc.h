#pragma once
// Mel-frequency cepstral coefficients, as the keyword networks of MLPerf Tiny were trained with: frames of 30
// ms every 20 ms, 40 mel bands from 20 to 4000 Hz, the first 10 coefficients.

#include <vector>

namespace examples {

constexpr int kRate = 16000;
constexpr int kWindow = kRate;  // samples of a second, which is what a network sees
constexpr int kFrames = 49, kCoefficients = 10;

class Mfcc {
 public:
  Mfcc();

  // kFrames rows of kCoefficients, of kWindow samples.
  std::vector<float> Of(const float* samples) const;

 private:
  std::vector<float> Frame(const float* samples) const;

  std::vector<float> window_;  // Hann's
  std::vector<float> bands_;   // [band][frequency]
};

}  // namespace examples
