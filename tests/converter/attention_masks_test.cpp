// Masks of attention that are large negative numbers: a row of nothing else has the weights that its rounded
// sums have, as by an Add and a Softmax of their own.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "converter/pipeline/pipeline.h"
#include "tests/converter/graph_testing.h"
#include "tests/converter/onnx_builder.h"

namespace micrort::testing::attention_masks {
namespace {

constexpr int kHeads = 2, kDepth = 256, kKeys = 40;
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kLowest = std::numeric_limits<float>::lowest();

enum class Way {
  kOperators,
  kTwoMasks,
  kWhere,
  kWeightsToo,
  kAttention,
  kFlags,
  kMultiHead,
  kKeyPadding,
  kGrouped
};

struct MaskCase {
  Way way;
  int queries;
  float masked;
};

std::string NameOf(const ::testing::TestParamInfo<MaskCase>& info) {
  static const char* const kWays[] = {"Operators", "TwoMasks",  "Where",      "WeightsToo", "Attention",
                                      "Flags",     "MultiHead", "KeyPadding", "Grouped"};
  return kWays[static_cast<int>(info.param.way)] + std::string("Queries") +
         std::to_string(info.param.queries) + "Case" + std::to_string(info.index);
}

// Products that are too small to change a mask, one by one, but whose sums tell the keys apart.
Floats Operand(int rows, float first, float step, bool rows_first) {
  Floats x(static_cast<size_t>(kHeads * rows * kDepth));
  for (int h = 0; h < kHeads; ++h) {
    for (int r = 0; r < rows; ++r) {
      for (int d = 0; d < kDepth; ++d) {
        const int at = rows_first ? (r * kHeads + h) * kDepth + d : (h * rows + r) * kDepth + d;
        x[static_cast<size_t>(at)] = first + step * static_cast<float>(r + h);
      }
    }
  }
  return x;
}

class AttentionMasks : public ::testing::TestWithParam<MaskCase> {
 protected:
  int queries() const { return GetParam().queries; }
  bool HeadsAreInside() const { return GetParam().way >= Way::kMultiHead; }
  bool HasFlags() const {
    return GetParam().way == Way::kWhere || GetParam().way == Way::kFlags ||
           GetParam().way == Way::kKeyPadding;
  }

  // All keys of the first and of each third query are masked, else every second one.
  Floats Mask() const {
    Floats mask;
    for (int q = 0; q < queries(); ++q) {
      for (int k = 0; k < kKeys; ++k) {
        const bool masked = q % 3 == 0 || k % 2 == 1;
        mask.push_back(HasFlags() ? static_cast<float>(!masked) : masked ? GetParam().masked : 0.0f);
      }
    }
    if (GetParam().way == Way::kKeyPadding) mask.resize(kKeys);
    return mask;
  }

  std::map<std::string, Floats> Inputs() const {
    return {{"q", Operand(queries(), 0.02f, 0, HeadsAreInside())},
            {"k", Operand(kKeys, 0, 0.0006f, HeadsAreInside())},
            {"v", Operand(kKeys, -2, 0.1f, HeadsAreInside())},
            {"m", Mask()}};
  }

  OnnxBuilder Model() const {
    OnnxBuilder b(23);
    auto* contrib = b.model.add_opset_import();
    contrib->set_domain("com.microsoft");
    contrib->set_version(1);
    for (const char* name : {"q", "k", "v"}) {
      const std::string rows = std::to_string(name[0] == 'q' ? queries() : kKeys);
      if (HeadsAreInside()) b.Input(name, {"1", rows, std::to_string(kHeads * kDepth)});
      if (!HeadsAreInside()) b.Input(name, {"1", std::to_string(kHeads), rows, std::to_string(kDepth)});
    }
    const std::vector<std::string> of_mask = {std::to_string(queries()), std::to_string(kKeys)};
    switch (GetParam().way) {
      case Way::kOperators:
      case Way::kTwoMasks:
      case Way::kWhere:
      case Way::kWeightsToo:
        return Operators(b, of_mask);
      case Way::kAttention:
      case Way::kFlags:
        b.Input("m", of_mask, HasFlags() ? ::onnx::TensorProto::BOOL : ::onnx::TensorProto::FLOAT);
        return b.Node("Attention", {"q", "k", "v", "m"}, {"y"}).Float("scale", 1).Output("y");
      case Way::kMultiHead:
        b.Input("m", {"1", "1", of_mask[0], of_mask[1]});
        b.Node("MultiHeadAttention", {"q", "k", "v", "", "", "m"}, {"y"}).Int("num_heads", kHeads);
        break;
      case Way::kKeyPadding:
        b.Input("m", {"1", of_mask[1]}, ::onnx::TensorProto::INT32);
        b.Node("MultiHeadAttention", {"q", "k", "v", "", "m"}, {"y"}).Int("num_heads", kHeads);
        b.Float("mask_filter_value", GetParam().masked);
        break;
      case Way::kGrouped:
        b.Input("m", {"1", "1", of_mask[0], of_mask[1]});
        b.Narrow("last", ::onnx::TensorProto::INT32, {1}, {kKeys - 1});
        b.Narrow("total", ::onnx::TensorProto::INT32, {}, {kKeys});
        b.Node("GroupQueryAttention", {"q", "k", "v", "", "", "last", "total", "", "", "", "m"},
               {"y", "", ""});
        b.Int("num_heads", kHeads).Int("kv_num_heads", kHeads);
        break;
    }
    b.Float("scale", 1).Output("y");
    b.graph().mutable_node(b.graph().node_size() - 1)->set_domain("com.microsoft");
    return b;
  }

