// Arrays of NumPy, single ones and archives of them.

#include "tests/converter/torch_archive.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/seeds.h"
#include "tools/io/npy.h"

namespace micrort::fuzz {
namespace {

std::string Array(DType dtype, const std::vector<int64_t>& shape, size_t bytes) {
  const std::vector<uint8_t> data(bytes, 7);
  const std::vector<uint8_t> file = io::FormatNpy(dtype, shape, data.data());
  return {file.begin(), file.end()};
}

Status Run(const std::string& text) {
  const Span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  io::NamedArray array;
  std::vector<io::NamedArray> arrays;
  const Status as_array = io::ParseNpy("array", bytes, &array);
  const Status as_archive = io::ParseNpz("archive", bytes, &arrays);
  return as_archive.ok() ? as_archive : as_array;
}

}  // namespace

std::vector<std::string> NpySeeds() {
  const std::string floats = Array(DType::kFloat32, {2, 3}, 24), bytes = Array(DType::kUInt8, {5}, 5);
  std::string fortran = floats;
  const size_t at = fortran.find("False");
  if (at != std::string::npos) fortran.replace(at, 5, "True ");
  return {floats, bytes, fortran, testing::ZipOf({{"a.npy", floats}, {"b.npy", bytes}})};
}

const Harness kNpy = {"npy", Run, MutateBytes};

}  // namespace micrort::fuzz
