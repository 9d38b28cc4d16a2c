// Arrays, single ones and an archive. The writer of archives comes with tests of the converter.

#include "tests/converter/torch_archive.h"
#include "tests/fuzz/seeds.h"
#include "tools/io/npy.h"

namespace micrort::fuzz {
namespace {

std::string Array(DType dtype, const std::vector<int64_t>& shape, size_t bytes) {
  const std::vector<uint8_t> data(bytes, 7);
  const std::vector<uint8_t> file = io::FormatNpy(dtype, shape, data.data());
  return {file.begin(), file.end()};
}

}  // namespace

std::vector<std::string> NpySeeds() {
  const std::string floats = Array(DType::kFloat32, {2, 3}, 24), bytes = Array(DType::kUInt8, {5}, 5);
  std::string fortran = floats;
  const size_t at = fortran.find("False");
  if (at != std::string::npos) fortran.replace(at, 5, "True ");
  return {floats, bytes, fortran, testing::ZipOf({{"a.npy", floats}, {"b.npy", bytes}})};
}

}  // namespace micrort::fuzz
