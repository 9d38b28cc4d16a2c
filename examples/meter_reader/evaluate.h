#pragma once
// What one model makes of the test data.

#include <micrort/micrort.h>

#include <string>
#include <vector>

#include "examples/meter_reader/digit_reader.h"
#include "examples/meter_reader/meter_data.h"

namespace examples {

struct Score {
  std::string model;                  // file name without its folder
  std::vector<std::string> readings;  // one a picture
  size_t right_crops = 0, crops = 0;
  size_t file_bytes = 0, arena_bytes = 0;
  double median_us = 0;  // of reading one crop
};

micrort::Result<Score> Evaluate(const std::string& model_path, const std::vector<MeterPicture>& meters,
                                const DigitCrops& crops);

}  // namespace examples
