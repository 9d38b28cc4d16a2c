#pragma once
// The test data of this example; train/README.md describes the files.

#include <micrort/micrort.h>

#include <cstdint>
#include <string>
#include <vector>

#include "examples/common/picture.h"

namespace examples {

struct MeterPicture {
  std::string file;
  std::string reading;  // every digit, most significant first
  size_t decimals = 0;  // digits of `reading` behind the decimal mark
  std::string unit;
  Picture picture;         // grey
  std::vector<Box> boxes;  // one a digit, in the order of the reading
};

struct DigitCrops {
  std::vector<uint8_t> pixels;  // one crop behind the other
  std::vector<uint8_t> labels;  // 0 to 9

  const uint8_t* crop(size_t i) const { return pixels.data() + i * (pixels.size() / labels.size()); }
};

// FOLDER/pictures/readings.json and the pictures that it names.
micrort::Result<std::vector<MeterPicture>> ReadMeterPictures(const std::string& folder);

// FOLDER/crops/test_crops.npy and test_labels.npy; crops have `crop_bytes` pixels.
micrort::Result<DigitCrops> ReadDigitCrops(const std::string& folder, size_t crop_bytes);

}  // namespace examples
