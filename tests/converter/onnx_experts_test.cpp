// Importers of mixtures of experts. Figures are those of the operators' definition, which ONNX Runtime's
// results confirm.

#include <gmock/gmock.h>

#include <cmath>

#include "tests/converter/folded_values.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using ::testing::FloatNear;
using testing::FoldedY;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;
using ::testing::Pointwise;
using Floats = std::vector<float>;

OnnxBuilder Builder() {
  OnnxBuilder builder(17);
  builder.model.add_opset_import()->set_domain("com.microsoft");
  builder.model.mutable_opset_import(1)->set_version(1);
  return builder;
}

OnnxBuilder& Experts(OnnxBuilder& builder, const std::string& op, const std::vector<std::string>& inputs,
                     const std::string& activation, int64_t k) {
  builder.Node(op, inputs, {"y"}).String("activation_type", activation).Int("k", k);
  builder.graph().mutable_node(builder.graph().node_size() - 1)->set_domain("com.microsoft");
  return builder;
}

// Three experts, which multiply rows of one number by 1, 2 and 3; two of them are chosen.
OnnxBuilder ThreeExperts(const Floats& x, const Floats& router, bool normalized) {
  OnnxBuilder builder = Builder();
  const auto rows = static_cast<int64_t>(x.size());
  builder.Floats("x", {rows, 1}, x).Floats("r", {rows, 3}, router);
  builder.Floats("w1", {3, 1, 1}, {1, 2, 3}).Floats("w2", {3, 1, 1}, {1, 1, 1});
  Experts(builder, "MoE", {"x", "r", "w1", "", "w2"}, "identity", 2)
      .Int("normalize_routing_weights", normalized);
  return builder;
}

TEST(OnnxExperts, AddsWhatTheChosenExpertsCompute) {
  const Floats router = {0, std::log(2.0f), -100, std::log(3.0f), -100, 0};
  for (const bool normalized : {false, true}) {
    OnnxBuilder builder = ThreeExperts({1, 2}, router, normalized);
    EXPECT_THAT(FoldedY(builder), Pointwise(FloatNear(1e-5f), Floats{5.0f / 3, 3}));
  }
}

// Of equal experts the first are chosen. Their shares are those among all experts, or among the chosen ones.
TEST(OnnxExperts, SharesAreOfAllExpertsOrOfThoseChosen) {
  OnnxBuilder of_all = ThreeExperts({1}, {0, 0, 0}, false);
  EXPECT_THAT(FoldedY(of_all), Pointwise(FloatNear(1e-5f), Floats{1}));
  OnnxBuilder of_chosen = ThreeExperts({1}, {0, 0, 0}, true);
  EXPECT_THAT(FoldedY(of_chosen), Pointwise(FloatNear(1e-5f), Floats{1.5f}));
}

// Gates lie beside what they let through; biases, a limit and an offset count; rows may come in a batch.
TEST(OnnxExperts, GatesAreInterleaved) {
  OnnxBuilder builder = Builder();
  builder.Floats("x", {1, 2, 1}, {2, -2}).Floats("r", {2, 1}, {0, 0});
  builder.Floats("w1", {1, 2, 1}, {1, 3}).Floats("b1", {1, 2}, {0.5f, 0}).Floats("w2", {1, 1, 1}, {2});
  builder.Floats("b2", {1, 1}, {10});
  Experts(builder, "MoE", {"x", "r", "w1", "b1", "w2", "b2"}, "swiglu", 1).Int("swiglu_fusion", 1);
  builder.Float("activation_alpha", 2).Float("activation_beta", 1).Float("swiglu_limit", 1.5f);
  const auto gated = [](float gate, float passed) {
    return gate / (1 + std::exp(-2 * gate)) * (passed + 1) * 2 + 10;
  };
  EXPECT_THAT(FoldedY(builder), Pointwise(FloatNear(1e-4f), Floats{gated(1.5f, 1.5f), gated(-1.5f, -1.5f)}));
}

