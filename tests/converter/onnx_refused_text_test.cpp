// ONNX's TfIdfVectorizer: pools of n-grams that do not fit their lists.

#include "tests/converter/folded_values.h"
#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_text {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

// Counts of words, of which the pool has two.
OneNode Words(const std::vector<std::string>& text = {"4"}) {
  OneNode node("TfIdfVectorizer");
  node.X(text, ::onnx::TensorProto::INT64);
  return node;
}

OneNode Pool(OneNode node, const std::vector<int64_t>& counts = {0},
             const std::vector<int64_t>& places = {0, 1}) {
  node.Ints("pool_int64s", {5, 6}).Ints("ngram_counts", counts).Ints("ngram_indexes", places);
  node.Int("min_gram_length", 1).Int("max_gram_length", 1);
  return node;
}

// With how many words may be left out between two.
OneNode Skips(int64_t skips) { return Pool(Words()).Int("max_skip_count", skips); }

const Refusal kTexts[] = {
    {"Strings", MICRORT_STATUS(Words().Strings("pool_strings", {"a"}).Refused()),
     "(TfIdfVectorizer, opset 13): strings", kUnsupported},
    {"UnknownMode", MICRORT_STATUS(Pool(Words()).String("mode", "DF").Refused()), "mode 'DF'"},
    {"TextOfThreeDimensions", MICRORT_STATUS(Pool(Words({"1", "1", "4"})).Refused()),
     "expected 1 or 2 dimensions, found 3"},
    {"PoolThatBeginsBehindItsEnd", MICRORT_STATUS(Pool(Words(), {3}).Refused()),
     "ngram_counts does not divide the pool"},
    {"PoolOfOneAndAHalf", MICRORT_STATUS(Pool(Words(), {0, 1}).Refused()),
     "ngram_counts does not divide the pool"},
    {"NegativePlace", MICRORT_STATUS(Pool(Words(), {0}, {0, -1}).Refused()), "ngram_indexes: -1"},
    {"FarPlace", MICRORT_STATUS(Pool(Words(), {0}, {0, 1 << 20}).Refused()), "ngram_indexes: 1048576"},
    {"TooFewPlaces", MICRORT_STATUS(Pool(Words(), {0}, {0}).Refused()),
     "expected one of ngram_indexes for each n-gram"},
    {"TextOfUnknownLength", MICRORT_STATUS(Pool(Words({"N"})).Refused()),
     "the length of the input is not fixed", kUnsupported},
    {"NegativeSkips", MICRORT_STATUS(Skips(-1).Refused()), "max_skip_count is out of range", kUnsupported},
    {"MoreSkipsThanWords", MICRORT_STATUS(Skips(6).Refused()), "max_skip_count is out of range",
     kUnsupported},
    {"TextShorterThanEveryGram", MICRORT_STATUS(Pool(Words({"0"})).Refused()),
     "no n-gram of the pool can occur", kUnsupported},
    {"WeightsOfAnotherPool",
     MICRORT_STATUS(Pool(Words()).String("mode", "IDF").FloatList("weights", {1}).Refused()),
     "expected 2 weights"},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedText, kTexts);

TEST(OnnxText, IsNotRefusedWhereItFits) {
  // No n-grams of most lengths.
  std::vector<int64_t> counts(100000, 2);
  counts[0] = 0;
  EXPECT_EQ(Pool(Words(), counts).Refused().code(), StatusCode::kOk);
  OneNode large = Words();
  large.Ints("pool_int64s", std::vector<int64_t>(257, 5)).Ints("ngram_counts", {0});
  large.Ints("ngram_indexes", std::vector<int64_t>(257, (1 << 20) - 1));
  EXPECT_EQ(large.Refused().code(), StatusCode::kOk);
}

TEST(OnnxText, CountsGramsOfAllLengths) {
  OnnxBuilder b;
  b.Integers("x", {6}, {5, 6, 5, 7, 6, 5}).Node("TfIdfVectorizer", {"x"}, {"y"}).String("mode", "TF");
  b.Ints("pool_int64s", {5, 6, 5, 6, 6, 5}).Ints("ngram_counts", {0, 2}).Ints("ngram_indexes", {0, 1, 2, 0});
  b.Int("min_gram_length", 1).Int("max_gram_length", 2).Int("max_skip_count", 0);
  EXPECT_THAT(FoldedY(b), ::testing::ElementsAre(5, 2, 1));
}

}  // namespace
}  // namespace micrort::testing::onnx_refused_text
