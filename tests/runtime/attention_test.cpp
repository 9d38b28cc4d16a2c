#include "kernels/reference/attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "kernels/gemm/gemm_f32.h"
#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using reference::AttentionCase;
using testing::OpTester;
using testing::Random;

// Which tensors have heads before tokens.
struct ByHead {
  bool q, k, v, y;
};

schema::AttentionOptionsT Options(float scale, const ByHead& by_head) {
  schema::AttentionOptionsT options;
  options.scale = scale;
  options.query_by_head = by_head.q;
  options.key_by_head = by_head.k;
  options.value_by_head = by_head.v;
  options.output_by_head = by_head.y;
  return options;
}

// [B,H,T,D] → [B,T,H,D]; also the other way round, with H and T exchanged.
template <typename T>
std::vector<T> Swapped(const std::vector<T>& x, int64_t heads, int64_t rows, int64_t depth) {
  std::vector<T> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const int64_t d = at % depth, t = at / depth % rows, h = at / depth / rows % heads;
    const int64_t b = at / depth / rows / heads;
    y[static_cast<size_t>(((b * rows + t) * heads + h) * depth + d)] = x[i];
  }
  return y;
}

class AttentionTester {
 public:
  AttentionTester(const AttentionCase& c, const Shape& mask_shape) : c_(c), mask_shape_(mask_shape) {
    Random random(static_cast<uint32_t>(c.queries * 100 + c.keys));
    const auto fill = [&random](int64_t count, std::vector<float>* x) {
      x->resize(static_cast<size_t>(count));
      random.Fill(*x, -1, 1);
    };
    fill(c.batch * c.heads * c.queries * c.depth, &q_);
    fill(c.batch * c.key_heads * c.keys * c.depth, &k_);
    fill(c.batch * c.key_heads * c.keys * c.value_depth, &v_);
    if (mask_shape.rank > 0) fill(mask_shape.elements(), &mask_);
  }

  AttentionTester(const AttentionCase& c, const Shape& mask_shape, std::vector<float> mask)
      : AttentionTester(c, mask_shape) {
    mask_ = std::move(mask);
  }

  // The operator knows the order, and is given the mask only where that says more.
  void Causal(bool also_masked) {
    causal_ = true;
    gives_mask_ = also_masked;
  }

