// Arrays of NumPy, single ones and archives of them.

#include "tests/fuzz/harness.h"
#include "tools/io/npy.h"

namespace micrort::fuzz {
namespace {

Status Run(const std::string& text) {
  const Span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  io::NamedArray array;
  std::vector<io::NamedArray> arrays;
  const Status as_array = io::ParseNpy("array", bytes, &array);
  const Status as_archive = io::ParseNpz("archive", bytes, &arrays);
  return as_archive.ok() ? as_archive : as_array;
}

}  // namespace

const Harness kNpy = {"npy", Run, MutateBytes};

}  // namespace micrort::fuzz
