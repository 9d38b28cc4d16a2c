#include "converter/observe/labels.h"

#include "tools/io/array.h"
#include "tools/io/file.h"
#include "tools/io/npy.h"

namespace micrort::observe {

Status LoadLabels(const std::string& path, size_t samples, std::vector<int64_t>* labels) {
  std::vector<uint8_t> bytes;
  MICRORT_RETURN_IF_ERROR(io::ReadFile(path, &bytes));
  io::NamedArray read, integers;
  MICRORT_RETURN_IF_ERROR(io::ParseNpy(path, bytes, &read));
  MICRORT_RETURN_IF_ERROR(io::ConvertArray(read, DType::kInt64, &integers));
  if (integers.elements() != samples) {
    return MICRORT_ERROR(kInvalidArgument, "--labels: %s: expected %zu labels, one a sample, found %zu",
                         path.c_str(), samples, integers.elements());
  }
  const auto* begin = integers.as<int64_t>();
  labels->assign(begin, begin + samples);
  return Status();
}

}  // namespace micrort::observe
