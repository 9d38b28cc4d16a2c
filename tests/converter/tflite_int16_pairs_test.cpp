// Functions of int16 tensors of TensorFlow Lite that are no sums, products or lines between numbers of a
// table.

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/converter/tflite_int16.h"
#include "tests/kernels/int16_model.h"

namespace micrort::testing::tflite_int16 {
namespace {

constexpr int32_t kCount = 300;

TEST(TfliteInt16, SlopesOfInt8) {
  constexpr float kX = 0.003f, kSlope = 0.011f, kY = 0.002f;
  std::vector<int8_t> slopes(kCount);
  Random random(3);
  random.Fill(slopes, INT8_MIN, INT8_MAX);
  TfliteBuilder b;
  const int x = b.Input("x", {2, kCount}, Type::Int16, Scale(kX)),
            w = b.Constant<int8_t>("slopes", {kCount}, Type::Int8, slopes, Scale(kSlope, 5)),
            y = b.Tensor("y", {2, kCount}, Type::Int16, Scale(kY));
  b.Op("PRELU", {x, w}, {y});
  b.Output(y);
  const std::vector<int16_t> given = RandomInt16(2 * kCount, 4);
  Floats expected;
  for (size_t i = 0; i < given.size(); ++i) {
    expected.push_back(
        int16_model::PRelu(given[i], slopes[i % kCount], 5, double{kX}, double{kSlope}, double{kY}));
  }
  EXPECT_EQ(RunTflite(b, {{"x", AsFloats(given)}})["y"], expected);
  ExpectOneOperator(b);
}

// Of numbers in one scale, which is twice the larger one.
int16_t SquaredDifference(int16_t a, int16_t b, double a_scale, double b_scale, double y_scale) {
  const double common = 2 * std::max(a_scale, b_scale);
  const int64_t difference =
      int16_model::MultiplyNarrow(a, a_scale / common) - int16_model::MultiplyNarrow(b, b_scale / common);
  return int16_model::Range().Clamp(
      int16_model::MultiplyNarrow(difference * difference, common * common / y_scale));
}

TEST(TfliteInt16, SquaredDifferences) {
  for (const auto& [a, b, y] :
       {std::array{0.003f, 0.0021f, 0.01f}, {0.001f, 0.001f, 0.0007f}, {0.0002f, 0.05f, 13.0f}}) {
    TfliteBuilder model;
    const int p = model.Input("a", {2, kCount}, Type::Int16, Scale(a)),
              q = model.Input("b", {kCount}, Type::Int16, Scale(b)),
              square = model.Tensor("y", {2, kCount}, Type::Int16, Scale(y));
    model.Op("SQUARED_DIFFERENCE", {p, q}, {square});
    model.Output(square);
    const std::vector<int16_t> first = RandomInt16(2 * kCount, 5), second = RandomInt16(kCount, 6);
    Floats expected;
    for (size_t i = 0; i < first.size(); ++i)
      expected.push_back(SquaredDifference(first[i], second[i % kCount], double{a}, double{b}, double{y}));
    EXPECT_EQ(RunTflite(model, {{"a", AsFloats(first)}, {"b", AsFloats(second)}})["y"], expected) << a;
    ImportedTflite imported = ImportTflite(model.Bytes());
    for (const auto& node : imported.graph().nodes) EXPECT_EQ(node->rounding, schema::Rounding::Tflite);
  }
}

// With 7 bits more, in 32 bits.
float SquaredDifferenceOfBytes(int a, int b, const double (&scales)[3], int zero) {
  const double twice = 2 * std::max(scales[0], scales[1]);
  const int64_t difference = int16_model::MultiplyNarrow(int64_t{a} * 128, scales[0] / twice) -
                             int16_model::MultiplyNarrow(int64_t{b} * 128, scales[1] / twice);
  const double ratio = twice * twice / (16384 * scales[2]);
  const int64_t y = int16_model::MultiplyNarrow(difference * difference, ratio) + zero;
  return static_cast<float>(std::clamp<int64_t>(y, INT8_MIN, INT8_MAX));
}

TEST(TfliteInt16, SquaredDifferencesOfBytes) {
  constexpr int kAZero = 3, kBZero = -50, kYZero = -128;
  for (const auto& [a, b, y] : {std::array<float, 3>{0.03f, 0.03f, 0.11f},
                                {0.013f, 0.09f, 0.5f},
                                {0.7f, 0.0006f, 900.0f},
                                {0.02f, 0.03f, 0.0007f}}) {
    TfliteBuilder model;
    const int p = model.Input("a", {2, kCount}, Type::Int8, Scale(a, kAZero)),
              q = model.Input("b", {kCount}, Type::Int8, Scale(b, kBZero)),
              square = model.Tensor("y", {2, kCount}, Type::Int8, Scale(y, kYZero));
    model.Op("SQUARED_DIFFERENCE", {p, q}, {square});
    model.Output(square);
    const std::vector<int16_t> first = RandomInt16(2 * kCount, 5, INT8_MAX),
                               second = RandomInt16(kCount, 6, INT8_MAX);
    Floats expected;
    for (size_t i = 0; i < first.size(); ++i) {
      expected.push_back(SquaredDifferenceOfBytes(first[i] - kAZero, second[i % kCount] - kBZero,
                                                  {double{a}, double{b}, double{y}}, kYZero));
    }
    EXPECT_EQ(RunTflite(model, {{"a", AsFloats(first)}, {"b", AsFloats(second)}})["y"], expected) << a;
  }
}

TfliteBuilder Comparison(const std::string& op, float a_scale, float b_scale) {
  TfliteBuilder b;
  const int p = b.Input("a", {kCount}, Type::Int16, Scale(a_scale)),
            q = b.Input("b", {kCount}, Type::Int16, Scale(b_scale)), y = b.Tensor("y", {kCount}, Type::Bool);
  b.Op(op, {p, q}, {y});
  b.Output(y);
  return b;
}

TEST(TfliteInt16, Greater) {
  constexpr float kA = 0.003f, kB = 0.0041f;
  const TfliteBuilder b = Comparison("GREATER", kA, kB);
  const std::vector<int16_t> p = RandomInt16(kCount, 5, 400), q = RandomInt16(kCount, 6, 400);
  Floats expected;
  for (size_t i = 0; i < kCount; ++i)
    expected.push_back(int16_model::IsGreater(p[i], q[i], double{kA}, double{kB}) ? 1.0f : 0.0f);
  EXPECT_EQ(RunTflite(b, {{"a", AsFloats(p)}, {"b", AsFloats(q)}})["y"], expected);
  ExpectOneOperator(b);
}

TEST(TfliteInt16, GreaterOfCoarseScalesComparesRealNumbers) {
  const TfliteBuilder b = Comparison("GREATER", 2.0f, 4.0f);
  std::vector<int16_t> p(kCount, 3), q(kCount, 1);
  q[0] = 2;
  Floats expected(kCount, 1);
  expected[0] = 0;
  EXPECT_EQ(RunTflite(b, {{"a", AsFloats(p)}, {"b", AsFloats(q)}})["y"], expected);
}

// Of one scale: nothing is converted.
TEST(TfliteInt16, OtherComparisonsAreOfTheIntegers) {
  const std::vector<int16_t> p = RandomInt16(kCount, 5, 2), q = RandomInt16(kCount, 6, 2);
  const auto check = [&](const std::string& op, auto compare) {
    const TfliteBuilder b = Comparison(op, 0.5f, 0.5f);
    Floats expected;
    for (size_t i = 0; i < kCount; ++i) expected.push_back(compare(p[i], q[i]) ? 1.0f : 0.0f);
    EXPECT_EQ(RunTflite(b, {{"a", AsFloats(p)}, {"b", AsFloats(q)}})["y"], expected) << op;
    ImportedTflite imported = ImportTflite(b.Bytes());
    for (const auto& node : imported.graph().nodes) EXPECT_NE(node->code, schema::OpCode::Cast) << op;
  };
  check("LESS", [](int a, int b) { return a < b; });
  check("LESS_EQUAL", [](int a, int b) { return a <= b; });
  check("GREATER_EQUAL", [](int a, int b) { return a >= b; });
  check("EQUAL", [](int a, int b) { return a == b; });
  check("NOT_EQUAL", [](int a, int b) { return a != b; });
}

TEST(TfliteInt16, PlacesOfExtremes) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 3}, Type::Int16, Scale(0.5f)), y = b.Tensor("y", {2}, Type::Int32);
  fb::ArgMaxOptionsT options;
  options.output_type = fb::TensorType::Int32;
  b.Op("ARG_MAX", {x, b.Integers("axis", {1})}, {y}, options);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {5, 32767, 3, -1, -5, -32768}}})["y"], Floats({1, 0}));
  ImportedTflite imported = ImportTflite(b.Bytes());
  for (const auto& node : imported.graph().nodes) {
    for (const ir::ValueId id : node->outputs) EXPECT_NE(imported.graph().value(id).dtype, DType::kFloat32);
  }
}

