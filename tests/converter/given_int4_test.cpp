// 4-bit weights of a source model: their integers are kept, whatever the layer computes in.

#include "converter/quantize/given_int4.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/quantize/int4_weights.h"
#include "converter/quantize/weight_only.h"
#include "kernels/base/int4.h"
#include "tests/converter/onnx_builder.h"

namespace micrort::quantize::given_int4 {
namespace {

using micrort::testing::Import;
using micrort::testing::Imported;
using micrort::testing::OnnxBuilder;
using ::testing::Each;

constexpr int64_t kDepth = 96, kColumns = 3, kBlock = 32, kBlocks = kDepth / kBlock;
// One is negative, and one of a group of zeros.
const std::vector<float> kScales = {0.25f, -0.5f, 0.1f, 0.3f, 0.0f, 0.7f, 0.2f, 0.9f, 1.5f};

int GivenInteger(int64_t i) { return static_cast<int>(i * 7 % 16); }

OnnxBuilder Product(bool has_zero_points, int bits = 4) {
  OnnxBuilder builder(17);
  builder.model.add_opset_import()->set_domain("com.microsoft");
  builder.model.mutable_opset_import(1)->set_version(1);
  const auto add_bytes = [&](const char* name, const std::string& bytes) {
    onnx::TensorProto& t = *builder.graph().add_initializer();
    t.set_name(name);
    t.set_data_type(onnx::TensorProto::UINT8);
    t.add_dims(static_cast<int64_t>(bytes.size()));
    t.set_raw_data(bytes);
  };
  std::string bytes(static_cast<size_t>(kDepth * kColumns * bits / 8), '\0');
  for (int64_t i = 0; i < kDepth * kColumns; ++i) {
    const int integer = GivenInteger(i) & ((1 << bits) - 1);
    char& byte = bytes[static_cast<size_t>(i * bits / 8)];
    byte = static_cast<char>(byte | integer << (i * bits % 8));
  }
  add_bytes("w", bytes);
  add_bytes("z", std::string("\x38\x09\xf8\x01\x53\x04", 6));
  builder.Input("x", {"1", std::to_string(kDepth)}).Floats("s", {kColumns * kBlocks}, kScales);
  builder.Node("MatMulNBits", {"x", "w", "s"}, {"y"}).Output("y");
  if (has_zero_points) builder.graph().mutable_node(0)->add_input("z");
  builder.Int("K", kDepth).Int("N", kColumns).Int("bits", bits).Int("block_size", kBlock);
  builder.graph().mutable_node(0)->set_domain("com.microsoft");
  return builder;
}

// What int4 stand for, one column a row.
std::vector<float> FloatsOf(const ir::Value& weights) {
  const ir::Quantization& q = weights.quantization;
  std::vector<float> floats;
  for (int64_t i = 0; i < kDepth * kColumns; ++i) {
    const auto at = static_cast<size_t>(i / kBlock);
    const int zero_point = q.zero_points.empty() ? 0 : q.zero_points[at];
    floats.push_back(static_cast<float>(ReadInt4(weights.data->data(), i) - zero_point) * q.scales[at]);
  }
  return floats;
}

std::vector<float> FloatsIn(const ir::Value& weights) {
  return {weights.as<float>(), weights.as<float>() + weights.elements()};
}

const ir::Value& WeightsOf(const ir::Graph& graph) {
  return graph.value(graph.nodes[0]->inputs[kLayerWeights]);
}

void ExpectKept(const OnnxBuilder& builder) {
  Imported imported = Import(builder);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ir::Graph& graph = imported.graph();
  ASSERT_EQ(graph.nodes.size(), 1u);
  const std::vector<float> floats = FloatsIn(WeightsOf(graph));
  EXPECT_EQ(StoreGivenInt4(&graph, false).kept, 1);
  EXPECT_EQ(WeightsOf(graph).dtype, DType::kInt4);
  EXPECT_EQ(FloatsOf(WeightsOf(graph)), floats);
  EXPECT_THAT(WeightsOf(graph).quantization.scales, Each(::testing::Gt(0.0f)));
  EXPECT_EQ(graph.nodes[0]->as<schema::MatMulOptionsT>().compute, schema::WeightCompute::Float);
}

TEST(GivenInt4, ProductsKeepTheirIntegers) {
  ExpectKept(Product(false));
  ExpectKept(Product(true));
  ExpectKept(Product(false, 2));
}

// Rounding on random inputs and scales that are multiples of one move other weights.
TEST(GivenInt4, RoundingLeavesThemAlone) {
  for (const bool dynamic : {false, true}) {
    Imported imported = Import(Product(true));
    ir::Graph& graph = imported.graph();
    const std::vector<float> floats = FloatsIn(WeightsOf(graph));
    WeightCorrection tools;
    tools.dynamic_inputs = dynamic;
    Report report;
    StoreWeights(&graph, LayerType::kInt4Weights, {}, tools, &report);
    EXPECT_EQ(report.quantized, 1);
    EXPECT_EQ(FloatsOf(WeightsOf(graph)), floats);
  }
}

TEST(GivenInt4, OtherFloatsAreNoneOfThem) {
  Imported imported = Import(Product(false));
  ir::Graph& graph = imported.graph();
  ir::Value changed = WeightsOf(graph);
  std::vector<float> floats = FloatsIn(changed);
  floats[41] *= 1.01f;
  const ir::ValueId id = graph.AddConstantOf("changed", changed.shape, floats);
  graph.value(id).source_quantization = changed.source_quantization;
  graph.nodes[0]->inputs[kLayerWeights] = id;
  EXPECT_EQ(StoreGivenInt4(&graph, false).kept, 0);
  EXPECT_EQ(WeightsOf(graph).dtype, DType::kFloat32);
}

TEST(GivenInt4, HalfStepsAreKeptAsFloats) {
  OnnxBuilder builder = Product(false);
  std::vector<float> zero_points(static_cast<size_t>(kColumns * kBlocks), 7.5f);
  builder.Floats("f", {kColumns * kBlocks}, zero_points);
  builder.graph().mutable_node(0)->add_input("f");
  Imported imported = Import(builder);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  EXPECT_EQ(StoreGivenInt4(&imported.graph(), false).kept, 0);
}

// [K,N] with blocks along K, and [N,K] with blocks along K that is transposed.
TEST(GivenInt4, BlocksOfDequantizeLinearKeepTheirIntegers) {
  constexpr int kUInt4 = 21, kInt4 = 22;  // of ONNX 1.16
  for (const int type : {kUInt4, kInt4}) {
    for (const bool transposed : {false, true}) {
      OnnxBuilder builder(21);
      std::vector<int32_t> bytes;
      for (int64_t i = 0; i < kDepth * kColumns; i += 2)
        bytes.push_back(GivenInteger(i) | GivenInteger(i + 1) << 4);
      const std::vector<int64_t> shape =
          transposed ? std::vector<int64_t>{kColumns, kDepth} : std::vector<int64_t>{kDepth, kColumns};
      const std::vector<int64_t> blocks =
          transposed ? std::vector<int64_t>{kColumns, kBlocks} : std::vector<int64_t>{kBlocks, kColumns};
      builder.Input("x", {"1", std::to_string(kDepth)}).Narrow("w", type, shape, bytes);
      builder.Floats("s", blocks, kScales).Node("DequantizeLinear", {"w", "s"}, {"f"});
      builder.Int("axis", transposed ? 1 : 0).Int("block_size", kBlock);
      if (transposed) builder.Node("Transpose", {"f"}, {"t"}).Ints("perm", {1, 0});
      builder.Node("MatMul", {"x", transposed ? "t" : "f"}, {"y"}).Output("y");
      Imported imported = Import(builder);
      ASSERT_TRUE(imported.status.ok()) << imported.status.message();
      ir::Graph& graph = imported.graph();
      ASSERT_EQ(graph.nodes.size(), 1u);
      const std::vector<float> floats = FloatsIn(WeightsOf(graph));
      const bool turned = graph.nodes[0]->as<schema::MatMulOptionsT>().transpose_b;
      ASSERT_EQ(StoreGivenInt4(&graph, false).kept, 1);
      const std::vector<float> kept = FloatsOf(WeightsOf(graph));
      for (int64_t n = 0; n < kColumns; ++n) {
        for (int64_t k = 0; k < kDepth; ++k) {
          ASSERT_EQ(kept[static_cast<size_t>(n * kDepth + k)],
                    floats[static_cast<size_t>(turned ? n * kDepth + k : k * kColumns + n)]);
        }
      }
    }
  }
}

TEST(GivenInt4, ProductsOfIntegersAreGrouped) {
  Imported imported = Import(Product(true));
  ir::Graph& graph = imported.graph();
  ASSERT_EQ(StoreGivenInt4(&graph, false).kept, 1);
  EXPECT_EQ(DynamicComputeOfInt4(graph, *graph.nodes[0]), schema::WeightCompute::GroupedInt8);
}

// A few columns do not pay for quantizing the input.
// 0.1 is none.
TEST(GivenInt4, ScalesThatNoHalfHoldsAreCounted) {
  Imported imported = Import(Product(true));
  ASSERT_EQ(StoreGivenInt4(&imported.graph(), false).kept, 1);
  EXPECT_EQ(CountFloatScales(imported.graph()), 1);
}

TEST(GivenInt4, SmallProductsStayInFloat) {
  Imported imported = Import(Product(true));
  ir::Graph& graph = imported.graph();
  const GivenLayers layers = StoreGivenInt4(&graph, true);
  EXPECT_EQ(layers.kept, 1);
  EXPECT_EQ(layers.in_integers, 0);
  EXPECT_EQ(graph.nodes[0]->as<schema::MatMulOptionsT>().compute, schema::WeightCompute::Float);
}

}  // namespace
}  // namespace micrort::quantize::given_int4
