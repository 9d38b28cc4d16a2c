// GroupQueryAttention of com.microsoft. Where keys are zero, what is seen has equal weights.

#include <gmock/gmock.h>

#include <cmath>

#include "tests/converter/folded_values.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::FoldedValues;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;
using ::testing::Pointwise;

class GqaBuilder : public OnnxBuilder {
 public:
  GqaBuilder() : OnnxBuilder(17) {
    auto* contrib = model.add_opset_import();
    contrib->set_domain("com.microsoft");
    contrib->set_version(1);
  }

  // Lengths: of each item of the batch, with its new positions; total: of the longest.
  GqaBuilder& Lengths(const std::vector<int32_t>& lengths, int32_t total) {
    std::vector<int32_t> last;
    for (int32_t n : lengths) last.push_back(n - 1);
    Narrow("last", ::onnx::TensorProto::INT32, {static_cast<int64_t>(last.size())}, last);
    Narrow("total", ::onnx::TensorProto::INT32, {}, {total});
    return *this;
  }
  GqaBuilder& Attend(std::vector<std::string> inputs, int64_t heads, int64_t kv_heads) {
    Node("GroupQueryAttention", std::move(inputs), {"y", "key", "value"});
    graph().mutable_node(graph().node_size() - 1)->set_domain("com.microsoft");
    Int("num_heads", heads).Int("kv_num_heads", kv_heads);
    return *this;
  }
};

TEST(OnnxGroupQueryAttention, NewPositionsFollowEachItemsPast) {
  GqaBuilder b;
  b.Weights("q", {2, 1, 2}).Floats("k", {2, 1, 1}, {0, 0}).Floats("v", {2, 1, 1}, {10, 20});
  b.Floats("pk", {2, 1, 2, 1}, {0, 0, 0, 0}).Floats("pv", {2, 1, 2, 1}, {1, 2, 3, 4});
  b.Lengths({3, 2}, 3).Attend({"q", "k", "v", "pk", "pv", "last", "total"}, 2, 1);
  const auto values = FoldedValues(b.Output("y").Output("value"));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_THAT(values[0], Pointwise(FloatNear(1e-5f), {13.0f / 3, 13.0f / 3, 11.5f, 11.5f}));
  ASSERT_EQ(values[1].size(), 6u);
  EXPECT_THAT(std::vector<float>(values[1].begin(), values[1].begin() + 5), ElementsAre(1, 2, 10, 3, 20));
}

TEST(OnnxGroupQueryAttention, ACacheThatIsLongerKeepsItsLength) {
  GqaBuilder b;
  b.Weights("q", {1, 1, 1}).Floats("k", {1, 1, 1}, {0}).Floats("v", {1, 1, 1}, {10});
  b.Floats("pk", {1, 1, 4, 1}, {0, 0, 0, 0}).Floats("pv", {1, 1, 4, 1}, {1, 2, 3, 4});
  b.Lengths({2}, 2).Attend({"q", "k", "v", "pk", "pv", "last", "total"}, 1, 1);
  const auto values = FoldedValues(b.Output("y").Output("value"));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_THAT(values[0], ElementsAre(5.5f));
  EXPECT_THAT(values[1], ElementsAre(1, 10, 3, 4));
}

TEST(OnnxGroupQueryAttention, APromptSeesWhatIsNotBehindIt) {
  GqaBuilder b;
  b.Lengths({3}, 3).Floats("qkv", {1, 3, 3}, {1, 0, 3, 1, 0, 6, 1, 0, 9});
  b.Attend({"qkv", "", "", "", "", "last", "total"}, 1, 1);
  EXPECT_THAT(FoldedValues(b.Output("y"))[0], Pointwise(FloatNear(1e-5f), {3.0f, 4.5f, 6.0f}));
}

TEST(OnnxGroupQueryAttention, TurnsQueriesAndKeysByTheirPositions) {
  GqaBuilder b;  // a quarter turn with each position
  b.Lengths({2}, 2).Floats("qkv", {1, 2, 6}, {1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0});
  b.Floats("cos", {4, 1}, {1, 0, -1, 0}).Floats("sin", {4, 1}, {0, 1, 0, -1});
  b.Attend({"qkv", "", "", "", "", "last", "total", "cos", "sin"}, 1, 1).Int("do_rotary", 1);
  const auto values = FoldedValues(b.Output("y").Output("key"));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_THAT(values[1], ElementsAre(1, 0, 0, 1));
  const float seen = 1 / (1 + std::exp(-1 / std::sqrt(2.0f)));  // of the second position, by itself
  EXPECT_THAT(values[0], Pointwise(FloatNear(1e-5f), {0.0f, 0.0f, seen, 0.0f}));
}

// Of n positions with a score of 0 and values 1, n / (n + exp(sink)) remains.
TEST(OnnxGroupQueryAttention, ASinkTakesAPartOfTheWeights) {
  for (const bool is_smooth : {false, true}) {
    GqaBuilder b;
    b.Lengths({2}, 2).Floats("q", {1, 2, 2}, {0, 0, 0, 0}).Floats("k", {1, 2, 2}, {0, 0, 0, 0});
    b.Floats("v", {1, 2, 2}, {1, 1, 1, 1}).Floats("sinks", {2}, {0, std::log(3.0f)});
    std::vector<std::string> inputs = {"q", "k", "v", "", "", "last", "total"};
    if (!is_smooth) inputs.insert(inputs.end(), {"", "", "", "", "sinks"});
    b.Attend(inputs, 2, 2).Int("smooth_softmax", is_smooth ? 1 : 0);
    const float second = is_smooth ? 0.0f : 1.0f;
    const std::vector<float> expected = {1.0f / 2, 1 / (2 + 2 * second), 2.0f / 3, 2 / (3 + 2 * second)};
    EXPECT_THAT(FoldedValues(b.Output("y"))[0], Pointwise(FloatNear(1e-6f), expected)) << is_smooth;
  }
}

TEST(OnnxGroupQueryAttention, RefusesWhatItCannotDo) {
  GqaBuilder sinks;
  sinks.Lengths({3}, 3).Weights("qkv", {1, 3, 3}).Weights("sink", {2});
  sinks.Attend({"qkv", "", "", "", "", "last", "total", "", "", "", "", "sink"}, 1, 1).Output("y");
  EXPECT_THAT(Import(sinks).text(), HasSubstr("expected a sink for each head"));
  GqaBuilder heads;
  heads.Lengths({3}, 3).Weights("q", {1, 3, 3});
  heads.Attend({"q", "q", "q", "", "", "last", "total"}, 3, 2).Output("y");
  EXPECT_THAT(Import(heads).text(), HasSubstr("3 heads of the query, 2 of keys"));
  GqaBuilder lengths;
  lengths.Weights("q", {1, 3, 3}).Output("y");
  EXPECT_THAT(Import(lengths.Attend({"q", "q", "q"}, 1, 1)).text(),
              HasSubstr("lengths of the items are absent"));
}

}  // namespace
}  // namespace micrort
