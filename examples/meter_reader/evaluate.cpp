#include "examples/meter_reader/evaluate.h"

#include <algorithm>
#include <chrono>

namespace examples {
namespace {

using micrort::Result;
using micrort::Status;

Result<std::string> ReadMeter(const MeterPicture& meter, DigitReader* reader) {
  std::string reading;
  for (const Box& box : meter.boxes) {
    const Picture crop = ResizedCrop(meter.picture, box, DigitReader::kWidth, DigitReader::kHeight);
    MICRORT_ASSIGN_OR_RETURN(const int digit, reader->Read(crop.pixels.data()));
    reading += static_cast<char>('0' + digit);
  }
  return reading;
}

Status ReadCrops(const DigitCrops& crops, DigitReader* reader, Score* score) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> us;
  score->crops = crops.labels.size();
  for (size_t i = 0; i < score->crops; ++i) {
    const Clock::time_point start = Clock::now();
    MICRORT_ASSIGN_OR_RETURN(const int digit, reader->Read(crops.crop(i)));
    us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    if (digit == crops.labels[i]) ++score->right_crops;
  }
  const auto middle = us.begin() + static_cast<std::ptrdiff_t>(us.size() / 2);
  std::nth_element(us.begin(), middle, us.end());
  score->median_us = *middle;
  return Status();
}

}  // namespace

Result<Score> Evaluate(const std::string& model_path, const std::vector<MeterPicture>& meters,
                       const DigitCrops& crops) {
  MICRORT_ASSIGN_OR_RETURN(DigitReader reader, DigitReader::Load(model_path));
  Score score;
  score.model = model_path.substr(model_path.find_last_of('/') + 1);
  score.file_bytes = reader.file_bytes();
  score.arena_bytes = reader.arena_bytes();
  for (const MeterPicture& meter : meters) {
    MICRORT_ASSIGN_OR_RETURN(std::string reading, ReadMeter(meter, &reader));
    score.readings.push_back(std::move(reading));
  }
  MICRORT_RETURN_IF_ERROR(ReadCrops(crops, &reader, &score));
  return score;
}

}  // namespace examples
