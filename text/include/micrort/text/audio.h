#pragma once
// Sound: WAV files, and sampling rates.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::text {

// One channel.
struct Audio {
  int rate = 0;                // samples a second
  std::vector<float> samples;  // in [-1, 1]; those of a float file may be beyond
};

constexpr int kLeastSampleRate = 1000, kMostSampleRate = 192000;

// A WAV file: integers of 8, 16, 24 or 32 bits, or floats of 32 or 64, at any rate from kLeastSampleRate to
// kMostSampleRate; the mean of all channels. Errors: kIo; kInvalidModel if it is malformed, without samples,
// or no WAV file; kUnsupported for other codecs and rates. Messages begin with the path.
Result<Audio> ReadWav(const std::string& path);
// The same for the bytes of a file.
Result<Audio> ParseWav(Span<const uint8_t> bytes);

// The sound at another rate, by a windowed sinc: what is below 0.9 of half the lower rate stays within 0.1 %,
// and what is above half the lower rate becomes 80 dB quieter. Rates as ReadWav() takes; else
// kInvalidArgument.
Result<std::vector<float>> Resample(Span<const float> samples, int from, int to);

}  // namespace micrort::text
