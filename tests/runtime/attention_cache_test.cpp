// Attention over rows of a cache that are no floats: as over the floats that they stand for.

#include <gmock/gmock.h>

#include <vector>

#include "kernels/attention/cache_rows.h"
#include "kernels/gemm/gemm_f32.h"
#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/status_matchers.h"
#include "tests/support/random.h"

namespace micrort::testing::attention_cache {
namespace {

struct Case {
  int64_t batch, heads, key_heads, queries, keys, depth, value_depth;
  bool causal, masked, by_head;
};

struct Rows {
  Shape shape;
  std::vector<float> floats;
  std::vector<uint8_t> bytes;
};

class CacheAttention {
 public:
  CacheAttention(const Case& c, DType type) : c_(c), type_(type), random_(static_cast<uint32_t>(c.queries)) {
    Fill(c.batch * c.queries * c.heads * c.depth, &q_);
    Fill(c.queries * c.keys, &mask_);
    k_ = MakeRows(c.depth);
    v_ = MakeRows(c.value_depth);
  }

  std::vector<float> Run(bool is_narrow, CpuFeatures features) {
    schema::AttentionOptionsT options;
    options.scale = 0.3f;
    options.causal = c_.causal;
    options.key_by_head = options.value_by_head = c_.by_head;
    OpTester op(ops::Attention(), options);
    op.Features(features);
    op.Input(Shape::Of(c_.batch, c_.queries, c_.heads, c_.depth), q_);
    for (const Rows* rows : {&k_, &v_}) is_narrow ? AddRows(*rows, &op) : AddFloats(*rows, &op);
    if (c_.masked) op.Input(Shape::Of(c_.queries, c_.keys), mask_);
    EXPECT_THAT(op.Run(), IsOk());
    return op.Output<float>();
  }

 private:
  void Fill(int64_t count, std::vector<float>* x) {
    x->resize(static_cast<size_t>(count));
    random_.Fill(*x, -1, 1);
  }
  Rows MakeRows(int64_t width) {
    const CacheRows plan = PlanCacheRows(type_, width, 0);
    const int64_t count = c_.batch * c_.keys * c_.key_heads;
    Rows rows;
    Fill(count * width, &rows.floats);
    rows.bytes.resize(static_cast<size_t>(count * plan.elements()) * SizeOf(type_));
    WriteCacheRows(plan, rows.floats.data(), count, rows.bytes.data(), Sequential());
    ReadCacheRows(plan, rows.bytes.data(), plan.elements(), count, rows.floats.data());
    rows.shape = c_.by_head ? Shape::Of(c_.batch, c_.key_heads, c_.keys, width)
                            : Shape::Of(c_.batch, c_.keys, c_.key_heads, width);
    return rows;
  }
  void AddFloats(const Rows& rows, OpTester* op) const { op->Input(rows.shape, rows.floats); }
  void AddRows(const Rows& rows, OpTester* op) const {
    Shape shape = rows.shape;
    shape[3] += CacheScaleElements(type_);
    op->Input(shape, rows.bytes).InputType(type_);
  }

  const Case c_;
  const DType type_;
  Random random_;
  std::vector<float> q_, mask_;
  Rows k_, v_;
};

TEST(AttentionOverCaches, IsThatOverFloats) {
  const Case cases[] = {
      {1, 4, 2, 1, 70, 16, 16, true, false, false},  {1, 4, 2, 3, 129, 11, 19, true, true, false},
      {2, 4, 2, 40, 70, 11, 19, true, false, false}, {2, 4, 2, 40, 70, 8, 33, true, true, true},
      {1, 3, 3, 1, 29, 11, 37, false, true, true},   {2, 2, 1, 53, 29, 11, 37, false, false, false}};
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    for (const Case& c : cases) {
      SCOPED_TRACE(::testing::Message() << Name(type) << " queries " << c.queries << " causal " << c.causal);
      CacheAttention attention(c, type);
      for (const GemmF32Kernel& kernel : GemmF32Kernels()) {
        if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
        EXPECT_THAT(attention.Run(true, kernel.features),
                    ::testing::Pointwise(::testing::FloatNear(2e-6f), attention.Run(false, kernel.features)));
      }
    }
  }
}

TEST(AttentionOverCaches, TakesKeysAndValuesOfOneType) {
  OpTester op(ops::Attention(), schema::AttentionOptionsT());
  op.Input<float>(Shape::Of(1, 1, 1, 2), {1, 2}).Input<float>(Shape::Of(1, 1, 1, 2), {1, 2});
  op.Input<uint16_t>(Shape::Of(1, 1, 1, 2), {1, 2}).InputType(DType::kFloat16);
  EXPECT_THAT(op.Run(), IsError(StatusCode::kUnsupported,
                                ::testing::HasSubstr("of one type, found float32 and float16")));
}

TEST(AttentionOverCaches, TakesNoRowsThatAreAScaleAlone) {
  OpTester op(ops::Attention(), schema::AttentionOptionsT());
  op.Input<float>(Shape::Of(1, 1, 1, 0), {});
  for (int i = 0; i < 2; ++i) op.Input<int8_t>(Shape::Of(1, 1, 1, 4), {1, 2, 3, 4});
  EXPECT_EQ(op.Run().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort::testing::attention_cache
