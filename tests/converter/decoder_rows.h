#pragma once
// Attention of a decoder whose caches are inputs and outputs, or kept: graphs of one layer, and its operands.

#include <string>
#include <vector>

#include "tests/converter/decoder_step.h"
#include "tests/support/random.h"

namespace micrort::testing::decoder {

constexpr int kHeads = 4, kGroups = 2, kWidth = 8, kCapacity = 24;

inline ConvertOptions WithCaches(uint32_t capacity) {
  ConvertOptions options;
  options.kv_cache = capacity;
  return options;
}

// New positions of a query, keys and values.
inline StepInputs NewRows(int64_t count, Random& random) {
  const auto rows = [&](int heads) {
    std::vector<float> elements(static_cast<size_t>(count * heads * kWidth));
    random.Fill(elements, -1, 1);
    return Array<float>({1, count, heads * kWidth}, elements);
  };
  return {{"q", rows(kHeads)}, {"k", rows(kGroups)}, {"v", rows(kGroups)}};
}

inline OnnxBuilder Operands(int opset) {
  OnnxBuilder b(opset);
  const auto width = [](int heads) { return std::to_string(heads * kWidth); };
  b.Input("q", {"batch", "new", width(kHeads)}).Input("k", {"batch", "new", width(kGroups)});
  b.Input("v", {"batch", "new", width(kGroups)});
  for (const char* name : {"past_key", "past_value"})
    b.Input(name, {"batch", std::to_string(kGroups), "past", std::to_string(kWidth)});
  return b;
}

// Rotated, and with lengths that follow from a mask.
inline OnnxBuilder OfGroupQueryAttention(int64_t window = -1) {
  OnnxBuilder b = Operands(17);
  b.Input("attention_mask", {"batch", "all"}, ::onnx::TensorProto::INT64);
  b.Integers("axis", {1}, {1}).Integers("one", {1}, {1}).Integers("second", {}, {1});
  b.Node("ReduceSum", {"attention_mask", "axis"}, {"sum"}).Int("keepdims", 0);
  b.Node("Sub", {"sum", "one"}, {"last64"}).Node("Cast", {"last64"}, {"last"}).Int("to", 6);
  b.Node("Shape", {"attention_mask"}, {"shape"}).Node("Gather", {"shape", "second"}, {"all64"});
  b.Node("Cast", {"all64"}, {"total"}).Int("to", 6);
  b.Weights("cos", {2 * kCapacity, kWidth / 2}).Weights("sin", {2 * kCapacity, kWidth / 2});
  b.Node("GroupQueryAttention", {"q", "k", "v", "past_key", "past_value", "last", "total", "cos", "sin"},
         {"y", "present_key", "present_value"});
  OfMicrosoft(&b);
  b.Int("num_heads", kHeads)
      .Int("kv_num_heads", kGroups)
      .Int("do_rotary", 1)
      .Int("local_window_size", window);
  return b;
}

// A prompt, then a token a run: the same as where caches are inputs and outputs.
inline void ExpectSameWithCaches(const OnnxBuilder& builder) {
  DecoderStep plain(builder, {}), keeping(builder, WithCaches(kCapacity));
  EXPECT_EQ(keeping.interpreter().input_count(), 3u);
  Random random(1);
  StepInputs values;
  values["past_key"] = values["past_value"] = Array<float>({1, kGroups, 0, kWidth}, {});
  int64_t total = 0;
  for (const int count : {5, 1, 1, 3, 1, 1, 1, 1, 1, 1}) {
    total += count;
    for (auto& [name, rows] : NewRows(count, random)) values[name] = rows;
    values["attention_mask"] =
        Array<int64_t>({1, total}, std::vector<int64_t>(static_cast<size_t>(total), 1));
    const std::vector<float> expected = plain.Run(values), found = keeping.Run(values);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5f) << total << " " << i;
    values["past_key"] = plain.Output(1);
    values["past_value"] = plain.Output(2);
    EXPECT_EQ(keeping.interpreter().StateLength(), static_cast<size_t>(total));
  }
  EXPECT_EQ(keeping.resizes, 4);  // for other numbers of new rows alone
}

constexpr int kRingRows = 8, kRingRoom = 2 * kCapacity;

// Caches of attention with this window as rings of kRingRows.
inline ConvertOptions WithRings(int64_t window, DType type = DType::kFloat32) {
  ConvertOptions options = WithCaches(kRingRoom);
  options.kv_chunk = kRingRows - window + 1;
  options.kv_type = type;
  return options;
}

// 40 tokens, one, two or three a run: the same as where caches are inputs and outputs, or states of all rows.
inline void ExpectSameWithRings(const OnnxBuilder& builder, int64_t window, DType type = DType::kFloat32,
                                float tolerance = 1e-5f) {
  DecoderStep plain(builder, {}), ring(builder, WithRings(window, type));
  for (const size_t i : {size_t{1}, size_t{2}}) EXPECT_EQ(ring.interpreter().state(i).shape[1], kRingRows);
  EXPECT_EQ(ring.converted().model().state_chunk(), static_cast<size_t>(kRingRows - window + 1));
  Random random(1);
  StepInputs values;
  values["past_key"] = values["past_value"] = Array<float>({1, kGroups, 0, kWidth}, {});
  for (int64_t total = 0, count = 1; total < 40; count = count % 3 + 1) {
    total += count;
    for (auto& [name, rows] : NewRows(count, random)) values[name] = rows;
    values["attention_mask"] =
        Array<int64_t>({1, total}, std::vector<int64_t>(static_cast<size_t>(total), 1));
    EXPECT_THAT(ring.Run(values), ::testing::Pointwise(::testing::FloatNear(tolerance), plain.Run(values)))
        << total;
    values["past_key"] = plain.Output(1);
    values["past_value"] = plain.Output(2);
  }
}

}  // namespace micrort::testing::decoder