 private:
  OnnxBuilder Operators(OnnxBuilder b, const std::vector<std::string>& of_mask) const {
    const Way way = GetParam().way;
    const bool of_heads = way == Way::kWeightsToo;
    b.Node("Transpose", {"k"}, {"kt"}).Ints("perm", {0, 1, 3, 2}).Node("MatMul", {"q", "kt"}, {"s"});
    b.Floats("masked", {}, {GetParam().masked}).Floats("zero", {}, {0});
    b.Input("m", of_mask, HasFlags() ? ::onnx::TensorProto::BOOL : ::onnx::TensorProto::FLOAT);
    if (of_heads) b.Integers("heads", {4}, {1, kHeads, 1, 1}).Node("Expand", {"m", "heads"}, {"n"});
    if (way == Way::kWhere) b.Node("Where", {"m", "zero", "masked"}, {"n"});
    if (way == Way::kTwoMasks) b.Node("Add", {"s", "m"}, {"t"});
    b.Node("Add", {way == Way::kTwoMasks ? "t" : "s", way == Way::kWhere || of_heads ? "n" : "m"}, {"a"});
    b.Node("Softmax", {"a"}, {"w"}).Int("axis", -1).Node("MatMul", {"w", "v"}, {"y"});
    if (of_heads) b.Output("w");
    return b.Output("y");
  }
};

TEST_P(AttentionMasks, GiveWhatTheirOperatorsGive) {
  const OnnxBuilder b = Model();
  Imported plain = Import(b), fused = Import(b);
  ASSERT_TRUE(plain.status.ok()) << plain.status.message();
  ASSERT_EQ(CountOps(plain.graph(), schema::OpCode::Attention), 0);
  ASSERT_TRUE(passes::Optimize(fused.module, {}).ok());
  const int expected_count = GetParam().way == Way::kWeightsToo ? 0 : 1;
  ASSERT_EQ(CountOps(fused.graph(), schema::OpCode::Attention), expected_count) << Outline(fused.graph());
  std::map<std::string, Floats> expected, found;
  const Status by_operators = Evaluate(plain.graph(), Inputs(), &expected);
  ASSERT_TRUE(by_operators.ok()) << by_operators.message();
  const Status by_one = Evaluate(fused.graph(), Inputs(), &found);
  ASSERT_TRUE(by_one.ok()) << by_one.message();
  ASSERT_EQ(expected["y"].size(), found["y"].size());
  for (size_t i = 0; i < expected["y"].size(); ++i) {
    const float e = expected["y"][i], f = found["y"][i];
    if (std::isnan(e) && std::isnan(f)) continue;
    // Scores near a mask of -10,000 are multiples of 1/1024; which is the nearest may differ.
    ASSERT_NEAR(e, f, 1e-3f) << "element " << i;
  }
}

std::vector<MaskCase> Cases() {
  std::vector<MaskCase> cases;
  for (int way = 0; way <= static_cast<int>(Way::kGrouped); ++way) {
    for (const int queries : {1, 40}) {
      if (static_cast<Way>(way) == Way::kGrouped && queries == 1) continue;
      for (const float masked : {kMinusInfinity, kLowest, -1e9f, -1e4f})
        cases.push_back({static_cast<Way>(way), queries, masked});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Kinds, AttentionMasks, ::testing::ValuesIn(Cases()), NameOf);

}  // namespace
}  // namespace micrort::testing::attention_masks
