// open_sizes START COUNT: random models with open sizes, in ONNX and in TorchScript, beside the same models
// with sizes fixed. Prints what differs; --write SEED FOLDER writes the two models of a seed.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tests/converter/random_sizes.h"

namespace micrort::testing {
namespace {

constexpr MakeSizeWriter kFormats[] = {MakeOnnxSizeWriter, MakeTorchSizeWriter};

void Write(uint32_t seed, const std::string& folder) {
  for (const MakeSizeWriter make : kFormats) {
    const std::unique_ptr<SizeWriter> writer = make();
    const std::string bytes = RandomSizesModel(*writer, seed);
    std::ofstream(folder + "/" + writer->file(), std::ios::binary) << bytes;
  }
}

int Compare(uint32_t start, uint32_t count) {
  int differences = 0, refusals = 0, exceptions = 0;
  for (uint32_t seed = start; seed < start + count; ++seed) {
    for (const MakeSizeWriter make : kFormats) {
      const SizesOutcome outcome = CompareSizes(make, seed);
      refusals += outcome.is_refused;
      exceptions += outcome.has_exception;
      if (outcome.difference.empty()) continue;
      ++differences;
      std::printf("seed %u, %s, %s", seed, make()->file().c_str(), outcome.difference.c_str());
      std::fflush(stdout);
    }
  }
  std::printf("%u models, %d refused, %d refused at a reshape to [0, -1], %d differ\n", 2 * count, refusals,
              exceptions, differences);
  return differences == 0 ? 0 : 1;
}

}  // namespace
}  // namespace micrort::testing

int main(int argc, char** argv) {
  const auto number = [&](int i) { return static_cast<uint32_t>(std::strtoul(argv[i], nullptr, 10)); };
  if (argc == 4 && std::strcmp(argv[1], "--write") == 0) {
    micrort::testing::Write(number(2), argv[3]);
    return 0;
  }
  if (argc != 3) {
    std::fprintf(stderr, "usage: open_sizes START COUNT | open_sizes --write SEED FOLDER\n");
    return 1;
  }
  return micrort::testing::Compare(number(1), number(2));
}
