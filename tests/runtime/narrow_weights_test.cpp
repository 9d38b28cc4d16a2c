// A layer whose weights are half, int8 or int4: what it holds of them in memory, and how it runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "tests/runtime/allocation_hook.h"
#include "tests/runtime/layer_model.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

constexpr int32_t kDepth = 128, kColumns = 320;
constexpr size_t kElements = size_t{kDepth} * kColumns;
constexpr float kScale = 0.125f;

schema::MatMulOptionsT Transposed(schema::WeightCompute compute = schema::WeightCompute::Float) {
  schema::MatMulOptionsT options;
  options.compute = compute;
  options.transpose_b = true;
  return options;
}

// Bytes that are weights of every type: halves are small numbers.
std::vector<uint8_t> Bytes(size_t n) {
  std::vector<uint8_t> bytes(n);
  for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<uint8_t>(i * 7 % 61);
  return bytes;
}

// A row times the transposed constant `w`, whose scales are all the same.
ModelBuilder Layer(DType type, size_t bytes, int32_t scales, int32_t group,
                   const schema::MatMulOptionsT& options = Transposed()) {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {1, kDepth});
  const int w = b.Constant<uint8_t>("w", {kColumns, static_cast<int32_t>(bytes / kColumns)}, Bytes(bytes));
  const int y = b.Tensor("y", DType::kFloat32, {1, kColumns});
  schema::TensorT& weights = b.tensor(w);
  weights.dtype = static_cast<schema::DType>(type);
  if (type == DType::kFloat16 || type == DType::kFloat32) weights.shape[1] = kDepth;
  if (scales > 0) {
    weights.quantization = std::make_unique<schema::QuantizationT>();
    weights.quantization->scales.assign(static_cast<size_t>(scales), kScale);
    weights.quantization->axis = 0;
    weights.quantization->group = group;
  }
  b.Node(options, {x, w}, {y}, "layer");
  b.Output(y);
  return b;
}

// The same product with these floats.
ModelBuilder FloatLayer(const std::vector<float>& weights) {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {1, kDepth});
  const int w = b.Constant<float>("w", {kColumns, kDepth}, weights);
  const int y = b.Tensor("y", DType::kFloat32, {1, kColumns});
  b.Node(Transposed(), {x, w}, {y}, "layer");
  b.Output(y);
  return b;
}

struct Found {
  std::vector<float> y;
  std::string algorithm;
  size_t packed_bytes = 0, allocations = 0;
};

Found RunLayer(const ModelBuilder& b, int threads) {
  Found found;
  const ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  EXPECT_TRUE(model.ok()) << model.status().message();
  AlgorithmObserver observer;
  InterpreterOptions options;
  options.observer = &observer;
  options.threads = threads;
  auto interpreter = Interpreter::Create(*model, options);
  EXPECT_TRUE(interpreter.ok()) << interpreter.status().message();
  const TensorView x = interpreter->input(0);
  for (size_t i = 0; i < x.elements(); ++i) x.as<float>()[i] = static_cast<float>(i % 17) - 8;
  EXPECT_TRUE(interpreter->Run().ok());
  {
    const AllocationHook hook;
    EXPECT_TRUE(interpreter->Run().ok());
    found.allocations = AllocationHook::count();
  }
  const TensorView y = interpreter->output(0);
  found.y.assign(y.as<float>(), y.as<float>() + y.elements());
  found.algorithm = observer.algorithm;
  found.packed_bytes = model->packed_bytes();
  return found;
}

// At most so many bytes are packed, and a run gives what the floats give, from no other memory.
void ExpectNarrow(const ModelBuilder& b, const std::vector<float>& floats, size_t packed_bytes) {
  for (const int threads : {1, 3}) {
    const Found narrow = RunLayer(b, threads), wide = RunLayer(FloatLayer(floats), threads);
    EXPECT_EQ(narrow.y, wide.y);
    // Fuzzing and coverage build no others, which unpack whole weights once.
    if (wide.algorithm == "implicit_gemm_f32/scalar_4x8") GTEST_SKIP() << "skipped: portable kernels alone";
    EXPECT_THAT(narrow.algorithm, ::testing::StartsWith("unpacking_gemm_f32/"));
    EXPECT_LE(narrow.packed_bytes, packed_bytes);
    EXPECT_GE(wide.packed_bytes, kElements * sizeof(float));
    EXPECT_EQ(narrow.allocations, 0u);
  }
}

TEST(NarrowWeights, HalvesStayHalves) {
  const std::vector<uint8_t> bytes = Bytes(kElements * 2);
  std::vector<float> floats(kElements);
  for (size_t i = 0; i < kElements; ++i) {
    uint16_t half = 0;
    std::memcpy(&half, &bytes[i * 2], sizeof half);
    floats[i] = HalfToFloat(half);
  }
  ExpectNarrow(Layer(DType::kFloat16, bytes.size(), 0, 0), floats, kElements * 2);
}

ModelBuilder HalfArithmeticLayer(DType type, size_t bytes) {
  return Layer(type, bytes, 0, 0, Transposed(schema::WeightCompute::Half));
}

TEST(NarrowWeights, HalfArithmeticIsTheFloatsWhereTheCpuHasNone) {
  const Found floats = RunLayer(Layer(DType::kFloat16, kElements * 2, 0, 0), 1),
              halves = RunLayer(HalfArithmeticLayer(DType::kFloat16, kElements * 2), 1);
  EXPECT_EQ(halves.allocations, 0u);
  if (halves.algorithm == floats.algorithm) {
    EXPECT_EQ(halves.y, floats.y);
    return;
  }
  EXPECT_THAT(halves.algorithm, ::testing::StartsWith("implicit_gemm_f16/"));
  for (size_t i = 0; i < floats.y.size(); ++i) EXPECT_NEAR(halves.y[i], floats.y[i], 0.25f);
}

TEST(NarrowWeights, HalfArithmeticNeedsHalfWeights) {
  const ModelFile file = HalfArithmeticLayer(DType::kFloat32, kElements * 4).Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok()) << model.status().message();
  const auto interpreter = Interpreter::Create(*model, {});
  EXPECT_EQ(interpreter.status().code(), StatusCode::kInvalidModel);
  EXPECT_THAT(interpreter.status().message(),
              HasSubstr("needs input of floats or halves and float16 weights"));
}

TEST(NarrowWeights, Int8StaysInt8) {
  const std::vector<uint8_t> bytes = Bytes(kElements);
  std::vector<float> floats(kElements);
  for (size_t i = 0; i < kElements; ++i) floats[i] = static_cast<float>(bytes[i]) * kScale;
  ExpectNarrow(Layer(DType::kInt8, kElements, kColumns, 0), floats, kElements + kColumns * sizeof(float));
}

TEST(NarrowWeights, Int4StaysInt4) {
  const std::vector<uint8_t> bytes = Bytes(kElements / 2);
  std::vector<float> floats(kElements);
  for (size_t i = 0; i < kElements; ++i) {
    floats[i] = static_cast<float>(ReadInt4(bytes.data(), static_cast<int64_t>(i))) * kScale;
  }
  constexpr int32_t kGroup = 32, kScales = kColumns * kDepth / kGroup;
  ExpectNarrow(Layer(DType::kInt4, kElements / 2, kScales, kGroup), floats,
               kElements / 2 + kScales * sizeof(float));
}

}  // namespace
}  // namespace micrort::testing