// Batches of either factor, which may lie transposed.
TEST(TfliteInt16, ProductsOfTwoInt16) {
  constexpr int32_t kBatch = 2, kRows = 3, kDepth = 50, kColumns = 4;
  constexpr float kA = 0.003f, kB = 0.0007f, kY = 0.0021f;
  const std::vector<int16_t> p = RandomInt16(kBatch * kRows * kDepth, 1),
                             q = RandomInt16(kDepth * kColumns, 2);
  const double scale = double{kA * kB} / double{kY};
  for (const bool adj_x : {false, true}) {
    for (const bool adj_y : {false, true}) {
      TfliteBuilder b;
      const int left = b.Input("a", {kBatch, adj_x ? kDepth : kRows, adj_x ? kRows : kDepth}, Type::Int16,
                               Scale(kA)),
                right = b.Constant<int16_t>("b", {adj_y ? kColumns : kDepth, adj_y ? kDepth : kColumns},
                                            Type::Int16, q, Scale(kB)),
                y = b.Tensor("y", {kBatch, kRows, kColumns}, Type::Int16, Scale(kY));
      fb::BatchMatMulOptionsT options;
      options.adj_x = adj_x, options.adj_y = adj_y;
      b.Op("BATCH_MATMUL", {left, right}, {y}, options);
      b.Output(y);
      Floats expected;
      for (size_t r = 0; r < kBatch * kRows; ++r) {
        for (size_t o = 0; o < kColumns; ++o) {
          int64_t sum = 0;
          for (size_t k = 0; k < kDepth; ++k) {
            const size_t at = adj_x ? (r / kRows * kDepth + k) * kRows + r % kRows : r * kDepth + k;
            sum += int64_t{p[at]} * q[adj_y ? o * kDepth + k : k * kColumns + o];
          }
          expected.push_back(int16_model::Range().Clamp(int16_model::MultiplyWide(sum, scale)));
        }
      }
      EXPECT_EQ(RunTflite(b, {{"a", AsFloats(p)}})["y"], expected);
      if (!adj_x) ExpectOneOperator(b);
    }
  }
}

