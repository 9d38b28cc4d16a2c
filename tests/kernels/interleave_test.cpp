#include "kernels/copy/interleave.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/reversed_parallel.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::ReversedParallel;

template <typename T>
void CheckInterleave(size_t parts, size_t count) {
  std::vector<std::vector<T>> sources(parts, std::vector<T>(count));
  std::vector<const void*> pointers;
  for (size_t s = 0; s < parts; ++s) {
    std::iota(sources[s].begin(), sources[s].end(), static_cast<T>(50 * s));
    pointers.push_back(sources[s].data());
  }
  GuardedBuffer<T> y(parts * count);
  Interleave(sizeof(T), {pointers.data(), parts}, count, y.data(), ReversedParallel(3));
  EXPECT_TRUE(y.GuardsIntact());
  for (size_t i = 0; i < count * parts; ++i) ASSERT_EQ(y[i], sources[i % parts][i / parts]) << i;
}

TEST(Interleave, PartsAndElementsOfEverySize) {
  for (const size_t parts : {1, 2, 3, 8}) {
    for (const size_t count : {0, 1, 7, 100, 40000}) {
      CheckInterleave<uint8_t>(parts, count);
      CheckInterleave<uint16_t>(parts, count);
      CheckInterleave<uint32_t>(parts, count);
      CheckInterleave<uint64_t>(parts, count);
    }
  }
}

}  // namespace
}  // namespace micrort
