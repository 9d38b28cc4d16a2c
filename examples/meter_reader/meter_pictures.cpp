#include <fstream>
#include <nlohmann/json.hpp>

#include "examples/meter_reader/meter_data.h"

namespace examples {
namespace {

using micrort::Result;
using micrort::Status;

// Throws nlohmann::json::exception if a key is missing or of another type.
MeterPicture ParseEntry(const nlohmann::json& entry) {
  MeterPicture meter;
  meter.file = entry.at("file").get<std::string>();
  meter.reading = entry.at("reading").get<std::string>();
  meter.decimals = entry.at("decimals").get<size_t>();
  meter.unit = entry.at("unit").get<std::string>();
  for (const nlohmann::json& box : entry.at("boxes")) {
    meter.boxes.push_back(
        {box.at(0).get<int>(), box.at(1).get<int>(), box.at(2).get<int>(), box.at(3).get<int>()});
  }
  return meter;
}

bool Contains(const Picture& picture, const Box& box) {
  return box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0 && box.width <= picture.width &&
         box.height <= picture.height && box.x <= picture.width - box.width &&
         box.y <= picture.height - box.height;
}

Status CheckEntry(const MeterPicture& meter) {
  if (meter.boxes.size() != meter.reading.size() || meter.decimals >= meter.reading.size()) {
    return MICRORT_ERROR(kIo, "%s: reading '%s' does not fit %zu boxes and %zu decimals", meter.file.c_str(),
                         meter.reading.c_str(), meter.boxes.size(), meter.decimals);
  }
  for (const Box& box : meter.boxes) {
    if (!Contains(meter.picture, box)) {
      return MICRORT_ERROR(kIo, "%s: box [%d, %d, %d, %d] is not inside the picture of %d x %d pixels",
                           meter.file.c_str(), box.x, box.y, box.width, box.height, meter.picture.width,
                           meter.picture.height);
    }
  }
  return Status();
}

}  // namespace

Result<std::vector<MeterPicture>> ReadMeterPictures(const std::string& folder) {
  const std::string path = folder + "/pictures/readings.json";
  std::ifstream file(path);
  if (!file) return MICRORT_ERROR(kIo, "%s: cannot read", path.c_str());
  std::vector<MeterPicture> meters;
  try {
    const nlohmann::json document = nlohmann::json::parse(file);
    for (const nlohmann::json& entry : document.at("pictures")) {
      meters.push_back(ParseEntry(entry));
    }
  } catch (const nlohmann::json::exception& error) {
    return MICRORT_ERROR(kIo, "%s: %s", path.c_str(), error.what());
  }
  for (MeterPicture& meter : meters) {
    MICRORT_ASSIGN_OR_RETURN(meter.picture, ReadPicture(folder + "/pictures/" + meter.file, 1));
    if (Status status = CheckEntry(meter); !status.ok()) return status.WithPrefix("%s", path.c_str());
  }
  return meters;
}

}  // namespace examples
