// Operators of TFLite that came from StableHLO, and those that reduce windows and look up bags of rows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/converter/tflite_builder.h"

namespace micrort::testing::stablehlo {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

using Dims = std::vector<int32_t>;
using Type = fb::TensorType;

auto IsNear(const Floats& expected) { return Pointwise(FloatNear(1e-5f), expected); }

// Sets options of the second union.
template <typename OptionsT>
void Set(fb::OperatorT& op, OptionsT options) {
  op.builtin_options_2.Set(std::move(options));
}

TEST(TfliteStablehlo, ElementByElement) {
  const auto of_two = [](const char* op, float a, float b) {
    TfliteBuilder builder;
    const int x = builder.Input("x", {1}), z = builder.Input("z", {1}), y = builder.Tensor("y", {1});
    builder.Op(op, {x, z}, {y});
    builder.Output(y);
    return RunTflite(builder, {{"x", {a}}, {"z", {b}}})["y"].at(0);
  };
  const auto of_one = [](const char* op, float a) {
    TfliteBuilder builder;
    const int x = builder.Input("x", {1}), y = builder.Tensor("y", {1});
    builder.Op(op, {x}, {y});
    builder.Output(y);
    return RunTflite(builder, {{"x", {a}}})["y"].at(0);
  };
  EXPECT_EQ(of_two("STABLEHLO_ADD", 3, 4), 7);
  EXPECT_EQ(of_two("STABLEHLO_SUBTRACT", 3, 4), -1);
  EXPECT_EQ(of_two("STABLEHLO_MULTIPLY", 3, 4), 12);
  EXPECT_EQ(of_two("STABLEHLO_DIVIDE", 3, 4), 0.75f);
  EXPECT_EQ(of_two("STABLEHLO_MAXIMUM", 3, 4), 4);
  EXPECT_EQ(of_two("STABLEHLO_MINIMUM", 3, 4), 3);
  EXPECT_NEAR(of_two("STABLEHLO_POWER", 3, 4), 81, 1e-3);
  EXPECT_EQ(of_two("STABLEHLO_REMAINDER", -7, 4), -3);
  EXPECT_EQ(of_one("STABLEHLO_ABS", -3), 3);
  EXPECT_EQ(of_one("STABLEHLO_NEGATE", 3), -3);
  EXPECT_EQ(of_one("STABLEHLO_FLOOR", -3.5f), -4);
  EXPECT_NEAR(of_one("STABLEHLO_CBRT", -27), -3, 1e-5);
  EXPECT_NEAR(of_one("STABLEHLO_RSQRT", 4), 0.5f, 1e-6);
  EXPECT_NEAR(of_one("STABLEHLO_COSINE", 1), std::cos(1.0), 1e-6);
  EXPECT_NEAR(of_one("STABLEHLO_EXPONENTIAL", 1), std::exp(1.0), 1e-5);
  EXPECT_NEAR(of_one("STABLEHLO_LOG", 2), std::log(2.0), 1e-6);
  EXPECT_NEAR(of_one("STABLEHLO_LOGISTIC", 0), 0.5f, 1e-6);
  EXPECT_NEAR(of_one("STABLEHLO_TANH", 1), std::tanh(1.0), 1e-6);
}

TEST(TfliteStablehlo, ChoosesComparesAndClamps) {
  TfliteBuilder b;
  const int x = b.Input("x", {3}), is_less = b.Tensor("less", {3}, Type::Bool),
            chosen = b.Tensor("chosen", {3}), y = b.Tensor("y", {3}),
            whole = b.Tensor("whole", {3}, Type::Int32);
  const int two = b.Floats("two", {3}, {2, 2, 2}), low = b.Floats("low", {}, {-1}),
            high = b.Floats("high", {}, {3});
  fb::StablehloCompareOptionsT less;
  less.comparison_direction = fb::StablehloComparisonDirection::Less;
  Set(b.Op("STABLEHLO_COMPARE", {x, two}, {is_less}), less);
  b.Op("STABLEHLO_SELECT", {is_less, two, x}, {chosen});
  b.Op("STABLEHLO_CLAMP", {low, chosen, high}, {y});
  b.Op("STABLEHLO_CONVERT", {y}, {whole});
  b.Output(is_less).Output(y).Output(whole);
  auto outputs = RunTflite(b, {{"x", {1, 2.75f, 9}}});
  EXPECT_EQ(outputs["less"], Floats({1, 0, 0}));
  EXPECT_EQ(outputs["y"], Floats({2, 2.75f, 3}));
  EXPECT_EQ(outputs["whole"], Floats({2, 2, 3}));
}

TEST(TfliteStablehlo, ShapesAndParts) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 3});
  const int turned = b.Tensor("turned", {3, 2}), part = b.Tensor("part", {1, 2}),
            flat = b.Tensor("flat", {6}), joined = b.Tensor("joined", {2, 6}),
            spread = b.Tensor("spread", {2, 2, 3}), iota = b.Tensor("iota", {2, 3}, Type::Int32);
  fb::StablehloTransposeOptionsT transpose;
  transpose.permutation = {1, 0};
  Set(b.Op("STABLEHLO_TRANSPOSE", {x}, {turned}), transpose);
  fb::StablehloSliceOptionsT slice;
  slice.start_indices = {1, 0}, slice.limit_indices = {2, 3}, slice.strides = {1, 2};
  Set(b.Op("STABLEHLO_SLICE", {x}, {part}), slice);
  b.Op("STABLEHLO_RESHAPE", {x}, {flat});
  fb::StablehloConcatenateOptionsT concatenate;
  concatenate.dimension = 1;
  Set(b.Op("STABLEHLO_CONCATENATE", {x, x}, {joined}), concatenate);
  fb::StablehloBroadcastInDimOptionsT broadcast;
  broadcast.broadcast_dimensions = {0, 2};
  Set(b.Op("STABLEHLO_BROADCAST_IN_DIM", {x}, {spread}), broadcast);
  fb::StablehloIotaOptionsT along;
  along.iota_dimension = 1;
  Set(b.Op("STABLEHLO_IOTA", {}, {iota}), along);
  b.Output(turned).Output(part).Output(flat).Output(joined).Output(spread).Output(iota);
  auto outputs = RunTflite(b, {{"x", {1, 2, 3, 4, 5, 6}}});
  EXPECT_EQ(outputs["turned"], Floats({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(outputs["part"], Floats({4, 6}));
  EXPECT_EQ(outputs["flat"], Floats({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(outputs["joined"], Floats({1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}));
  EXPECT_EQ(outputs["spread"], Floats({1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}));
  EXPECT_EQ(outputs["iota"], Floats({0, 1, 2, 0, 1, 2}));
}

TEST(TfliteStablehlo, PadsInsideAndCutsOutside) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 2}), fill = b.Floats("fill", {}, {9}), y = b.Tensor("y", {3, 3});
  fb::StablehloPadOptionsT pad;
  pad.edge_padding_low = {0, -1}, pad.edge_padding_high = {1, 1}, pad.interior_padding = {0, 1};
  Set(b.Op("STABLEHLO_PAD", {x, fill}, {y}), pad);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 4}}})["y"], Floats({9, 2, 9, 9, 4, 9, 9, 9, 9}));
}

TEST(TfliteStablehlo, SlicesStayInside) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 3}), i = b.Input("i", {}, Type::Int32), j = b.Input("j", {}, Type::Int32),
            y = b.Tensor("y", {1, 2});
  fb::StablehloDynamicSliceOptionsT slice;
  slice.slice_sizes = {1, 2};
  Set(b.Op("STABLEHLO_DYNAMIC_SLICE", {x, i, j}, {y}), slice);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 4, 5, 6}}, {"i", {1}}, {"j", {5}}})["y"], Floats({5, 6}));
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 4, 5, 6}}, {"i", {-3}}, {"j", {0}}})["y"], Floats({1, 2}));
}

// A subgraph of one operator on two scalars. Returns its index.
int AddReducer(TfliteBuilder* b, const char* op) {
  const int index = b->AddSubgraph();
  const int p = b->Input("p", {}), q = b->Input("q", {}), r = b->Tensor("r", {});
  b->Op(op, {p, q}, {r});
  b->Output(r);
  b->BackToMain();
  return index;
}

TEST(TfliteStablehlo, ReducesByASubgraph) {
  TfliteBuilder b;
  const int reducer = AddReducer(&b, "STABLEHLO_MAXIMUM"), adder = AddReducer(&b, "STABLEHLO_ADD");
  const int x = b.Input("x", {2, 3}), least = b.Floats("least", {}, {2}), zero = b.Floats("zero", {}, {0}),
            y = b.Tensor("y", {3}), sums = b.Tensor("sums", {2, 2});
  fb::StablehloReduceOptionsT reduce;
  reduce.dimensions = {0}, reduce.body_subgraph_index = reducer;
  Set(b.Op("STABLEHLO_REDUCE", {x, least}, {y}), reduce);
  fb::StablehloReduceWindowOptionsT window;
  window.window_dimensions = {1, 2}, window.window_strides = {1, 2}, window.padding = {0, 0, 1, 0};
  window.body_subgraph_index = adder;
  Set(b.Op("STABLEHLO_REDUCE_WINDOW", {x, zero}, {sums}), window);
  b.Output(y).Output(sums);
  auto outputs = RunTflite(b, {{"x", {1, 5, 3, 0, 4, 6}}});
  EXPECT_EQ(outputs["y"], Floats({2, 5, 6}));
  EXPECT_EQ(outputs["sums"], Floats({1, 8, 0, 10}));
}

TEST(TfliteStablehlo, OtherReducersAreRefused) {
  TfliteBuilder b;
  const int reducer = AddReducer(&b, "STABLEHLO_SUBTRACT");
  const int x = b.Input("x", {2, 3}), zero = b.Floats("zero", {}, {0}), y = b.Tensor("y", {3});
  fb::StablehloReduceOptionsT reduce;
  reduce.dimensions = {0}, reduce.body_subgraph_index = reducer;
  Set(b.Op("STABLEHLO_REDUCE", {x, zero}, {y}), reduce);
  b.Output(y);
  const ImportedTflite result = ImportTflite(b.Bytes());
  EXPECT_EQ(result.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(result.diagnostics.unsupported.at(0).reason, HasSubstr("other functions than a sum"));
}

// y[b,i,j] = sum over k of x[k,b,i] z[b,j,k]
TEST(TfliteStablehlo, ProductsOverAnyDimensions) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 1, 2}), z = b.Input("z", {1, 2, 2}), y = b.Tensor("y", {1, 2, 2});
  fb::StablehloDotGeneralOptionsT dot;
  dot.lhs_batching_dimensions = {1}, dot.rhs_batching_dimensions = {0};
  dot.lhs_contracting_dimensions = {0}, dot.rhs_contracting_dimensions = {2};
  Set(b.Op("STABLEHLO_DOT_GENERAL", {x, z}, {y}), dot);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 4}}, {"z", {5, 6, 7, 8}}})["y"],
            Floats({1 * 5 + 3 * 6, 1 * 7 + 3 * 8, 2 * 5 + 4 * 6, 2 * 7 + 4 * 8}));
}

TEST(TfliteStablehlo, CompositesAreTheirSubgraphs) {
  TfliteBuilder b;
  const int body = AddReducer(&b, "SUB");
  const int x = b.Input("x", {}), z = b.Input("z", {}), y = b.Tensor("y", {});
  fb::StableHLOCompositeOptionsT composite;
  composite.name = "odml.difference", composite.decomposition_subgraph_index = body;
  Set(b.Op("STABLEHLO_COMPOSITE", {x, z}, {y}), composite);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {5}}, {"z", {3}}})["y"], Floats({2}));
}

TEST(TfliteStablehlo, OptionsAreChecked) {
  const auto refusal = [](const char* op, auto options) {
    TfliteBuilder b;
    const int x = b.Input("x", {2, 3}), y = b.Tensor("y", {2, 3});
    Set(b.Op(op, {x}, {y}), std::move(options));
    b.Output(y);
    const ImportedTflite result = ImportTflite(b.Bytes());
    EXPECT_EQ(result.status.code(), StatusCode::kInvalidModel);
    return std::string(result.status.message());
  };
  fb::StablehloTransposeOptionsT transpose;
  transpose.permutation = {0, 2};
  EXPECT_THAT(refusal("STABLEHLO_TRANSPOSE", transpose), HasSubstr("permutation has dimension 2 of 2"));
  fb::StablehloBroadcastInDimOptionsT broadcast;
  EXPECT_THAT(refusal("STABLEHLO_BROADCAST_IN_DIM", broadcast), HasSubstr("expected 2 numbers, found 0"));
  fb::StableHLOCompositeOptionsT composite;
  composite.decomposition_subgraph_index = 7;
  EXPECT_THAT(refusal("STABLEHLO_COMPOSITE", composite), HasSubstr("subgraph 7 of 1"));
}

int Longs(TfliteBuilder* b, const std::string& name, const std::vector<int64_t>& elements) {
  return b->Constant(name, {static_cast<int32_t>(elements.size())}, Type::Int64, elements);
}

TEST(TfliteWindows, DilationPutsSpaceBetweenElements) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 2}), y = b.Tensor("y");
  b.Op("DILATE", {x, b.Integers("d", {2, 3}), b.Floats("fill", {}, {-1})}, {y});
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 4}}})["y"], Floats({1, -1, -1, 2, -1, -1, -1, -1, 3, -1, -1, 4}));
}

TEST(TfliteWindows, ReductionsOfWindows) {
  using F = fb::ReduceWindowFunction;
  const std::pair<F, Floats> cases[] = {
      {F::Add, {5, 11}}, {F::Mul, {6, 30}}, {F::Minimum, {1, 1}}, {F::Maximum, {3, 6}}};
  for (const auto& [function, expected] : cases) {
    TfliteBuilder b;
    const int x = b.Input("x", {2, 4}), y = b.Tensor("y");
    fb::ReduceWindowOptionsT options;
    options.reduce_function = function;
    Set(b.Op("REDUCE_WINDOW",
             {x, b.Floats("first", {}, {1}), Longs(&b, "w", {1, 2}), Longs(&b, "s", {1, 2}),
              Longs(&b, "d", {1, 2})},
             {y}),
        options);
    b.Output(y);
    EXPECT_EQ(RunTflite(b, {{"x", {1, 9, 3, 9, 4, 9, 6, 9}}})["y"],
              function == F::Mul ? Floats({3, 24}) : expected);
  }
}

TEST(TfliteLookups, BagsOfRows) {
  const std::pair<fb::CombinerType, Floats> cases[] = {
      {fb::CombinerType::Sum, {7, 8, 0, 0, 10, 14}},
      {fb::CombinerType::Mean, {7 / 3.0f, 8 / 3.0f, 0, 0, 5, 7}},
      {fb::CombinerType::SqrtN, {7 / std::sqrt(5.0f), 8 / std::sqrt(5.0f), 0, 0, 5, 7}}};
  for (const auto& [combiner, expected] : cases) {
    TfliteBuilder b;
    const int ids = b.Input("ids", {3}, Type::Int32), places = b.Input("places", {3, 2}, Type::Int32),
              weights = b.Input("weights", {3}), y = b.Tensor("y");
    fb::EmbeddingLookupSparseOptionsT options;
    options.combiner = combiner;
    b.Op("EMBEDDING_LOOKUP_SPARSE",
         {ids, places, b.Integers("shape", {3, 2}), weights, b.Floats("table", {3, 2}, {1, 2, 3, 3, 5, 7})},
         {y}, options);
    b.Output(y);
    EXPECT_THAT(
        RunTflite(b, {{"ids", {0, 1, 2}}, {"places", {0, 0, 0, 1, 2, 0}}, {"weights", {1, 2, 2}}})["y"],
        IsNear(expected));
  }
}

TEST(TfliteLookups, RowsByKeys) {
  TfliteBuilder b;
  const int ids = b.Input("ids", {3}, Type::Int32), y = b.Tensor("y"),
            hits = b.Tensor("hits", {}, Type::UInt8);
  b.Op("HASHTABLE_LOOKUP",
       {ids, b.Integers("keys", {-3, 10, 20}), b.Floats("table", {3, 2}, {1, 2, 3, 4, 5, 6})}, {y, hits});
  b.Output(y).Output(hits);
  auto outputs = RunTflite(b, {{"ids", {20, 7, -3}}});
  EXPECT_EQ(outputs["y"], Floats({5, 6, 0, 0, 1, 2}));
  EXPECT_EQ(outputs["hits"], Floats({1, 0, 1}));
}

}  // namespace
}  // namespace micrort::testing::stablehlo
