// mnnconvert --kv-cache: softcaps, sinks, and masks of Attention that are inputs or computed.

#include <gmock/gmock.h>

#include <limits>

#include "converter/emit/build_model.h"
#include "tests/converter/decoder_rows.h"

namespace micrort::testing::decoder::masks {
namespace {

constexpr int64_t kWindow = 5;

enum class Mask { kFlags, kFloats, kWindow, kPadding };

// "mask" [1,1,new,all]: position s is seen from there and from behind, as exporters compute it.
void AddComputedMask(OnnxBuilder& b, Mask mask) {
  b.Integers("zero", {}, {0}).Integers("one", {}, {1}).Integers("two", {}, {2});
  b.Integers("front", {1}, {0}).Integers("behind", {1}, {1}).Integers("both", {2}, {0, 1});
  b.Node("Shape", {"past_key"}, {"past_shape"}).Node("Gather", {"past_shape", "two"}, {"before"});
  b.Node("Shape", {"q"}, {"q_shape"}).Node("Gather", {"q_shape", "one"}, {"new"});
  b.Node("Add", {"before", "new"}, {"all"}).Node("Range", {"zero", "all", "one"}, {"flat_keys"});
  b.Node("Range", {"before", "all", "one"}, {"flat_rows"});
  b.Node("Unsqueeze", {"flat_keys", "front"}, {"keys"}).Node("Unsqueeze", {"flat_rows", "behind"}, {"rows"});
  b.Node("LessOrEqual", {"keys", "rows"}, {"seen"});
  std::string flat = "seen";
  if (mask == Mask::kWindow) {
    b.Integers("window", {}, {kWindow}).Node("Sub", {"rows", "window"}, {"first"});
    b.Node("Greater", {"keys", "first"}, {"near"}).Node("And", {"seen", "near"}, {"shown"});
    flat = "shown";
  }
  if (mask == Mask::kFloats) {
    b.Floats("none", {}, {0}).Floats("lowest", {}, {-3.4028235e38f});
    b.Node("Where", {flat, "none", "lowest"}, {"floats"});
    flat = "floats";
  }
  b.Node("Unsqueeze", {flat, "both"}, {"mask"});
  if (mask != Mask::kPadding) return;
  b.Input("attention_mask", {"batch", "all"}, ::onnx::TensorProto::INT64).Integers("middle", {2}, {1, 2});
  b.Node("Cast", {"attention_mask"}, {"given"}).Int("to", ::onnx::TensorProto::BOOL);
  b.Node("Unsqueeze", {"given", "middle"}, {"given4"}).Node("And", {"mask", "given4"}, {"both_masks"});
}

OnnxBuilder Attention(const std::string& mask, OnnxBuilder b) {
  b.Node("Attention", {"q", "k", "v", mask, "past_key", "past_value"}, {"y", "present_key", "present_value"});
  b.Int("q_num_heads", kHeads).Int("kv_num_heads", kGroups);
  return b;
}

OnnxBuilder Masked(Mask mask, float softcap) {
  OnnxBuilder b = Operands(23);
  AddComputedMask(b, mask);
  return Attention(mask == Mask::kPadding ? "both_masks" : "mask", b).Float("softcap", softcap);
}

// Nothing but the operator, caches and what counts their rows.
void ExpectOneOperator(const OnnxBuilder& builder, uint32_t schema_version) {
  DecoderStep decoder(builder, WithCaches(kCapacity));
  const Converted& model = decoder.converted();
  EXPECT_EQ(model.Count(schema::OpCode::Attention), 1);
  for (const schema::OpCode code : {schema::OpCode::Softmax, schema::OpCode::MatMul, schema::OpCode::Select,
                                    schema::OpCode::Reduce, schema::OpCode::Range})
    EXPECT_EQ(model.Count(code), 0) << schema::EnumNameOpCode(code);
  EXPECT_EQ(schema::GetModel(model.result().file.data())->schema_version(), schema_version);
}

TEST(KeepCachesMasks, ThatAreComputedBecomeTheOperators) {
  for (const Mask mask : {Mask::kFlags, Mask::kFloats, Mask::kWindow, Mask::kPadding}) {
    for (const float softcap : {0.0f, 2.0f}) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(mask) << " " << softcap);
      const OnnxBuilder source = Masked(mask, softcap);
      ExpectSameWithCaches(source);
      ExpectOneOperator(source, softcap != 0            ? emit::kSchemaVersionOfSoftcaps
                                : mask == Mask::kWindow ? emit::kSchemaVersionOfWindows
                                                        : emit::kSchemaVersionOfCaches);
    }
  }
}

