// Which operators on int16 tensors are computed in integers alone. TensorFlow Lite Micro has no kernels of
// int16 for those that are not, which are listed here: the list is there to get shorter.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "converter/pipeline/pipeline.h"
#include "tests/converter/tflite_int16_ops.h"
#include "tests/converter/tflite_opinion.h"

namespace micrort::testing::tflite_int16 {
namespace {

enum class Computed { kInIntegers, kInFloat, kNot };

const std::map<std::string, Computed> kExceptions = {
    {"ADD_N", Computed::kInFloat},
    {"CUMSUM", Computed::kInFloat},
    {"DIV", Computed::kInFloat},
    {"ELU", Computed::kInFloat},
    {"EXP", Computed::kInFloat},
    {"GELU", Computed::kInFloat},
    {"HARD_SWISH", Computed::kInFloat},
    {"L2_NORMALIZATION", Computed::kInFloat},
    {"L2_POOL_2D", Computed::kInFloat},
    {"LOG", Computed::kInFloat},
    {"LOG_SOFTMAX", Computed::kInFloat},
    {"NEG", Computed::kInFloat},
    {"QUANTIZE int16_to_uint8", Computed::kInFloat},
    {"QUANTIZE int32_to_int32", Computed::kInFloat},
    {"QUANTIZE int32_to_uint8", Computed::kInFloat},
    {"QUANTIZE uint8_to_int16", Computed::kInFloat},
    {"QUANTIZE uint8_to_int32", Computed::kInFloat},
    {"REDUCE_PROD", Computed::kInFloat},
    {"RESIZE_BILINEAR", Computed::kInFloat},
    {"SQRT", Computed::kInFloat},
    {"SQUARE", Computed::kInFloat},
};

bool HoldsFloats(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat64 || dtype == DType::kFloat16;
}

Computed HowComputed(const Int16Op& op, std::string* why) {
  ImportedTflite imported = ImportTflite(op.model().builder().Bytes());
  *why = imported.status.message();
  for (const auto& unsupported : imported.diagnostics.unsupported) *why += unsupported.reason;
  if (!imported.status.ok() || !imported.diagnostics.unsupported.empty()) return Computed::kNot;
  if (const Status s = passes::Optimize(imported.module, {}); !s.ok()) {
    *why = s.message();
    return Computed::kNot;
  }
  const ir::Graph& graph = imported.graph();
  for (const auto& node : graph.nodes) {
    const auto is_float = [&](ir::ValueId id) {
      return id != ir::kNoValue && HoldsFloats(graph.value(id).dtype);
    };
    if (std::any_of(node->inputs.begin(), node->inputs.end(), is_float) ||
        std::any_of(node->outputs.begin(), node->outputs.end(), is_float)) {
      *why = std::string(schema::EnumNameOpCode(node->code)) + " of floats";
      return Computed::kInFloat;
    }
  }
  return Computed::kInIntegers;
}

class TfliteInt16List : public ::testing::TestWithParam<Int16Op> {};

TEST_P(TfliteInt16List, ComputesInIntegersOrIsAnException) {
  const auto found = kExceptions.find(GetParam().name);
  const Computed expected = found == kExceptions.end() ? Computed::kInIntegers : found->second;
  std::string why;
  const Computed computed = HowComputed(GetParam(), &why);
  EXPECT_EQ(static_cast<int>(computed), static_cast<int>(expected))
      << GetParam().name << ": " << why << (found == kExceptions.end() ? "" : "; shorten the list");
}

std::string NameOf(const Int16Op& op) {
  std::string name = op.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}
std::string NameOfParam(const ::testing::TestParamInfo<Int16Op>& info) { return NameOf(info.param); }

INSTANTIATE_TEST_SUITE_P(Functions, TfliteInt16List, ::testing::ValuesIn(Int16Functions()), NameOfParam);
INSTANTIATE_TEST_SUITE_P(Layers, TfliteInt16List, ::testing::ValuesIn(Int16Layers()), NameOfParam);
INSTANTIATE_TEST_SUITE_P(Moves, TfliteInt16List, ::testing::ValuesIn(Int16Moves()), NameOfParam);
INSTANTIATE_TEST_SUITE_P(Conversions, TfliteInt16List, ::testing::ValuesIn(Int16Conversions()), NameOfParam);

// An exception of an operator that no longer is in the lists would stay for ever.
TEST(TfliteInt16Exceptions, NameOperatorsOfTheLists) {
  std::vector<std::string> names;
  for (const auto& list : {Int16Functions(), Int16Layers(), Int16Moves(), Int16Conversions()}) {
    for (const Int16Op& op : list) names.push_back(op.name);
  }
  for (const auto& [name, how] : kExceptions) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
}

// The package tfjs-tflite is of 2021: it has fewer kernels of int16 than TensorFlow Lite Micro has today. Its
// successor LiteRT computes those of the first list. For those of the second list it refuses the model
// (states), or it ends the run without an error and the outputs hold what was in memory before. EQUAL is
// among them because all its answers on random numbers are 0, which would look the same.
const std::set<std::string> kInLiteRtAlone = {"PRELU",
                                              "DIV",
                                              "GELU",
                                              "LOG",
                                              "TILE",
                                              "TOPK_V2",
                                              "SPACE_TO_BATCH_ND",
                                              "BATCH_TO_SPACE_ND",
                                              "MIRROR_PAD",
                                              "NOT_EQUAL",
                                              "LESS",
                                              "LESS_EQUAL",
                                              "GREATER",
                                              "GREATER_EQUAL",
                                              "QUANTIZE_uint8_to_int16",
                                              "QUANTIZE_int8_to_int16"};
const std::set<std::string> kInNeither = {"ADD_N",
                                          "CUMSUM",
                                          "SQUARED_DIFFERENCE",
                                          "RELU_N1_TO_1",
                                          "RELU_0_TO_1",
                                          "HARD_SWISH",
                                          "ELU",
                                          "EXP",
                                          "SQRT",
                                          "RSQRT",
                                          "SQUARE",
                                          "NEG",
                                          "LOG_SOFTMAX",
                                          "L2_NORMALIZATION",
                                          "UNIDIRECTIONAL_SEQUENCE_LSTM_of_16x8",
                                          "UNIDIRECTIONAL_SEQUENCE_LSTM_of_8x8_16",
                                          "L2_POOL_2D",
                                          "ARG_MAX",
                                          "ARG_MIN",
                                          "BROADCAST_TO",
                                          "ZEROS_LIKE",
                                          "DEPTH_TO_SPACE",
                                          "SPACE_TO_DEPTH",
                                          "EQUAL",
                                          "QUANTIZE_uint8_to_int32",
                                          "QUANTIZE_int8_to_int32",
                                          "QUANTIZE_int16_to_uint8",
                                          "QUANTIZE_int32_to_uint8",
                                          "QUANTIZE_int32_to_int32"};

// Operators that tfjs-tflite computes in another way than TensorFlow Lite Micro: sums and products without
// scales, functions of numbers in steps of 2^-12 without tables, and SVDF with states of int8, of which
// TensorFlow Lite has no kernel: that of int16 reads and writes the bytes of the state, and those of the
// weights that it is multiplied by, as int16 whatever their type is, beyond their end.
const std::set<std::string> kOtherThere = {"SUM", "REDUCE_PROD", "SVDF_of_int8_states", "LOGISTIC", "TANH"};

class TfliteSecondOpinionInt16 : public ::testing::Test {
 protected:
  void SetUp() override { MICRORT_NEEDS_TFLITE(); }

