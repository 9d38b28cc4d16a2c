#include "converter/observe/dynamic_sizes.h"

#include <algorithm>

namespace micrort::observe {
namespace {

// Sizes of pictures, windows of sound and sequences. Multiples of 32 suit networks that halve sizes several
// times.
constexpr int64_t kSizes[] = {1,   2,   4,   8,   16,  32,  64,   128,  224,
                              256, 320, 416, 512, 576, 640, 1024, 4096, 16000};

bool HasDynamic(const Dims& shape) {
  return std::any_of(shape.begin(), shape.end(), [](int64_t d) { return d < 0; });
}

// The first dimension is mostly the batch.
std::vector<Dims> WithSizes(std::vector<Dims> shapes, int64_t first, int64_t others) {
  for (Dims& shape : shapes) {
    for (size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] < 0) shape[i] = i == 0 ? first : others;
    }
  }
  return shapes;
}

// Too large to be what is meant: a picture of 4096 x 4096 in colour is not.
bool IsLarge(const Dims& shape) {
  constexpr double kMostElements = 1 << 26;
  double elements = 1.0;
  for (const int64_t d : shape) elements *= static_cast<double>(d);
  return elements > kMostElements;
}

}  // namespace

Status TryDynamicSizes(const std::vector<Dims>& shapes,
                       const std::function<Status(const std::vector<Dims>&)>& attempt,
                       const std::function<bool(const Status&)>& is_final) {
  if (std::none_of(shapes.begin(), shapes.end(), HasDynamic)) return attempt(shapes);
  Status last;
  for (const bool first_is_one : {true, false}) {
    for (const int64_t size : kSizes) {
      const std::vector<Dims> sized = WithSizes(shapes, first_is_one ? 1 : size, size);
      if (size != 1 && std::any_of(sized.begin(), sized.end(), IsLarge)) break;
      last = attempt(sized);
      if (last.ok() || is_final(last)) return last;
    }
  }
  return last;
}

}  // namespace micrort::observe