TEST(KeepCachesMasks, OfAWindowMakeRings) {
  for (const float softcap : {0.0f, 2.0f}) ExpectSameWithRings(Masked(Mask::kWindow, softcap), kWindow);
}

// The mask of a run has a column for each token so far.
void ExpectSameWithMasks(const OnnxBuilder& builder, DType type, const std::string& name, float hidden) {
  ConvertOptions options = WithCaches(kCapacity);
  options.kv_type = type;
  DecoderStep plain(builder, {}), keeping(builder, options);
  EXPECT_EQ(keeping.converted().Count(schema::OpCode::Attention), 1);
  EXPECT_EQ(keeping.converted().Count(schema::OpCode::Softmax), 0);
  EXPECT_EQ(keeping.converted().Count(schema::OpCode::ReadCache), 0);
  Random random(1);
  StepInputs values;
  values["past_key"] = values["past_value"] = Array<float>({1, kGroups, 0, kWidth}, {});
  int64_t total = 0;
  for (const int64_t count : {5, 1, 3, 1}) {
    total += count;
    for (auto& [rows, array] : NewRows(count, random)) values[rows] = array;
    std::vector<float> mask(static_cast<size_t>(count * total));
    random.Fill(mask, -3, 3);
    // A row that sees nothing but what is hidden.
    for (int64_t key = 0; key < total; ++key) mask[static_cast<size_t>(key)] = key < 2 ? hidden : 0.0f;
    values[name] = Array<float>({1, 1, count, total}, mask);
    values["attention_mask"] =
        Array<int64_t>({1, total}, std::vector<int64_t>(static_cast<size_t>(total), 1));
    const float tolerance = type == DType::kFloat32 ? 1e-5f : 3e-2f;
    EXPECT_THAT(keeping.Run(values), ::testing::Pointwise(::testing::FloatNear(tolerance), plain.Run(values)))
        << total;
    values["past_key"] = plain.Output(1);
    values["past_value"] = plain.Output(2);
  }
}

TEST(KeepCachesMasks, ThatAreInputsAreReadByTheOperator) {
  for (const bool is_causal : {false, true}) {
    for (const DType type : {DType::kFloat32, DType::kInt8}) {
      OnnxBuilder b = Operands(23);
      b.Input("mask", {"1", "1", "new", "total"});
      ExpectSameWithMasks(Attention("mask", b).Int("is_causal", is_causal ? 1 : 0), type, "mask",
                          -std::numeric_limits<float>::infinity());
    }
  }
}

OnnxBuilder GroupQuery(const std::vector<std::string>& more, OnnxBuilder b) {
  b.Integers("last", {1, 1}, {0}).Integers("total", {}, {1});
  std::vector<std::string> inputs = {"q", "k", "v", "past_key", "past_value", "last", "total", "", "", ""};
  inputs.insert(inputs.end(), more.begin(), more.end());
  b.Node("GroupQueryAttention", inputs, {"y", "present_key", "present_value"});
  OfMicrosoft(&b);
  b.Int("num_heads", kHeads).Int("kv_num_heads", kGroups);
  return b;
}

