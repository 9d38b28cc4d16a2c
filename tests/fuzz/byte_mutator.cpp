#include "tests/fuzz/byte_mutator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

namespace micrort::fuzz {

int64_t BoundaryInteger(Random& random) {
  static const int64_t kLimits[] = {-1,
                                    127,
                                    128,
                                    255,
                                    256,
                                    65535,
                                    65536,
                                    std::numeric_limits<int32_t>::max(),
                                    std::numeric_limits<int32_t>::min(),
                                    std::numeric_limits<uint32_t>::max(),
                                    int64_t{1} << 40,
                                    std::numeric_limits<int64_t>::max(),
                                    std::numeric_limits<int64_t>::min()};
  constexpr size_t kSmall = 12;
  if (Below(2, random) == 0) return static_cast<int64_t>(Below(kSmall, random));
  return kLimits[Below(std::size(kLimits), random)];
}

double BoundaryReal(Random& random) {
  static const double kLimits[] = {0,    -0.0, 1,     -1,       0.5,       1e-40,
                                   1e-9, 3e38, 1e300, HUGE_VAL, -HUGE_VAL, std::nan("")};
  return kLimits[Below(std::size(kLimits), random)];
}

namespace {

void FlipBit(std::string* bytes, Random& random) {
  char& byte = (*bytes)[Below(bytes->size(), random)];
  byte = static_cast<char>(byte ^ (1 << Below(8, random)));
}

void OverwriteNumber(std::string* bytes, Random& random) {
  const int64_t number = BoundaryInteger(random);
  const size_t width = std::min(size_t{1} << Below(4, random), bytes->size());
  std::memcpy(&(*bytes)[Below(bytes->size() - width + 1, random)], &number, width);
}

void CopyPart(std::string* bytes, Random& random, bool insert) {
  const size_t from = Below(bytes->size(), random), to = Below(bytes->size(), random);
  const std::string part = bytes->substr(from, 1 + Below(16, random));
  bytes->replace(to, insert ? 0 : part.size(), part);
}

}  // namespace

std::string MutateBytes(const std::string& bytes, Random& random) {
  std::string changed = bytes;
  for (size_t times = 1 + Below(3, random); times > 0; --times) {
    if (changed.empty()) changed.push_back(0);
    switch (Below(6, random)) {
      case 0:
      case 1:
        FlipBit(&changed, random);
        break;
      case 2:
        OverwriteNumber(&changed, random);
        break;
      case 3:
        changed.erase(Below(changed.size(), random), 1 + Below(8, random));
        break;
      default:
        CopyPart(&changed, random, Below(2, random) == 0);
        break;
    }
  }
  return changed;
}

}  // namespace micrort::fuzz
