#pragma once
// What tests of int16 operators of TFLite files have in common.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "converter/pipeline/pipeline.h"
#include "tests/converter/tflite_builder.h"
#include "tests/support/random.h"

namespace micrort::testing::tflite_int16 {

using Type = fb::TensorType;

constexpr float kTable = 1.0f / 32768;

inline Quantized Scale(float scale, int64_t zero_point = 0) { return {{scale}, {zero_point}}; }

inline std::vector<int16_t> RandomInt16(size_t n, uint32_t seed, int range = INT16_MAX) {
  Random random(seed);
  std::vector<int16_t> values(n);
  random.Fill(values, -range, range);
  if (range == INT16_MAX && n > 1) values[0] = INT16_MIN, values[1] = INT16_MAX;
  return values;
}

template <typename T>
Floats AsFloats(const std::vector<T>& values) {
  return Floats(values.begin(), values.end());
}

// The only operator that is left, which rounds as TensorFlow Lite.
inline void ExpectOneOperator(const TfliteBuilder& b) {
  ImportedTflite imported = ImportTflite(b.Bytes());
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ASSERT_TRUE(passes::Optimize(imported.module, {}).ok());
  ASSERT_EQ(imported.graph().nodes.size(), 1u);
  EXPECT_EQ(imported.graph().nodes[0]->rounding, schema::Rounding::Tflite);
}

}  // namespace micrort::testing::tflite_int16