TEST(KeepCachesMasks, OfGroupQueryAttentionMayBeBiases) {
  for (const int64_t window : {int64_t{-1}, kWindow}) {
    OnnxBuilder b = OfGroupQueryAttention(window);
    b.Input("bias", {"1", "1", "new", "all"});
    auto& node = *b.graph().mutable_node(b.graph().node_size() - 1);
    for (const char* more : {"", "bias"}) node.add_input(more);
    ExpectSameWithMasks(b, DType::kFloat32, "bias", -20);
  }
}

TEST(KeepCachesMasks, OfGroupQueryAttentionWithSoftcapsAndSinks) {
  OnnxBuilder capped = OfGroupQueryAttention(), window = OfGroupQueryAttention(kWindow), sinks = Operands(17);
  capped.Float("softcap", 2);
  ExpectSameWithCaches(capped);
  ExpectOneOperator(capped, emit::kSchemaVersionOfSoftcaps);
  window.Float("softcap", 2);
  ExpectSameWithRings(window, kWindow);
  window.Int("smooth_softmax", 1);
  ExpectSameWithRings(window, kWindow, DType::kInt8, 3e-2f);
  sinks.Weights("sinks", {kHeads});
  ExpectOneOperator(GroupQuery({"", "sinks"}, sinks), emit::kSchemaVersionOfSoftcaps);
}

// One token a run; caches of the converted model are those of a source that hands them on.
OnnxBuilder DecoderMasked(bool shares) {
  OnnxBuilder b(17);
  const std::string width = std::to_string(kHeads * kWidth);
  for (const char* name : {"q", "k", "v"}) b.Input(name, {"1", "1", width});
  for (const char* name : {"past_key", "past_value"})
    b.Input(name, {"1", std::to_string(kHeads), shares ? "room" : "past", std::to_string(kWidth)});
  b.Input("past_length", {"1"}, ::onnx::TensorProto::INT32).Weights("bias", {3 * kHeads * kWidth});
  b.Node("DecoderMaskedMultiHeadAttention",
         {"q", "k", "v", "", "", "past_key", "past_value", "past_length", "", "", "bias"},
         {"y", "present_key", "present_value"});
  OfMicrosoft(&b);
  return b.Int("num_heads", kHeads).Int("past_present_share_buffer", shares ? 1 : 0);
}

TEST(KeepCachesMasks, OfDecoderMaskedMultiHeadAttention) {
  DecoderStep growing(DecoderMasked(false), {}), shared(DecoderMasked(true), {}),
      keeping(DecoderMasked(true), WithCaches(kCapacity));
  EXPECT_EQ(keeping.converted().Count(schema::OpCode::Attention), 1);
  EXPECT_EQ(keeping.converted().Count(schema::OpCode::Softmax), 0);
  Random random(1);
  const auto empty = [](int64_t rows) {
    return Array<float>({1, kHeads, rows, kWidth},
                        std::vector<float>(static_cast<size_t>(rows * kHeads * kWidth), 7.0f));
  };
  StepInputs values, of_shared;
  values["past_key"] = values["past_value"] = empty(0);
  of_shared["past_key"] = of_shared["past_value"] = empty(kCapacity);
  for (int32_t past = 0; past < 6; ++past) {
    for (const char* name : {"q", "k", "v"}) {
      std::vector<float> row(kHeads * kWidth);
      random.Fill(row, -1, 1);
      values[name] = of_shared[name] = Array<float>({1, 1, kHeads * kWidth}, row);
    }
    values["past_length"] = of_shared["past_length"] = Array<int32_t>({1}, {past});
    const std::vector<float> expected = growing.Run(values);
    EXPECT_THAT(shared.Run(of_shared), ::testing::Pointwise(::testing::FloatNear(1e-5f), expected)) << past;
    EXPECT_THAT(keeping.Run(values), ::testing::Pointwise(::testing::FloatNear(1e-5f), expected)) << past;
    size_t i = 1;
    for (const char* name : {"past_key", "past_value"}) {
      values[name] = growing.Output(i);
      of_shared[name] = shared.Output(i++);
    }
  }
}

}  // namespace
}  // namespace micrort::testing::decoder::masks