OnnxBuilder Integers(int bits, const std::string& w1, const std::string& w2) {
  OnnxBuilder builder = Builder();
  for (const auto& [name, bytes] : {std::make_pair("w1", w1), std::make_pair("w2", w2)}) {
    ::onnx::TensorProto& w = *builder.graph().add_initializer();
    w.set_name(name);
    w.set_data_type(::onnx::TensorProto::UINT8);
    for (const int64_t d : {int64_t{1}, int64_t{2}, static_cast<int64_t>(bytes.size()) / 2}) w.add_dims(d);
    w.set_raw_data(bytes);
  }
  builder.Floats("x", {1, 2}, {1, 10}).Floats("r", {1, 1}, {0});
  builder.Floats("s1", {1, 2}, {1, 2}).Floats("s2", {1, 2}, {0.5f, 1});
  Experts(builder, "QMoE", {"x", "r", "w1", "s1", "", "w2", "s2"}, "relu", 1).Int("expert_weight_bits", bits);
  return builder;
}

// (1, 2; -1, 0) with scales 1 and 2 makes (21, -2), of which 21 is left; (3, 1; -2, 1) with 1/2 and 1 makes
// (31.5, -42).
TEST(OnnxExperts, IntegersAreCenteredAndScaled) {
  OnnxBuilder four = Integers(4, "\xa9\x87", "\x9b\x96");
  EXPECT_THAT(FoldedY(four), Pointwise(FloatNear(1e-4f), Floats{31.5f, -42}));
  OnnxBuilder eight = Integers(8, "\x81\x82\x7f\x80", "\x83\x81\x7e\x81");
  EXPECT_THAT(FoldedY(eight), Pointwise(FloatNear(1e-4f), Floats{31.5f, -42}));
}

// One product for each layer of each expert, whose 4 bits are kept.
TEST(OnnxExperts, MatricesKeepTheirGrid) {
  OnnxBuilder builder = Integers(4, "\xa9\x87", "\x9b\x96");
  builder.graph().mutable_initializer()->Mutable(2)->set_name("unused");
  builder.Input("x", {"1", "2"}).Output("y");
  testing::Imported imported = Import(builder);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  int products = 0;
  for (const auto& node : imported.graph().nodes) {
    if (node->code != schema::OpCode::MatMul) continue;
    ++products;
    EXPECT_FALSE(imported.graph().value(node->inputs[1]).source_quantization.empty());
  }
  EXPECT_EQ(products, 2);
}

TEST(OnnxExperts, SaysWhatItDoesNotKnow) {
  const auto refused = [](OnnxBuilder builder) {
    builder.Output("y");
    return std::string(Import(builder).status.message());
  };
  EXPECT_THAT(refused(ThreeExperts({1}, {0, 0, 0}, false).Int("use_sparse_mixer", 1)),
              HasSubstr("the sparse mixer"));
  OnnxBuilder third = Builder();
  third.Floats("x", {1, 1}, {1}).Floats("r", {1, 1}, {0}).Floats("w", {1, 1, 1}, {1});
  EXPECT_THAT(refused(Experts(third, "MoE", {"x", "r", "w", "", "w", "", "w"}, "silu", 1)),
              HasSubstr("a third layer"));
  OnnxBuilder apart = Builder();
  apart.Floats("x", {1, 1}, {1}).Floats("r", {1, 1}, {0}).Floats("w", {1, 2, 1}, {1, 1});
  EXPECT_THAT(refused(Experts(apart, "MoE", {"x", "r", "w", "", "w"}, "swiglu", 1)), HasSubstr("swiglu"));
  OnnxBuilder unknown = Builder();
  unknown.Floats("x", {1, 1}, {1}).Floats("r", {1, 1}, {0}).Floats("w", {1, 1, 1}, {1});
  EXPECT_THAT(refused(Experts(unknown, "MoE", {"x", "r", "w", "", "w"}, "tanh", 1)),
              HasSubstr("activation 'tanh'"));
  OnnxBuilder many = Builder();
  many.Floats("x", {1, 1}, {1}).Floats("r", {1, 1}, {0}).Floats("w", {1, 1, 1}, {1});
  EXPECT_THAT(refused(Experts(many, "MoE", {"x", "r", "w", "", "w"}, "relu", 2)),
              HasSubstr("k is 2 of 1 experts"));
}

}  // namespace
}  // namespace micrort
