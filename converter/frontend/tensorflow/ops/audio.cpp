// Features of sound, as the small networks for keywords take them.

#include <cmath>

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::ReduceKind;

constexpr double kHalfTurn = 3.14159265358979323846;
constexpr int64_t kMaxWindow = 1 << 20;
constexpr int64_t kMaxBands = 1 << 12;

// Hann's, periodic, followed by zeros.
std::vector<float> HannWindow(int64_t length, int64_t padded) {
  std::vector<float> window(static_cast<size_t>(padded));
  for (int64_t i = 0; i < length; ++i) {
    window[static_cast<size_t>(i)] = static_cast<float>(
        0.5 - 0.5 * std::cos(2 * kHalfTurn * static_cast<double>(i) / static_cast<double>(length)));
  }
  return window;
}

// input: samples [N,channels]. output: [channels,frames,frequencies].
Status ImportAudioSpectrogram(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 2));
  const int64_t window = c.Int("window_size", 0), step = c.Int("stride", 0);
  if (window < 2 || window > kMaxWindow || step < 1)
    return Invalid("windows of {} every {} samples", window, step);
  int64_t length = 2;
  while (length < window) length *= 2;
  ir::ValueId x = c.build.Transpose(c.input(), {1, 0});
  // So many frames as windows fit, not as transforms do.
  if (length != window)
    MICRORT_RETURN_IF_ERROR(Take(c.Onnx("Pad", {x, c.build.Integers({0, 0, 0, length - window})}), &x));
  x = c.build.Reshape(x, {CopyDim(0), CopyDim(1), 1});
  schema::FourierOptionsT options;
  options.axis = 1;
  options.one_sided = true;
  const ir::ValueId spectrum =
      c.build.Add(options, {x, c.build.Constant({length}, HannWindow(window, length)),
                            c.build.Integer(length), c.build.Integer(step)});
  const ReduceKind kind = c.Bool("magnitude_squared", false) ? ReduceKind::SumSquare : ReduceKind::L2;
  return c.Return(c.build.Reduce(kind, spectrum, {3}, false));
}

double MelOfHertz(double hertz) { return 1127.0 * std::log1p(hertz / 700.0); }

// Triangles that overlap by halves, spaced evenly on the mel scale: what each frequency gives to each band.
class MelBands {
 public:
  MelBands(int64_t frequencies, double rate, int64_t bands, double low, double high)
      : frequencies_(frequencies),
        bands_(bands),
        low_(low),
        high_(high),
        hertz_(0.5 * rate / static_cast<double>(frequencies - 1)),
        spacing_((MelOfHertz(high) - MelOfHertz(low)) / static_cast<double>(bands + 1)) {}

  // The last frequency that counts.
  int64_t last() const { return static_cast<int64_t>(high_ / hertz_); }

  // [frequencies,bands]
  std::vector<float> Weights() const {
    std::vector<float> weights(static_cast<size_t>(frequencies_ * bands_));
    int64_t band = 0;
    for (auto i = static_cast<int64_t>(1.5 + low_ / hertz_); i <= last(); ++i) {
      const double mel = MelOfHertz(static_cast<double>(i) * hertz_);
      while (band < bands_ && Center(band) < mel) ++band;
      const double falling = (Center(band) - mel) / spacing_;
      const auto row = weights.begin() + static_cast<ptrdiff_t>(i * bands_);
      if (band > 0) row[band - 1] = static_cast<float>(falling);
      if (band < bands_) row[band] = static_cast<float>(1 - falling);
    }
    return weights;
  }

 private:
  double Center(int64_t band) const { return MelOfHertz(low_) + spacing_ * static_cast<double>(band + 1); }

  int64_t frequencies_, bands_;
  double low_, high_, hertz_, spacing_;
};

// [bands,coefficients]
std::vector<float> CosineTransform(int64_t bands, int64_t coefficients) {
  std::vector<float> matrix(static_cast<size_t>(bands * coefficients));
  const double factor = std::sqrt(2.0 / static_cast<double>(bands));
  for (int64_t j = 0; j < bands; ++j) {
    for (int64_t i = 0; i < coefficients; ++i) {
      const double angle =
          static_cast<double>(i) * kHalfTurn / static_cast<double>(bands) * (static_cast<double>(j) + 0.5);
      matrix[static_cast<size_t>(j * coefficients + i)] = static_cast<float>(factor * std::cos(angle));
    }
  }
  return matrix;
}

// inputs: spectrograms of squared magnitudes [channels,frames,frequencies], samples a second.
Status ImportMfcc(OpContext& c) {
  constexpr float kLowest = 1e-12f;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 3));
  MICRORT_ASSIGN_OR_RETURN(const int64_t rate, c.ConstantInteger(1));
  const int64_t frequencies = c.x().shape[2], bands = c.Int("filterbank_channel_count", 40),
                coefficients = c.Int("dct_coefficient_count", 13);
  const double low = c.Float("lower_frequency_limit", 20), high = c.Float("upper_frequency_limit", 4000);
  if (frequencies == ir::kDynamic)
    return Unsupported("the number of frequencies is open (--input-shape fixes it)");
  if (frequencies < 2 || rate < 1) return Invalid("{} frequencies of {} samples a second", frequencies, rate);
  if (bands < 1 || bands > kMaxBands || coefficients < 1 || coefficients > bands || !(low >= 0) ||
      !(high > low)) {
    return Invalid("{} coefficients of {} bands from {} to {} Hz", coefficients, bands, low, high);
  }
  const MelBands mel(frequencies, static_cast<double>(rate), bands, low, high);
  if (!(high <= static_cast<double>(rate)) || mel.last() >= frequencies)
    return Invalid("bands up to {} Hz, but the spectrogram ends at {}", high, 0.5 * rate);
  ir::ValueId y = c.build.Sqrt(c.input(0));
  y = c.build.MatMul({y, c.build.Constant({frequencies, bands}, mel.Weights())}, false);
  y = c.build.Log(c.build.Max(y, c.build.Scalar(kLowest)));
  const ir::ValueId cosines = c.build.Constant({bands, coefficients}, CosineTransform(bands, coefficients));
  return c.Return(c.build.MatMul({y, cosines}, false));
}

}  // namespace

const ImporterList AudioOps = {
    {"AudioSpectrogram", 1, 1, ImportAudioSpectrogram},
    {"Mfcc", 2, 2, ImportMfcc, "a rate that is not constant (--input-value)"},
};

}  // namespace micrort::frontend::tensorflow