  void Compare(const std::vector<Int16Op>& ops) {
    for (const Int16Op& op : ops) {
      if (kOtherThere.count(NameOf(op)) == 0) opinion_.Add(NameOf(op), std::move(op.model().builder()), 1);
    }
    std::set<std::string> refused = kInLiteRtAlone;
    refused.insert(kInNeither.begin(), kInNeither.end());
    opinion_.Compare(refused);
  }

  TfliteOpinion opinion_;
};

TEST_F(TfliteSecondOpinionInt16, Functions) { Compare(Int16Functions()); }

TEST_F(TfliteSecondOpinionInt16, Layers) { Compare(Int16Layers()); }

TEST_F(TfliteSecondOpinionInt16, Moves) { Compare(Int16Moves()); }

TEST_F(TfliteSecondOpinionInt16, Conversions) { Compare(Int16Conversions()); }

class TfliteSecondOpinionLiteRtInt16 : public ::testing::Test {
 protected:
  void SetUp() override { MICRORT_NEEDS_TFLITE_PACKAGE(kLiteRt); }

  void Compare(const std::vector<Int16Op>& ops) {
    for (const Int16Op& op : ops) {
      if (kInLiteRtAlone.count(NameOf(op)) != 0 || std::string(op.name) == "SUM")
        opinion_.Add(NameOf(op), std::move(op.model().builder()), 1);
    }
    opinion_.Compare();
  }

  TfliteOpinion opinion_{TflitePackage::kLiteRt};
};

TEST_F(TfliteSecondOpinionLiteRtInt16, Functions) { Compare(Int16Functions()); }

TEST_F(TfliteSecondOpinionLiteRtInt16, Layers) { Compare(Int16Layers()); }

TEST_F(TfliteSecondOpinionLiteRtInt16, Moves) { Compare(Int16Moves()); }

TEST_F(TfliteSecondOpinionLiteRtInt16, Conversions) { Compare(Int16Conversions()); }

}  // namespace
}  // namespace micrort::testing::tflite_int16
