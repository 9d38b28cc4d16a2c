// Operators of StableHLO in TFLite's files where numbers, sizes and functions are unusual: against the
// specification of StableHLO.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/converter/tflite_builder.h"

namespace micrort::testing::stablehlo {
namespace {

using ::testing::HasSubstr;

using Dims = std::vector<int32_t>;
using Type = fb::TensorType;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <typename OptionsT>
void Put(fb::OperatorT& op, OptionsT options) {
  op.builtin_options_2.Set(std::move(options));
}

// A function of two scalars p and q; `fill` gives its result. Returns its subgraph.
int Function(TfliteBuilder* b, Type type, const std::function<int(int p, int q)>& fill) {
  const int index = b->AddSubgraph();
  const int p = b->Input("p", {}, type), q = b->Input("q", {}, type);
  b->Output(fill(p, q));
  b->BackToMain();
  return index;
}

int FunctionOf(TfliteBuilder* b, const char* op, Type type) {
  return Function(b, type, [&](int p, int q) {
    const int r = b->Tensor("r", {}, type);
    b->Op(op, {p, q}, {r});
    return r;
  });
}

// y = x reduced along its last dimension, from zero.
void Reduce(TfliteBuilder* b, int function, Type type, const Dims& shape, const Dims& result) {
  const int x = b->Input("x", shape, type), bytes = b->Floats("first", {}, {0});
  const int first = b->Tensor("zero", {}, type), y = b->Tensor("y", result, type);
  b->Op("CAST", {bytes}, {first});
  fb::StablehloReduceOptionsT o;
  o.dimensions = {static_cast<int64_t>(shape.size()) - 1}, o.body_subgraph_index = function;
  Put(b->Op("STABLEHLO_REDUCE", {x, first}, {y}), o);
  b->Output(y);
}

TEST(TfliteStablehloValues, FunctionsThatAreNotWhatTheirOperatorIsAreRefused) {
  using Fill = std::function<int(TfliteBuilder & b, int p, int q)>;
  const Fill twice = [](TfliteBuilder& b, int p, int) {
    const int r = b.Tensor("r", {});
    b.Op("STABLEHLO_ADD", {p, p}, {r});
    return r;
  };
  const Fill constant = [](TfliteBuilder& b, int, int q) {
    const int r = b.Tensor("r", {});
    b.Op("STABLEHLO_ADD", {q, b.Floats("c", {}, {2})}, {r});
    return r;
  };
  const Fill activated = [](TfliteBuilder& b, int p, int q) {
    const int r = b.Tensor("r", {});
    fb::AddOptionsT o;
    o.fused_activation_function = fb::ActivationFunctionType::Relu;
    b.Op("ADD", {p, q}, {r}, o);
    return r;
  };
  const Fill other = [](TfliteBuilder& b, int p, int q) {
    b.Op("STABLEHLO_ADD", {p, q}, {b.Tensor("r", {})});
    return p;
  };
  for (const Fill& fill : {twice, constant, activated, other}) {
    TfliteBuilder b;
    Reduce(&b, Function(&b, Type::Float32, [&](int p, int q) { return fill(b, p, q); }), Type::Float32,
           {2, 3}, {2});
    const ImportedTflite result = ImportTflite(b.Bytes());
    ASSERT_EQ(result.status.code(), StatusCode::kUnsupported);
    EXPECT_THAT(result.diagnostics.unsupported.at(0).reason, HasSubstr("other functions than a sum"));
  }
}

TEST(TfliteStablehloValues, BitsOfIntegersAreNoTruthValues) {
  for (const char* op : {"STABLEHLO_OR", "STABLEHLO_AND"}) {
    TfliteBuilder integers, truths;
    Reduce(&integers, FunctionOf(&integers, op, Type::Int32), Type::Int32, {2, 3}, {2});
    const ImportedTflite result = ImportTflite(integers.Bytes());
    ASSERT_EQ(result.status.code(), StatusCode::kUnsupported) << op;
    EXPECT_THAT(result.diagnostics.unsupported.at(0).reason, HasSubstr("the bits of integers"));
    Reduce(&truths, FunctionOf(&truths, op, Type::Bool), Type::Bool, {2, 3}, {2});
    EXPECT_TRUE(ImportTflite(truths.Bytes()).status.ok());
  }
}

TEST(TfliteStablehloValues, NoneOfNothingIsTrue) {
  TfliteBuilder b, other;
  Reduce(&b, FunctionOf(&b, "STABLEHLO_OR", Type::Bool), Type::Bool, {2, 0}, {2});
  EXPECT_EQ(RunTflite(b, {{"x", {}}})["y"], Floats({0, 0}));
  const int x = other.Input("x", {2, 0}, Type::Bool), any = other.Tensor("any", {2}, Type::Bool),
            all = other.Tensor("all", {2}, Type::Bool);
  const int axis = other.Constant<int32_t>("axis", {1}, Type::Int32, {1});
  other.Op("REDUCE_ANY", {x, axis}, {any});
  other.Op("REDUCE_ALL", {x, axis}, {all});
  other.Output(any).Output(all);
  auto outputs = RunTflite(other, {{"x", {}}});
  EXPECT_EQ(outputs["any"], Floats({0, 0}));
  EXPECT_EQ(outputs["all"], Floats({1, 1}));
}

TEST(TfliteStablehloValues, TotalOrderOfFloats) {
  const auto compared = [](fb::StablehloComparisonDirection direction) {
    TfliteBuilder b;
    const int x = b.Input("x", {5}), z = b.Input("z", {5}), y = b.Tensor("y", {5}, Type::Bool);
    fb::StablehloCompareOptionsT o;
    o.comparison_direction = direction, o.compare_type = 2;
    Put(b.Op("STABLEHLO_COMPARE", {x, z}, {y}), o);
    b.Output(y);
    return RunTflite(b, {{"x", {-0.0f, 0, 1, kNan, -2}}, {"z", {0, -0.0f, kNan, kNan, -1}}})["y"];
  };
  EXPECT_EQ(compared(fb::StablehloComparisonDirection::Less), Floats({1, 0, 1, 0, 1}));
  EXPECT_EQ(compared(fb::StablehloComparisonDirection::Equal), Floats({0, 0, 0, 1, 0}));
  EXPECT_EQ(compared(fb::StablehloComparisonDirection::GreaterOrEqual), Floats({0, 1, 0, 1, 0}));
}

TEST(TfliteStablehloValues, SortsInTheTotalOrder) {
  TfliteBuilder b;
  const int by = Function(&b, Type::Float32, [&](int p, int q) {
    const int r = b.Tensor("r", {}, Type::Bool);
    fb::StablehloCompareOptionsT o;
    o.comparison_direction = fb::StablehloComparisonDirection::Less, o.compare_type = 2;
    Put(b.Op("STABLEHLO_COMPARE", {p, q}, {r}), o);
    return r;
  });
  const int x = b.Input("x", {6}), y = b.Tensor("y", {6});
  fb::StablehloSortOptionsT o;
  o.dimension = 0, o.is_stable = true, o.comparator_subgraph_index = by;
  Put(b.Op("STABLEHLO_SORT", {x}, {y}), o);
  b.Output(y);
  const Floats sorted = RunTflite(b, {{"x", {kNan, 0, -0.0f, 3, -INFINITY, -0.0f}}})["y"];
  ASSERT_EQ(sorted.size(), 6u);
  EXPECT_EQ(Floats(sorted.begin(), sorted.end() - 1), Floats({-INFINITY, 0, 0, 0, 3}));
  EXPECT_TRUE(std::signbit(sorted[1]) && std::signbit(sorted[2]) && !std::signbit(sorted[3]));
  EXPECT_TRUE(std::isnan(sorted[5]));
}

TEST(TfliteStablehloValues, DimensionsMayBeZero) {
  TfliteBuilder b;
  const int x = b.Input("x", {0, 3}), z = b.Input("z", {2}), at = b.Input("at", {}, Type::Int32);
  const int turned = b.Tensor("turned", {3, 0, 1}), none = b.Tensor("none", {0}),
            kept = b.Tensor("kept", {2}), products = b.Tensor("products", {3, 3});
  b.Op("STABLEHLO_RESHAPE", {x}, {turned});
  fb::StablehloDynamicSliceOptionsT slice;
  slice.slice_sizes = {0};
  Put(b.Op("STABLEHLO_DYNAMIC_SLICE", {z, at}, {none}), slice);
  b.Op("STABLEHLO_DYNAMIC_UPDATE_SLICE", {z, none, at}, {kept});
  fb::StablehloDotGeneralOptionsT dot;
  dot.lhs_contracting_dimensions = {0}, dot.rhs_contracting_dimensions = {0};
  Put(b.Op("STABLEHLO_DOT_GENERAL", {x, x}, {products}), dot);
  b.Output(turned).Output(none).Output(kept).Output(products);
  auto outputs = RunTflite(b, {{"x", {}}, {"z", {5, 6}}, {"at", {1}}});
  EXPECT_EQ(outputs["turned"], Floats());
  EXPECT_EQ(outputs["none"], Floats());
  EXPECT_EQ(outputs["kept"], Floats({5, 6}));
  EXPECT_EQ(outputs["products"], Floats(9, 0));
}

TEST(TfliteStablehloValues, DimensionsAreSpreadInAnyOrder) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 3}), y = b.Tensor("y", {3, 2, 2});
  fb::StablehloBroadcastInDimOptionsT o;
  o.broadcast_dimensions = {2, 0};
  Put(b.Op("STABLEHLO_BROADCAST_IN_DIM", {x}, {y}), o);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 4, 5, 6}}})["y"], Floats({1, 4, 1, 4, 2, 5, 2, 5, 3, 6, 3, 6}));
}

// Its shape is what a trial had: the signature says what is open.
TEST(TfliteStablehloValues, OpenShapesOfOutputsAreRefused) {
  TfliteBuilder b;
  const int x = b.Input("x", {3}), y = b.Tensor("y", {1, 3});
  b.tensor(y).shape_signature = {-1, 3};
  fb::StablehloBroadcastInDimOptionsT o;
  o.broadcast_dimensions = {1};
  Put(b.Op("STABLEHLO_BROADCAST_IN_DIM", {x}, {y}), o);
  b.Output(y);
  const ImportedTflite result = ImportTflite(b.Bytes());
  ASSERT_EQ(result.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(result.diagnostics.unsupported.at(0).reason, HasSubstr("an output whose shape is not fixed"));
}

TEST(TfliteBuckets, NanIsBelowNone) {
  TfliteBuilder b;
  const int x = b.Input("x", {3}), y = b.Tensor("y", {3}, Type::Int32);
  fb::BucketizeOptionsT o;
  o.boundaries = {-1, 1};
  b.Op("BUCKETIZE", {x}, {y}, o);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {kNan, 0, 1}}})["y"], Floats({2, 1, 2}));
}

}  // namespace
}  // namespace micrort::testing::stablehlo