  void ExpectMatches(const ByHead& by_head, CpuFeatures features) {
    schema::AttentionOptionsT options = Options(static_cast<float>(c_.scale), by_head);
    options.causal = causal_;
    OpTester op(ops::Attention(), options);
    op.Features(features);
    AddInput(q_, by_head.q, c_.heads, c_.queries, c_.depth, &op);
    AddInput(k_, by_head.k, c_.key_heads, c_.keys, c_.depth, &op);
    AddInput(v_, by_head.v, c_.key_heads, c_.keys, c_.value_depth, &op);
    if (mask_shape_.rank > 0 && gives_mask_) op.Input(mask_shape_, mask_);
    const Status status = op.Run();
    ASSERT_TRUE(status.ok()) << status.message();
    const auto expected = reference::Attention(c_, q_, k_, v_, BroadcastMask());
    std::vector<float> y = op.Output<float>();
    if (!by_head.y) y = Swapped(y, c_.queries, c_.heads, c_.value_depth);
    ASSERT_EQ(y.size(), expected.size());
    for (size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(static_cast<double>(y[i]), expected[i], 2e-6) << i;
  }

 private:
  void AddInput(const std::vector<float>& x, bool by_head, int64_t heads, int64_t rows, int64_t depth,
                OpTester* op) {
    if (by_head) {
      op->Input(Shape::Of(c_.batch, heads, rows, depth), x);
    } else {
      op->Input(Shape::Of(c_.batch, rows, heads, depth), Swapped(x, heads, rows, depth));
    }
  }

  std::vector<float> BroadcastMask() const {
    std::vector<float> all;
    if (mask_shape_.rank == 0) return all;
    const auto dim = [this](int d) {
      return d < 4 - mask_shape_.rank ? 1 : mask_shape_[d - 4 + mask_shape_.rank];
    };
    for (int64_t b = 0; b < c_.batch; ++b) {
      for (int64_t h = 0; h < c_.heads; ++h) {
        for (int64_t t = 0; t < c_.queries; ++t) {
          for (int64_t s = 0; s < c_.keys; ++s) {
            const int64_t row = (b % dim(0) * dim(1) + h % dim(1)) * dim(2) + t % dim(2);
            all.push_back(mask_[static_cast<size_t>(row * c_.keys + s)]);
          }
        }
      }
    }
    return all;
  }

  AttentionCase c_;
  Shape mask_shape_;
  std::vector<float> q_, k_, v_, mask_;
  bool causal_ = false, gives_mask_ = true;
};

TEST(Attention, MatchesReferenceInEveryLayout) {
  const AttentionCase cases[] = {{1, 1, 1, 1, 1, 1, 1, 1.0},
                                 {2, 3, 3, 5, 7, 8, 8, 0.35},
                                 {1, 4, 2, 50, 13, 6, 9, 0.5},
                                 {2, 2, 1, 100, 70, 33, 17, 0.125},
                                 {1, 1, 1, 3, 1100, 4, 40, 0.25}};
  for (const AttentionCase& c : cases) {
    for (unsigned bits = 0; bits < 16; bits += 5) {
      SCOPED_TRACE(::testing::Message()
                   << "queries " << c.queries << " keys " << c.keys << " layout " << bits);
      const ByHead by_head = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
      AttentionTester(c, Shape()).ExpectMatches(by_head, ~CpuFeatures{0});
    }
  }
}

TEST(Attention, OnEveryInstructionSet) {
  for (const GemmF32Kernel& kernel : GemmF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    SCOPED_TRACE(kernel.name);
    AttentionTester({2, 2, 1, 53, 29, 11, 37, 0.3}, Shape::Of(29)).ExpectMatches({}, kernel.features);
  }
}

TEST(Attention, MasksBroadcast) {
  for (const Shape& mask : {Shape::Of(7), Shape::Of(5, 7), Shape::Of(1, 7), Shape::Of(3, 1, 7),
                            Shape::Of(2, 1, 1, 7), Shape::Of(2, 3, 5, 7)}) {
    SCOPED_TRACE(ShapeString(mask).c_str());
    AttentionTester({2, 3, 3, 5, 7, 8, 8, 0.35}, mask).ExpectMatches({}, ~CpuFeatures{0});
  }
}

// Queries are the last of all positions; few of them and many run by different ways.
TEST(Attention, CausalIsAMask) {
  for (const int64_t queries : {1, 2, 7, 40, 70}) {
    for (const int64_t keys : {70, 129}) {
      SCOPED_TRACE(::testing::Message() << "queries " << queries << " keys " << keys);
      const AttentionCase c = {2, 4, 2, queries, keys, 11, 19, 0.3};
      std::vector<float> mask(static_cast<size_t>(queries * keys));
      for (int64_t t = 0; t < queries; ++t) {
        for (int64_t s = keys - queries + t + 1; s < keys; ++s)
          mask[static_cast<size_t>(t * keys + s)] = -std::numeric_limits<float>::infinity();
      }
      for (const bool also_masked : {false, true}) {
        if (also_masked) mask[static_cast<size_t>((queries - 1) * keys + 3)] = -2;
        AttentionTester tester(c, Shape::Of(queries, keys), mask);
        tester.Causal(also_masked);
        for (const GemmF32Kernel& kernel : GemmF32Kernels()) {
          if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
          tester.ExpectMatches({false, true, false, true}, kernel.features);
        }
      }
    }
  }
}

TEST(Attention, CausalHasNoMoreQueriesThanKeys) {
  schema::AttentionOptionsT options;
  options.causal = true;
  OpTester op(ops::Attention(), options);
  op.Input<float>(Shape::Of(1, 2, 1, 1), {1, 2}).Input<float>(Shape::Of(1, 1, 1, 1), {1});
  EXPECT_EQ(op.Input<float>(Shape::Of(1, 1, 1, 1), {1}).Run().code(), StatusCode::kInvalidModel);
}

TEST(Attention, NoQueries) {
  OpTester op(ops::Attention(), Options(1, {}));
  op.Input<float>(Shape::Of(1, 0, 1, 2), {}).Input<float>(Shape::Of(1, 1, 1, 2), {1, 2});
  op.Input<float>(Shape::Of(1, 1, 1, 2), {1, 2});
  EXPECT_TRUE(op.Run().ok());
}

TEST(Attention, RefusesWhatDoesNotBelongTogether) {
  const struct {
    Shape q, k, v;
  } cases[] = {{Shape::Of(1, 2, 1, 3), Shape::Of(1, 2, 1, 4), Shape::Of(1, 2, 1, 4)},  // depth
               {Shape::Of(1, 2, 1, 3), Shape::Of(1, 2, 1, 3), Shape::Of(1, 3, 1, 3)},  // keys
               {Shape::Of(2, 2, 1, 3), Shape::Of(1, 2, 1, 3), Shape::Of(1, 2, 1, 3)},  // batch
               {Shape::Of(1, 2, 3, 3), Shape::Of(1, 2, 2, 3), Shape::Of(1, 2, 2, 3)},  // heads
               {Shape::Of(1, 2, 1, 3), Shape::Of(1, 0, 1, 3), Shape::Of(1, 0, 1, 3)},  // no keys
               {Shape::Of(2, 1, 3), Shape::Of(2, 1, 3), Shape::Of(2, 1, 3)}};
  for (const auto& c : cases) {
    OpTester op(ops::Attention(), Options(1, {}));
    for (const Shape& shape : {c.q, c.k, c.v}) {
      op.Input(shape, std::vector<float>(static_cast<size_t>(shape.elements())));
    }
    EXPECT_EQ(op.Run().code(), StatusCode::kInvalidModel) << ShapeString(c.k).c_str();
  }
}

TEST(Attention, RefusesOtherTypesMasksAndScales) {
  const std::vector<float> x(6);
  OpTester mask(ops::Attention(), Options(1, {}));
  mask.Input(Shape::Of(1, 2, 1, 3), x).Input(Shape::Of(1, 2, 1, 3), x).Input(Shape::Of(1, 2, 1, 3), x);
  mask.Input<float>(Shape::Of(2, 1), {0, 0});
  EXPECT_EQ(mask.Run().code(), StatusCode::kUnsupported);

  OpTester type(ops::Attention(), Options(1, {}));
  type.Input(Shape::Of(1, 2, 1, 3), std::vector<int32_t>(6)).Input(Shape::Of(1, 2, 1, 3), x);
  type.Input(Shape::Of(1, 2, 1, 3), x);
  EXPECT_EQ(type.Run().code(), StatusCode::kUnsupported);

  OpTester scale(ops::Attention(), Options(std::numeric_limits<float>::infinity(), {}));
  scale.Input(Shape::Of(1, 2, 1, 3), x).Input(Shape::Of(1, 2, 1, 3), x).Input(Shape::Of(1, 2, 1, 3), x);
  EXPECT_EQ(scale.Run().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort
