// Tables of embeddings in fewer bits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "converter/ir/infer.h"
#include "converter/quantize/tables.h"
#include "converter/quantize/weight_only.h"
#include "tests/converter/graph_testing.h"

namespace micrort::quantize {
namespace {

using testing::TestGraph;

// Rows of a table by the indices that the input gives.
struct TableGraph : TestGraph {
  explicit TableGraph(std::vector<int64_t> shape = {40, 64}) : table(Weights("table", std::move(shape))) {
    indices = Input("indices", {1, 3});
    graph.value(indices).dtype = DType::kInt64;
    rows = Node("rows", schema::GatherOptionsT(), {table, indices});
    graph.outputs = {rows};
  }
  void AddHead(bool transpose) {
    schema::MatMulOptionsT options;
    options.transpose_b = transpose;
    graph.outputs.push_back(Node("head", std::move(options),
                                 {Input("x", {1, graph.value(table).shape[transpose ? 1 : 0]}), table}));
  }
  Report Store(LayerType type, const LayerTypes& exceptions = {}) {
    EXPECT_TRUE(ir::InferShapes(graph).ok());
    Report report;
    StoreWeights(&graph, type, exceptions, {}, &report);
    EXPECT_TRUE(ir::InferShapes(graph).ok());
    EXPECT_EQ(graph.value(rows).dtype, DType::kFloat32);
    return report;
  }
  const ir::Value& Stored() const { return graph.value(graph.nodes[0]->inputs[0]); }

  ir::ValueId table, indices, rows;
};

TEST(Tables, AreStoredInTheTypeOfLayers) {
  for (const LayerType type : {LayerType::kInt8, LayerType::kInt8Weights}) {
    TableGraph g;
    EXPECT_TRUE(g.Store(type).exceptions.empty());
    EXPECT_EQ(g.Stored().dtype, DType::kInt8);
    EXPECT_EQ(g.Stored().quantization.axis, 0);
    EXPECT_EQ(g.Stored().quantization.scales.size(), 40u);
  }
  TableGraph half;
  half.Store(LayerType::kFloat16);
  EXPECT_EQ(half.Stored().dtype, DType::kFloat16);
  TableGraph int4;
  int4.Store(LayerType::kInt4Weights);
  EXPECT_EQ(int4.Stored().dtype, DType::kInt4);
  EXPECT_EQ(int4.Stored().shape, (std::vector<int64_t>{40, 32}));
  EXPECT_EQ(int4.Stored().quantization.scales.size(), 80u);
}

TEST(Tables, AreInt8WhereInt4CannotHoldThem) {
  TableGraph g({40, 33});
  const Report report = g.Store(LayerType::kInt4Weights);
  EXPECT_EQ(g.Stored().dtype, DType::kInt8);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_EQ(report.exceptions[0].reason, "int8 weights: an odd number of input channels");
}

TEST(Tables, ThatAHeadReadsTooAreOneCopy) {
  for (const LayerType type :
       {LayerType::kFloat16, LayerType::kInt8, LayerType::kInt8Weights, LayerType::kInt4Weights}) {
    TableGraph g;
    g.AddHead(true);
    const Report report = g.Store(type);
    EXPECT_EQ(report.layers, 1);
    EXPECT_EQ(report.quantized, type == LayerType::kInt4Weights ? 0 : 1);  // below
    EXPECT_NE(g.Stored().dtype, DType::kFloat32);
    EXPECT_EQ(g.graph.nodes[0]->inputs[0], g.graph.nodes[1]->inputs[1]);
  }
}

TEST(Tables, WhoseHeadScoresThemLeaveItEightBits) {
  TableGraph tied;
  tied.AddHead(true);
  const Report report = tied.Store(LayerType::kInt4Weights);
  EXPECT_EQ(tied.Stored().dtype, DType::kInt8);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_EQ(report.exceptions[0].node, "head");
  EXPECT_EQ(report.exceptions[0].reason, "int8 weights: its sums are scores of a table's rows");

  TableGraph asked;
  asked.AddHead(true);
  asked.Store(LayerType::kInt4Weights, {{"head", LayerType::kInt4Weights}});
  EXPECT_EQ(asked.Stored().dtype, DType::kInt4);

  const auto type_of_product = [](const std::vector<int64_t>& weights, bool is_output) {
    TableGraph g;
    schema::MatMulOptionsT options;
    options.transpose_b = true;
    const ir::ValueId y =
        g.Node("product", std::move(options), {g.Input("x", {1, 64}), g.Weights("w", weights)});
    const ir::ValueId scaled = g.Unary("tanh", schema::UnaryKind::Tanh, y);
    const auto next = [&] {
      return g.Node("next", schema::MatMulOptionsT(), {scaled, g.Weights("v", {weights[0], 8})});
    };
    g.graph.outputs.push_back(is_output ? scaled : next());
    g.Store(LayerType::kInt4Weights);
    EXPECT_EQ(g.Stored().dtype, DType::kInt4);
    return g.graph.value(g.graph.nodes[1]->inputs[1]).dtype;
  };
  EXPECT_EQ(type_of_product({40, 64}, true), DType::kInt8);  // a matrix of its own
  EXPECT_EQ(type_of_product({40, 64}, false), DType::kInt4);
  EXPECT_EQ(type_of_product({42, 64}, true), DType::kInt4);
}

// Also where turning the head's weights gives them the table's shape.
TEST(Tables, WhoseHeadHasRowsForInputsAreOnesOfTheirOwn) {
  TableGraph square({64, 64});
  square.AddHead(false);
  square.Store(LayerType::kInt4Weights);
  EXPECT_EQ(square.Stored().dtype, DType::kInt4);
  EXPECT_NE(square.graph.nodes[0]->inputs[0], square.graph.nodes[1]->inputs[1]);
  TableGraph g;
  g.AddHead(false);
  g.Store(LayerType::kInt8Weights);
  EXPECT_EQ(g.Stored().quantization.axis, 0);
  EXPECT_EQ(g.graph.value(g.graph.nodes[1]->inputs[1]).quantization.axis, 1);
}

TEST(Tables, StayAsALayerThatReadsThemDoes) {
  TableGraph g;
  g.AddHead(true);
  g.Store(LayerType::kInt8Weights, {{"head", LayerType::kFloat32}});
  EXPECT_EQ(g.Stored().dtype, DType::kFloat32);
  TableGraph half;
  half.AddHead(true);
  half.Store(LayerType::kInt8Weights, {{"head", LayerType::kFloat16}});
  EXPECT_EQ(half.Stored().dtype, DType::kFloat16);
}

TEST(Tables, HaveTypesOfTheirOwnWhereThatIsAsked) {
  TableGraph g;
  const Report report = g.Store(LayerType::kInt4Weights, {{"rows", LayerType::kInt8}});
  EXPECT_EQ(g.Stored().dtype, DType::kInt8);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_EQ(report.exceptions[0].node, "rows");
  TableGraph plain;
  plain.Store(LayerType::kInt8, {{"rows", LayerType::kFloat32}});
  EXPECT_EQ(plain.Stored().dtype, DType::kFloat32);
}

TEST(Tables, WithOutliersStayHalf) {
  TableGraph g;
  ir::Value& value = g.graph.value(g.table);
  auto bytes = std::make_shared<ir::Bytes>(*value.data);
  for (size_t row = 0; row < 40; ++row) reinterpret_cast<float*>(bytes->data())[row * 64] = 20.0f;
  value.data = bytes;
  const Report report = g.Store(LayerType::kInt8Weights);
  EXPECT_EQ(g.Stored().dtype, DType::kFloat16);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_EQ(report.exceptions[0].op, "Gather");
}

template <typename F>
DType TypeOfTable(F element, LayerType type) {
  TableGraph g;
  ir::Value& value = g.graph.value(g.table);
  auto bytes = std::make_shared<ir::Bytes>(*value.data);
  auto* const x = reinterpret_cast<float*>(bytes->data());
  for (int64_t i = 0; i < value.elements(); ++i)
    x[i] = element(static_cast<float>(i / 64), static_cast<float>(i % 64));
  value.data = bytes;
  g.graph.outputs = {g.Binary("product", schema::BinaryKind::Mul, g.rows, g.Input("x", {1, 3, 64}))};
  g.Store(type);
  return g.Stored().dtype;
}

float Angle(float position, float channel) { return position * std::pow(100.0f, -channel / 64); }

TEST(Tables, OfRotaryPositionsStayAsTheyAre) {
  const auto cosine = [](float p, float c) { return std::cos(Angle(p, c)); };
  const auto longer = [](float p, float c) { return 1.5f * std::cos(Angle(p, c)); };
  const auto sine = [](float p, float c) { return std::sin(Angle(p, c)); };
  const auto padded = [](float p, float c) { return p == 0 ? 0 : std::sin(100 * p * p + c); };
  const auto bent = [&](float p, float c) { return p == 3 && c == 5 ? 0.5f : cosine(p, c); };
  const auto zeros = [](float, float) { return 0.0f; };
  for (const LayerType type : {LayerType::kInt8, LayerType::kInt8Weights, LayerType::kInt4Weights}) {
    EXPECT_EQ(TypeOfTable(cosine, type), DType::kFloat32);
    EXPECT_EQ(TypeOfTable(longer, type), DType::kFloat32);  // of longer contexts
    EXPECT_EQ(TypeOfTable(sine, type), DType::kFloat32);
    EXPECT_NE(TypeOfTable(padded, type), DType::kFloat32);  // embeddings that a mask multiplies
    EXPECT_NE(TypeOfTable(bent, type), DType::kFloat32);
    EXPECT_NE(TypeOfTable(zeros, type), DType::kFloat32);
  }
  EXPECT_EQ(TypeOfTable(cosine, LayerType::kFloat16), DType::kFloat16);
}

// Rows of coordinates are short, and what others read, or another axis, is no table.
TEST(Tables, AreNoOtherConstants) {
  TableGraph narrow({40, 3});
  narrow.Store(LayerType::kInt8);
  EXPECT_EQ(narrow.Stored().dtype, DType::kFloat32);
  TableGraph output;
  output.graph.outputs.push_back(output.table);
  output.Store(LayerType::kFloat16);
  EXPECT_EQ(output.Stored().dtype, DType::kFloat32);
  TableGraph sum;
  sum.graph.outputs.push_back(
      sum.Binary("sum", schema::BinaryKind::Add, sum.table, sum.Weights("one", {64})));
  sum.Store(LayerType::kFloat16);
  EXPECT_EQ(sum.Stored().dtype, DType::kFloat32);
  TableGraph columns;
  columns.graph.nodes[0]->as<schema::GatherOptionsT>().axis = 1;
  columns.Store(LayerType::kFloat16);
  EXPECT_EQ(columns.Stored().dtype, DType::kFloat32);
}

}  // namespace
}  // namespace micrort::quantize
