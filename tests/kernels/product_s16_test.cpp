// Products of int16 matrices against TensorFlow Lite's arithmetic.

#include "kernels/layer_s16/product_s16.h"

#include <gtest/gtest.h>

#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/int16_model.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort::testing::product_s16 {
namespace {

void Check(const PlainProduct& p, const ProductS16Scales& scales) {
  const auto rows = static_cast<size_t>(p.rows), depth = static_cast<size_t>(p.depth),
             columns = static_cast<size_t>(p.columns);
  GuardedBuffer<int16_t> a(rows * depth), b(depth * columns), y(rows * columns);
  Random random(21);
  random.Fill(a, INT16_MIN, INT16_MAX);
  random.Fill(b, INT16_MIN, INT16_MAX);
  RunProductS16(p, scales, a.data(), b.data(), y.data(), ReversedParallel(3));
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < columns; ++c) {
      int64_t sum = 0;
      for (size_t k = 0; k < depth; ++k)
        sum += int64_t{a.data()[r * depth + k]} * b.data()[p.transpose_b ? c * depth + k : k * columns + c];
      const int64_t value = int16_model::MultiplyWide(sum, double{scales.a * scales.b} / double{scales.y});
      ASSERT_EQ(y.data()[r * columns + c], int16_model::Range().Clamp(value))
          << "row " << r << ", column " << c;
    }
  }
  EXPECT_TRUE(y.GuardsIntact());
}

TEST(ProductS16, IsTensorFlowLites) {
  for (const bool transposed : {false, true}) {
    Check({DType::kInt16, transposed, 5, 33, 7}, {0.01f, 0.003f, 4.0f});
    Check({DType::kInt16, transposed, 1, 1, 1}, {0.01f, 0.003f, 0.5f});
    Check({DType::kInt16, transposed, 300, 70, 40}, {1.0f, 1.0f, 65536.0f});
    Check({DType::kInt16, transposed, 2, 3, 4}, {1e-12f, 1e-12f, 4.0f});
    Check({DType::kInt16, transposed, 2, 3, 4}, {12.0f, 10.0f, 0.99f});
  }
}

// The largest sums that there may be.
TEST(ProductS16, DoesNotOverflow) {
  const std::vector<int16_t> x(kMaxProductS16Depth, INT16_MIN);
  int16_t y = 0;
  RunProductS16({DType::kInt16, true, 1, kMaxProductS16Depth, 1}, {1.0f, 1.0f, 0.01f}, x.data(), x.data(), &y,
                Sequential());
  EXPECT_EQ(y, INT16_MAX);
}

}  // namespace
}  // namespace micrort::testing::product_s16
