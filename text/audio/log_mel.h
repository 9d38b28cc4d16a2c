#pragma once
// The features that Whisper-like encoders read: logarithms of the power in bands of the mel scale.

#include <vector>

#include "kernels/base/span.h"
#include "kernels/fourier/fourier.h"

namespace micrort::text {

// Windows of `frames` frames, 10 ms each. Used by one thread at a time.
class LogMel {
 public:
  static constexpr int kRate = 16000, kStep = 160,
                       kLength = 400;  // samples: a second, to the next frame, of one
  static constexpr int kMostBands = 512;

  // `bands` in [1, kMostBands], `frames` at least 2.
  LogMel(int bands, int frames);

  size_t samples() const { return static_cast<size_t>(frames_) * kStep; }  // of a window
  size_t elements() const { return static_cast<size_t>(bands_) * static_cast<size_t>(frames_); }
  // `audio`: at most samples() of them, at kRate; silence follows. `out`: [bands][frames].
  void Compute(Span<const float> audio, float* out);

 private:
  static constexpr int kBins = kLength / 2 + 1;
  // A triangle over frequencies.
  struct Band {
    int first = 0;  // bin
    std::vector<double> weights;
  };

  void MakeBands();
  // The power spectra of frames `frame` and `frame` + 1, of which the second may lie outside the window.
  void TransformTwo(Span<const float> audio, int frame);
  double SampleAt(Span<const float> audio, int64_t i) const;
  double PowerOf(const Band& band, const std::vector<double>& spectrum) const;

  const int bands_, frames_;
  std::vector<Band> triangles_;
  std::vector<double> hann_;
  const FourierPlan plan_;
  std::vector<Complex> tables_, work_;
  std::vector<double> spectra_[2];
};

}  // namespace micrort::text
