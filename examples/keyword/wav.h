#pragma once
// Sound files.

#include <micrort/micrort.h>

#include <string>
#include <vector>

namespace examples {

struct Sound {
  int rate = 0;                // samples a second
  std::vector<float> samples;  // in [-1, 1]
};

// A WAV file of 16-bit samples; the first channel of several. kIo or kInvalidModel if it is none.
micrort::Result<Sound> ReadWav(const std::string& path);

// At another rate, by straight lines between samples.
Sound Resampled(const Sound& sound, int rate);

}  // namespace examples
