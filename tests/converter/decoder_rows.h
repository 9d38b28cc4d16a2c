#pragma once
// Attention of a decoder whose caches are inputs and outputs, or kept: graphs of one layer, and its operands.

#include <string>
#include <vector>

#include "tests/converter/decoder_step.h"
#include "tests/kernels/random.h"

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

}  // namespace micrort::testing::decoder