TEST(TfliteInt16, FloatsBecomeInt16HalfAwayFromZero) {
  TfliteBuilder b;
  const int x = b.Input("x", {6}), y = b.Tensor("y", {6}, Type::Int16, Scale(0.5f));
  b.Op("QUANTIZE", {x}, {y});
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {0.25f, -0.25f, 0.75f, 1.25f, 1e9f, -1e9f}}})["y"],
            Floats({1, -1, 2, 3, 32767, -32768}));
  // Behind a clamp to what int16 can stand for.
  ImportedTflite imported = ImportTflite(b.Bytes());
  ASSERT_TRUE(passes::Optimize(imported.module, {}).ok());
  ASSERT_EQ(imported.graph().nodes.size(), 2u);
  EXPECT_EQ(imported.graph().nodes[0]->code, schema::OpCode::Unary);
  EXPECT_EQ(imported.graph().nodes[1]->code, schema::OpCode::Quantize);
  EXPECT_EQ(imported.graph().nodes[1]->rounding, schema::Rounding::Tflite);
}

// round(a * b / 2^31), halves up.
int64_t RsqrtHighProduct(int64_t a, int64_t b) { return (a * b + (int64_t{1} << 30)) >> 31; }

// With 20 bits behind the point, from 1 / sqrt(x) by five steps from 1 of r = r * (3 - x * r^2) / 2, whose
// numbers have 28 bits there. x is a power of 4 times a number from 1/2 to 2.
int64_t RsqrtRoot(int64_t x) {
  if (x == 1) return int64_t{1} << 20;
  int bits = 11;
  for (; x < (1 << 27); x *= 4) --bits;
  int64_t r = int64_t{1} << 28;
  const int64_t half = (x / 2 + 1) / 2, three_halves = int64_t{3} << 27;
  for (int i = 0; i < 5; ++i) {
    const int64_t cube = RsqrtHighProduct(RsqrtHighProduct(r, r), r) * 64;
    r = (RsqrtHighProduct(three_halves, r) - RsqrtHighProduct(half, cube)) * 8;
  }
  const int64_t root = RsqrtHighProduct(r, std::llround(std::sqrt(0.5) * 2147483648.0));
  return int16_model::MultiplyNarrow(
      1, int16_model::Multiplier{bits < 0 ? root << -bits : root, 20 - std::max(bits, 0)});
}

int16_t RsqrtOf(int16_t x, double x_scale, double y_scale) {
  if (x == 0) return INT16_MAX;
  int16_model::Multiplier by = int16_model::MultiplierOf(1 / (std::sqrt(x_scale) * y_scale));
  by.shift -= 20;
  return int16_model::Range().Clamp(int16_model::MultiplyNarrow(RsqrtRoot(x), by));
}

TEST(TfliteInt16, InverseSquareRoots) {
  constexpr int32_t kNumbers = INT16_MAX + 1;
  for (const auto& [x_scale, y_scale] :
       {std::pair{0.003f, 0.0011f}, {1.0f, 1.0f / 32768}, {0.00002f, 0.01f}}) {
    TfliteBuilder b;
    const int x = b.Input("x", {1, kNumbers}, Type::Int16, Scale(x_scale)),
              y = b.Tensor("y", {1, kNumbers}, Type::Int16, Scale(y_scale));
    b.Op("RSQRT", {x}, {y});
    b.Output(y);
    Floats all, expected;
    for (int32_t i = 0; i < kNumbers; ++i) {
      all.push_back(static_cast<float>(i));
      expected.push_back(RsqrtOf(static_cast<int16_t>(i), double{x_scale}, double{y_scale}));
    }
    EXPECT_EQ(RunTflite(b, {{"x", all}})["y"], expected) << x_scale;
    // Close to the real number, too, where it fits.
    const double real = 1 / std::sqrt(20000 * double{x_scale}) / double{y_scale};
    if (real < INT16_MAX) {
      EXPECT_NEAR(double{expected[20000]}, real, 1);
    }
  }
}

}  // namespace
}  // namespace micrort::testing::tflite_int16
