// mnnconvert --last-logits.

#include "converter/ir/last_logits.h"

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

constexpr int kVocabulary = 500, kHidden = 3;

ConvertOptions LastAlone() {
  ConvertOptions options;
  options.last_logits = true;
  return options;
}

// Positions are mixed, then comes the head. `head`: [hidden, vocabulary], or transposed.
OnnxBuilder DecoderWithHead(bool is_transposed = false) {
  OnnxBuilder b;
  b.Input("x", {"batch", "new", std::to_string(kHidden)}).Integers("axis", {}, {1});
  b.Node("CumSum", {"x", "axis"}, {"mixed"}).Node("Sigmoid", {"mixed"}, {"hidden"});
  if (is_transposed) {
    b.Weights("table", {kVocabulary, kHidden}).Node("Transpose", {"table"}, {"head"});
    b.Ints("perm", {1, 0});
  } else {
    b.Weights("head", {kHidden, kVocabulary});
  }
  b.Weights("bias", {kVocabulary}).Floats("cap", {1}, {2});
  b.Node("MatMul", {"hidden", "head"}, {"product"}).Node("Add", {"bias", "product"}, {"sum"});
  b.Node("Div", {"sum", "cap"}, {"scaled"}).Node("Tanh", {"scaled"}, {"capped"});
  b.Node("Mul", {"capped", "cap"}, {"logits"});
  return b;
}

// The same, and its last position.
OnnxBuilder WithLast(OnnxBuilder b) {
  b.Integers("first", {1}, {-1}).Integers("end", {1}, {INT64_MAX}).Integers("along", {1}, {1});
  b.Node("Slice", {"logits", "first", "end", "along"}, {"y"});
  return b;
}

void ExpectLast(const OnnxBuilder& source, const std::vector<std::string>& also = {}) {
  OnnxBuilder with_last = WithLast(source), plain = source;
  std::vector<std::string> expected_outputs = {"y"}, outputs = {"logits"};
  expected_outputs.insert(expected_outputs.end(), also.begin(), also.end());
  outputs.insert(outputs.end(), also.begin(), also.end());
  Converted expected(with_last, expected_outputs), found(plain, outputs, LastAlone());
  ASSERT_THAT(found.status(), IsOk());
  EXPECT_EQ(io::OutputNames(*Interpreter::Create(found.model()))[0], "logits");
  for (const int64_t count : {4, 1, 7}) {
    const io::NamedArray x = Counting({2, count, kHidden});
    EXPECT_EQ(found.Run({x}), expected.Run({x})) << count;
  }
}

TEST(LastLogits, AreThoseOfTheLastPosition) {
  ExpectLast(DecoderWithHead());
  ExpectLast(DecoderWithHead(true));
}

TEST(LastLogits, LeaveOtherOutputsAlone) {
  ExpectLast(DecoderWithHead(), {"hidden"});
  ExpectLast(DecoderWithHead(), {"product"});
}

TEST(LastLogits, TakeTheMemoryOfOneRow) {
  constexpr int kPositions = 8;
  constexpr size_t kRow = kVocabulary * sizeof(float);
  ConvertOptions options;
  options.input_shapes = {{"x", {1, kPositions, kHidden}}};
  OnnxBuilder builder = DecoderWithHead();
  Converted whole(builder, {"logits"}, options);
  options.last_logits = true;
  Converted last(builder, {"logits"}, options);
  EXPECT_GE(whole.result().summary.arena_bytes, kPositions * kRow);
  EXPECT_LE(last.result().summary.arena_bytes, 3 * kRow);
}

TEST(LastLogits, AreTheSameForAllKindsOfWeights) {
  for (const QuantMode quant :
       {QuantMode::kFp16, QuantMode::kInt8Weights, QuantMode::kInt8, QuantMode::kInt4Weights}) {
    SCOPED_TRACE(static_cast<int>(quant));
    ConvertOptions options;
    options.quant = quant;
    OnnxBuilder with_last = WithLast(DecoderWithHead()), plain = DecoderWithHead();
    Converted expected(with_last, {"y"}, options);
    options.last_logits = true;
    Converted found(plain, {"logits"}, options);
    ASSERT_THAT(found.status(), IsOk());
    for (const int64_t count : {3, 1}) {
      const io::NamedArray x = Counting({1, count, kHidden});
      EXPECT_EQ(found.Run({x}), expected.Run({x}));
    }
  }
}

// 4-bit and 8-bit heads of a source are dequantized constants.
TEST(LastLogits, SaveAProductWithWeightsThatAreDequantized) {
  OnnxBuilder b;
  b.Input("x", {"1", "new", "2"})
      .Narrow("w", ::onnx::TensorProto::INT8, {2, 3}, {1, 2, 3, 4, 5, 6})
      .Floats("scale", {}, {0.5f});
  b.Node("DequantizeLinear", {"w", "scale"}, {"head"}).Node("MatMul", {"x", "head"}, {"logits"});
  Converted found(b, {"logits"}, LastAlone());
  ASSERT_THAT(found.status(), IsOk());
  EXPECT_TRUE(found.result().notes.empty()) << found.result().notes[0];
  EXPECT_EQ(found.Run({Counting({1, 2, 2})}), "1x1x3: 9.5 13 16.5");
}

TEST(LastLogits, SayThatNoProductIsSaved) {
  OnnxBuilder b;
  b.Input("x", {"1", "new", "2"}).Integers("axis", {}, {1}).Node("CumSum", {"x", "axis"}, {"logits"});
  Converted found(b, {"logits"}, LastAlone());
  ASSERT_THAT(found.status(), IsOk());
  EXPECT_THAT(found.result().notes, ::testing::Contains(HasSubstr("compute every position")));
  EXPECT_EQ(found.Run({Counting({1, 2, 2})}), "1x1x2: 4 6");
}

TEST(LastLogits, AreComparedByVerify) {
  ConvertOptions options = LastAlone();
  options.verify = VerifyMode::kOutputs;
  OnnxBuilder builder = DecoderWithHead();
  Converted converted(builder, {"logits"}, options);
  EXPECT_THAT(converted.status(), IsOk());
  EXPECT_EQ(converted.Run({Counting({1, 3, kHidden})}).substr(0, 8), "1x1x500:");
}

TEST(LastLogits, RefuseAModelWithoutThem) {
  OnnxBuilder builder = OneRelu();
  EXPECT_THAT(
      Converted(builder, {}, LastAlone()).status(),
      IsError(StatusCode::kUnsupported, HasSubstr("--last-logits: expected a float output 'logits'")));
}

}  // namespace
}  // namespace micrort::testing
