// mnnconvert --kv-cache: attention as exporters write it out, and caches of fixed size.

#include <gmock/gmock.h>

#include <limits>

#include "tests/converter/decoder_rows.h"

namespace micrort::testing::decoder {
namespace {

using ::testing::HasSubstr;

enum class Mask {
  kProduct,  // the smallest float times a condition, and that of attention_mask
  kSelect,   // -infinity where a condition does not hold
  kWindow,   // of these, the last four are seen
  kOthers,   // of these, those that are among the last four of all are seen
  kAhead,    // the position behind is seen, too
};

// [1,heads,new,width] of an input [1,new,heads * width].
void SplitHeads(OnnxBuilder& b, const std::string& name, int heads) {
  b.Integers(name + "_split", {4}, {0, 0, heads, kWidth});
  b.Node("Reshape", {name, name + "_split"}, {name + "_rows"});
  b.Node("Transpose", {name + "_rows"}, {name + "_heads"}).Ints("perm", {0, 2, 1, 3});
}

// A cache, and its rows for each head of the query: "copied_key".
void CopyHeads(OnnxBuilder& b, const std::string& rows, const std::string& kind) {
  const std::string past = "past_" + kind, present = "present_" + kind;
  b.Node("Concat", {past, rows}, {present}).Int("axis", 2);
  b.Node("Unsqueeze", {present, "two"}, {kind + "_one"});
  b.Node("Shape", {present}, {kind + "_shape"});
  b.Node("Gather", {kind + "_shape", "two"}, {kind + "_count"});
  b.Node("Concat", {"head_sizes", kind + "_count", "width"}, {kind + "_sizes"}).Int("axis", 0);
  b.Node("Expand", {kind + "_one", kind + "_sizes"}, {kind + "_copies"});
  b.Node("Reshape", {kind + "_copies", "joined"}, {"copied_" + kind});
}

// "mask" [1,1,new,all].
void AddMask(OnnxBuilder& b, Mask mask) {
  b.Integers("second", {}, {1}).Integers("third", {}, {2}).Integers("zero", {}, {0}).Integers("one", {}, {1});
  b.Integers("first_axis", {1}, {0}).Integers("second_axis", {1}, {1}).Integers("both_axes", {2}, {0, 1});
  b.Node("Shape", {"q"}, {"q_shape"}).Node("Gather", {"q_shape", "second"}, {"new"});
  b.Node("Shape", {"past_key"}, {"past_shape"}).Node("Gather", {"past_shape", "third"}, {"before"});
  b.Node("Add", {"before", "new"}, {"all"});
  b.Node("Range", {"zero", "all", "one"}, {"keys_flat"}).Node("Range", {"zero", "new", "one"}, {"queries"});
  b.Node("Add", {"before", mask == Mask::kAhead ? "one" : "zero"}, {"last"});
  b.Node("Add", {"queries", "last"}, {"at"});
  b.Node("Unsqueeze", {"keys_flat", "first_axis"}, {"keys"})
      .Node("Unsqueeze", {"at", "second_axis"}, {"rows"});
  const float lowest = std::numeric_limits<float>::lowest();
  b.Floats("lowest", {}, {lowest}).Floats("none", {}, {0}).Floats("all_of_it", {}, {1});
  b.Floats("infinity", {}, {-std::numeric_limits<float>::infinity()});
  if (mask == Mask::kProduct || mask == Mask::kAhead) {
    b.Node("Greater", {"keys", "rows"}, {"later"}).Node("Cast", {"later"}, {"flags"}).Int("to", 1);
    b.Node("Unsqueeze", {"new", "first_axis"}, {"new_axis"});
    b.Node("Unsqueeze", {"all", "first_axis"}, {"all_axis"});
    b.Node("Concat", {"new_axis", "all_axis"}, {"mask_shape"}).Int("axis", 0);
    b.Node("Expand", {"lowest", "mask_shape"}, {"full"}).Node("Mul", {"full", "flags"}, {"causal"});
    b.Node("Unsqueeze", {"causal", "both_axes"}, {"causal4"});
    b.Integers("middle_axes", {2}, {1, 2}).Node("Unsqueeze", {"attention_mask", "middle_axes"}, {"given4"});
    b.Node("Cast", {"given4"}, {"given"}).Int("to", 1).Node("Sub", {"all_of_it", "given"}, {"left_out"});
    b.Node("Mul", {"left_out", "lowest"}, {"padding"}).Node("Add", {"causal4", "padding"}, {"sum"});
    b.Node("Max", {"sum", "lowest"}, {"mask"});
    return;
  }
  b.Node("LessOrEqual", {"keys", "rows"}, {"seen"});
  const bool has_window = mask == Mask::kWindow || mask == Mask::kOthers;
  if (has_window) {
    b.Integers("window", {}, {4}).Node("Sub", {mask == Mask::kWindow ? "rows" : "all", "window"}, {"first"});
    b.Node("Greater", {"keys", "first"}, {"near"}).Node("And", {"seen", "near"}, {"shown"});
  }
  b.Node("Where", {has_window ? "shown" : "seen", "none", "infinity"}, {"flat"});
  b.Node("Unsqueeze", {"flat", "both_axes"}, {"mask"});
}

OnnxBuilder WrittenOut(Mask mask, float softcap = 0) {
  OnnxBuilder b = Operands(17);
  b.Input("attention_mask", {"batch", "all"}, ::onnx::TensorProto::INT64);
  b.Integers("two", {1}, {2}).Integers("width", {1}, {kWidth});
  b.Integers("head_sizes", {3}, {1, kGroups, kHeads / kGroups});
  b.Integers("joined", {4}, {1, kHeads, -1, kWidth});
  SplitHeads(b, "q", kHeads);
  for (const auto& [rows, kind] : {std::pair("k", "key"), std::pair("v", "value")}) {
    SplitHeads(b, rows, kGroups);
    CopyHeads(b, std::string(rows) + "_heads", kind);
  }
  AddMask(b, mask);
  b.Floats("root", {}, {2.8284271f}).Integers("merged", {3}, {0, 0, kHeads * kWidth});
  b.Node("Transpose", {"copied_key"}, {"turned"}).Ints("perm", {0, 1, 3, 2});
  b.Node("MatMul", {"q_heads", "turned"}, {"products"}).Node("Div", {"products", "root"}, {"scores"});
  std::string capped = "scores";
  if (softcap != 0) {
    b.Floats("softcap", {}, {softcap}).Node("Div", {"scores", "softcap"}, {"parts"});
    b.Node("Tanh", {"parts"}, {"tanh"}).Node("Mul", {"tanh", "softcap"}, {"capped"});
    capped = "capped";
  }
  b.Node("Add", {capped, "mask"}, {"masked"}).Node("Softmax", {"masked"}, {"weights"}).Int("axis", -1);
  b.Node("MatMul", {"weights", "copied_value"}, {"attended"});
  b.Node("Transpose", {"attended"}, {"attended_rows"}).Ints("perm", {0, 2, 1, 3});
  b.Node("Reshape", {"attended_rows", "merged"}, {"y"});
  return b;
}

// Operators that count the rows of caches.
constexpr int kOfLengths = 2;

TEST(KeepCachesWrittenOut, AreTheSame) {
  for (const Mask mask : {Mask::kProduct, Mask::kSelect, Mask::kWindow}) {
    SCOPED_TRACE(static_cast<int>(mask));
    ExpectSameWithCaches(WrittenOut(mask));
  }
}

TEST(KeepCachesWrittenOut, MayCapScores) {
  for (const float softcap : {0.5f, 30.0f}) {
    for (const Mask mask : {Mask::kProduct, Mask::kWindow}) {
      ExpectSameWithCaches(WrittenOut(mask, softcap));
      DecoderStep decoder(WrittenOut(mask, softcap), WithCaches(kCapacity));
      EXPECT_EQ(decoder.converted().Count(schema::OpCode::Attention), 1);
      EXPECT_EQ(decoder.converted().Count(schema::OpCode::Unary), 0);
      EXPECT_EQ(decoder.converted().Count(schema::OpCode::Binary), kOfLengths);
    }
  }
}

TEST(KeepCachesWrittenOut, AreRingsOfAWindow) {
  for (const DType type : {DType::kFloat32, DType::kFloat16, DType::kInt8})
    ExpectSameWithRings(WrittenOut(Mask::kWindow), 4, type, type == DType::kFloat32 ? 1e-5f : 2e-2f);
}

TEST(KeepCachesWrittenOut, AreReadInPlaceByHeadsThatShareThem) {
  for (const Mask mask : {Mask::kProduct, Mask::kSelect, Mask::kWindow}) {
    SCOPED_TRACE(static_cast<int>(mask));
    DecoderStep decoder(WrittenOut(mask), WithCaches(kCapacity));
    const Converted& model = decoder.converted();
    EXPECT_EQ(model.Count(schema::OpCode::Attention), 1);
    EXPECT_EQ(model.Count(schema::OpCode::Append), 2);
    for (const schema::OpCode code :
         {schema::OpCode::Softmax, schema::OpCode::Expand, schema::OpCode::Select, schema::OpCode::Range})
      EXPECT_EQ(model.Count(code), 0) << static_cast<int>(code);
    EXPECT_EQ(model.Count(schema::OpCode::Binary), kOfLengths);
  }
}

// What hides more than later positions and those before a window, or less, stays a mask.
TEST(KeepCachesWrittenOut, KeepMasksThatSayMore) {
  for (const Mask mask : {Mask::kAhead, Mask::kOthers}) {
    SCOPED_TRACE(static_cast<int>(mask));
    DecoderStep decoder(WrittenOut(mask), WithCaches(kCapacity));
    EXPECT_EQ(decoder.converted().Count(schema::OpCode::Attention), 1);
    EXPECT_GT(decoder.converted().Count(schema::OpCode::Binary), kOfLengths);
  }
}

// Rows of caches of halves and int8 are read in place, too.
TEST(KeepCachesWrittenOut, MayBeNarrow) {
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    ConvertOptions options = WithCaches(kCapacity);
    options.kv_type = type;
    DecoderStep floats(WrittenOut(Mask::kProduct), WithCaches(kCapacity)),
        narrow(WrittenOut(Mask::kProduct), options);
    EXPECT_EQ(narrow.converted().Count(schema::OpCode::ReadCache), 0);
    Random random(3);
    for (const int count : {7, 1, 1, 2}) {
      const StepInputs rows = NewRows(count, random);
      EXPECT_THAT(narrow.Run(rows), ::testing::Pointwise(::testing::FloatNear(2e-2f), floats.Run(rows)));
    }
  }
}

// Caches of kCapacity rows, into which TensorScatter writes.
OnnxBuilder OfFixedSize(const std::string& mode = "linear") {
  OnnxBuilder b(24);
  const auto width = [](int heads) { return std::to_string(heads * kWidth); };
  b.Input("q", {"1", "new", width(kHeads)}).Input("k", {"1", "new", width(kGroups)});
  b.Input("v", {"1", "new", width(kGroups)});
  for (const char* name : {"past_key", "past_value"})
    b.Input(name, {"1", std::to_string(kGroups), std::to_string(kCapacity), std::to_string(kWidth)});
  for (const char* name : {"write_index", "valid"}) b.Input(name, {"1"}, ::onnx::TensorProto::INT64);
  SplitHeads(b, "q", kHeads);
  for (const auto& [rows, kind] : {std::pair("k", "key"), std::pair("v", "value")}) {
    SplitHeads(b, rows, kGroups);
    const std::string past = std::string("past_") + kind, present = std::string("present_") + kind;
    b.Node("TensorScatter", {past, std::string(rows) + "_heads", "write_index"}, {present});
    b.Int("axis", -2).String("mode", mode);
  }
  b.Integers("merged", {3}, {0, 0, kHeads * kWidth});
  b.Node("Attention", {"q_heads", "present_key", "present_value", "", "", "", "valid"}, {"attended"});
  b.Int("is_causal", 1);
  b.Node("Transpose", {"attended"}, {"attended_rows"}).Ints("perm", {0, 2, 1, 3});
  b.Node("Reshape", {"attended_rows", "merged"}, {"y"});
  return b;
}

TEST(KeepCachesOfFixedSize, AreAppendedTo) {
  DecoderStep plain(OfFixedSize(), {}), keeping(OfFixedSize(), WithCaches(kCapacity));
  EXPECT_EQ(keeping.interpreter().input_count(), 3u);
  EXPECT_EQ(keeping.converted().Count(schema::OpCode::Append), 2);
  EXPECT_EQ(keeping.converted().Count(schema::OpCode::Attention), 1);
  EXPECT_EQ(keeping.converted().Count(schema::OpCode::Softmax), 0);
  Random random(1);
  StepInputs values;
  values["past_key"] = values["past_value"] = Array<float>(
      {1, kGroups, kCapacity, kWidth}, std::vector<float>(static_cast<size_t>(kGroups * kCapacity * kWidth)));
  int64_t total = 0;
  for (const int count : {5, 1, 1, 3, 1}) {
    for (auto& [name, rows] : NewRows(count, random)) values[name] = rows;
    values["write_index"] = Array<int64_t>({1}, {total});
    total += count;
    values["valid"] = Array<int64_t>({1}, {total});
    EXPECT_THAT(keeping.Run(values), ::testing::Pointwise(::testing::FloatNear(1e-5f), plain.Run(values)));
    values["past_key"] = plain.Output(1);
    values["past_value"] = plain.Output(2);
    EXPECT_EQ(keeping.interpreter().StateLength(), static_cast<size_t>(total));
  }
}

TEST(KeepCachesOfFixedSize, RefusesRingsAndMasks) {
  OnnxBuilder ring = OfFixedSize("circular");
  EXPECT_THAT(Converted(ring, {"y", "present_key", "present_value"}, WithCaches(4)).status(),
              IsError(StatusCode::kUnsupported, HasSubstr("cache 'past_key', which node")));
  OnnxBuilder masked = OfFixedSize();
  masked.Input("mask", {"1", "1", "1", std::to_string(kCapacity)});
  for (auto& node : *masked.graph().mutable_node()) {
    if (node.op_type() == "Attention") node.set_input(3, "mask");
  }
  EXPECT_THAT(Converted(masked, {"y", "present_key", "present_value"}, WithCaches(4)).status(),
              IsError(StatusCode::kUnsupported, HasSubstr("a mask of all rows of a cache of fixed size")));
}

}  // namespace
}  // namespace micrort::testing::decoder
