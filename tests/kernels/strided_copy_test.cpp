#include "kernels/copy/strided_copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;

// Element by element, straight from the definition.
void ReferenceCopy(size_t element_bytes, const std::vector<CopyDim>& dims, size_t level, const uint8_t* src,
                   uint8_t* dst) {
  if (level == dims.size()) {
    std::memcpy(dst, src, element_bytes);
    return;
  }
  const CopyDim& dim = dims[level];
  for (int64_t i = 0; i < dim.size; ++i) {
    ReferenceCopy(element_bytes, dims, level + 1, src + i * dim.src_stride, dst + i * dim.dst_stride);
  }
}

struct View {
  std::vector<CopyDim> dims;
  int64_t src_begin = 0;  // of the box's first element
  int64_t src_bytes = 0;
  int64_t dst_bytes = 0;
};

// A box whose dimensions lie in the source in random order, some of them reversed, repeated or with gaps.
View RandomView(Random& random, int64_t element_bytes, int64_t max_size) {
  View view;
  const int rank = static_cast<int>(random.Integer(0, 6));
  for (int i = 0; i < rank; ++i) view.dims.push_back({random.Integer(1, max_size), 0, 0});
  std::vector<size_t> order;
  for (size_t i = 0; i < view.dims.size(); ++i) {
    order.insert(order.begin() + random.Integer(0, static_cast<int64_t>(i)), i);
  }
  view.src_bytes = view.dst_bytes = element_bytes;
  for (size_t i = view.dims.size(); i-- > 0;) {
    view.dims[i].dst_stride = view.dst_bytes;
    view.dst_bytes *= view.dims[i].size + (random.Integer(0, 3) == 0 ? 2 : 0);
  }
  for (size_t i : order) {
    CopyDim& dim = view.dims[i];
    const int64_t kind = random.Integer(0, 7);
    if (kind == 0) continue;  // broadcast
    dim.src_stride = view.src_bytes * (kind == 1 ? 2 : 1);
    view.src_bytes += (dim.size - 1) * dim.src_stride + (kind == 2 ? 3 * element_bytes : 0);
    view.src_bytes = (view.src_bytes + element_bytes - 1) / element_bytes * element_bytes;
    if (kind == 3) {
      view.src_begin += (dim.size - 1) * dim.src_stride;
      dim.src_stride = -dim.src_stride;
    }
  }
  return view;
}

void CheckCopy(const View& view, size_t element_bytes, Random& random, const Parallel& parallel) {
  GuardedBuffer<uint8_t> src(static_cast<size_t>(view.src_bytes));
  random.Fill(src, 0, 255);
  GuardedBuffer<uint8_t> expected(static_cast<size_t>(view.dst_bytes), 0x11);
  ReferenceCopy(element_bytes, view.dims, 0, src.data() + view.src_begin, expected.data());
  // Every set of instructions that chooses another kernel for tiles.
  for (const TransposeTileKernel& kernel : TransposeTileKernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    GuardedBuffer<uint8_t> found(static_cast<size_t>(view.dst_bytes), 0x11);
    const StridedCopy copy = PlanCopy(element_bytes, {view.dims.data(), view.dims.size()}, kernel.features);
    RunCopy(copy, src.data() + view.src_begin, found.data(), parallel);
    EXPECT_TRUE(found.GuardsIntact()) << kernel.name;
    EXPECT_EQ(0, std::memcmp(found.data(), expected.data(), found.size())) << kernel.name;
  }
}

TEST(StridedCopy, RandomViewsMatchTheDefinition) {
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    constexpr size_t kSizes[] = {1, 2, 3, 4, 8, 12, 16};
    const size_t element_bytes = kSizes[random.Integer(0, 6)];
    CheckCopy(RandomView(random, static_cast<int64_t>(element_bytes), 5), element_bytes, random,
              Sequential());
    if (HasFailure()) return;
  }
}

TEST(StridedCopy, TilesOfSeveralWorkersCoverEverythingOnce) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    CheckCopy(RandomView(random, 4, 11), 4, random, testing::ReversedParallel(3));
    if (HasFailure()) return;
  }
}

TEST(StridedCopy, LargeTransposesOfEveryElementSize) {
  for (const size_t bytes : {1, 2, 4, 8}) {
    SCOPED_TRACE(bytes);
    Random random(static_cast<uint32_t>(bytes));
    const int64_t e = static_cast<int64_t>(bytes);
    View view;
    view.dims = {{3, 67 * 130 * e, 67 * 130 * e}, {130, e, 67 * e}, {67, 130 * e, e}};
    view.src_bytes = view.dst_bytes = 3 * 67 * 130 * e;
    CheckCopy(view, bytes, random, testing::ReversedParallel(4));
  }
}

TEST(StridedCopy, PlanesOfAnImageAndEverySecondElement) {
  for (const int64_t e : {1, 2, 4, 8}) {
    SCOPED_TRACE(e);
    Random random(static_cast<uint32_t>(e));
    View planes;
    planes.dims = {{2, 3 * 67 * e, 3 * 67 * e}, {67, e, 3 * e}, {3, 67 * e, e}};
    planes.src_bytes = planes.dst_bytes = 2 * 3 * 67 * e;
    CheckCopy(planes, static_cast<size_t>(e), random, Sequential());
    View halves;
    halves.dims = {{5, 140 * e, 70 * e}, {67, 2 * e, e}};
    halves.src_bytes = 4 * 140 * e + 133 * e;
    halves.dst_bytes = 4 * 70 * e + 67 * e;
    CheckCopy(halves, static_cast<size_t>(e), random, testing::ReversedParallel(3));
  }
}

TEST(StridedCopy, ContiguousViewsBecomeOneBlock) {
  const CopyDim dims[] = {{2, 60, 60}, {1, 7, 9}, {3, 20, 20}, {5, 4, 4}};
  EXPECT_EQ(120u, PlanCopy(4, dims).block_bytes);
}

TEST(StridedCopy, LargeBlockIsSplitAmongWorkers) {
  Random random(1);
  View view;
  view.dims = {{300001, 1, 1}};
  view.src_bytes = view.dst_bytes = 300001;
  CheckCopy(view, 1, random, testing::ReversedParallel(4));
}

TEST(StridedCopy, ZeroStrideFills) {
  const float value = 2.5f;
  GuardedBuffer<float> out(33 * 7);
  const CopyDim dims[] = {{33, 0, 28}, {7, 0, 4}};
  RunCopy(PlanCopy(4, dims), &value, out.data(), Sequential());
  EXPECT_TRUE(out.GuardsIntact());
  for (float x : out) EXPECT_EQ(2.5f, x);
}

TEST(StridedCopy, EmptyBoxTouchesNothing) {
  const CopyDim dims[] = {{3, 0, 0}, {0, 4, 4}};
  RunCopy(PlanCopy(4, dims), nullptr, nullptr, Sequential());
}

}  // namespace
}  // namespace micrort
