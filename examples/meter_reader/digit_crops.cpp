#include <cstring>
#include <fstream>
#include <iterator>

#include "examples/meter_reader/meter_data.h"

namespace examples {
namespace {

using micrort::Result;

// The elements of a version 1 .npy file of unsigned bytes in C order, whatever its shape.
Result<std::vector<uint8_t>> ReadNpyBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return MICRORT_ERROR(kIo, "%s: cannot read", path.c_str());
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  constexpr size_t kHeaderAt = 10;  // behind magic, version and the header's length in two bytes
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  if (bytes.size() >= kHeaderAt && bytes.compare(0, 6, "\x93NUMPY") == 0 && byte(6) == 1) {
    const size_t data_at = kHeaderAt + byte(8) + 256u * byte(9);
    const std::string header = bytes.substr(kHeaderAt, data_at - kHeaderAt);
    if (data_at <= bytes.size() && header.find("'|u1'") != std::string::npos &&
        header.find("'fortran_order': False") != std::string::npos) {
      return std::vector<uint8_t>(bytes.begin() + static_cast<std::ptrdiff_t>(data_at), bytes.end());
    }
  }
  return MICRORT_ERROR(kIo, "%s: expected a .npy file of unsigned bytes", path.c_str());
}

}  // namespace

Result<DigitCrops> ReadDigitCrops(const std::string& folder, size_t crop_bytes) {
  DigitCrops crops;
  MICRORT_ASSIGN_OR_RETURN(crops.pixels, ReadNpyBytes(folder + "/crops/test_crops.npy"));
  MICRORT_ASSIGN_OR_RETURN(crops.labels, ReadNpyBytes(folder + "/crops/test_labels.npy"));
  if (crops.labels.empty() || crops.pixels.size() != crops.labels.size() * crop_bytes) {
    return MICRORT_ERROR(kIo, "%s/crops: expected %zu crops of %zu pixels, found %zu pixels", folder.c_str(),
                         crops.labels.size(), crop_bytes, crops.pixels.size());
  }
  return crops;
}

}  // namespace examples
