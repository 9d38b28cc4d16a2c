// Decision trees of ai.onnx.ml. Expected numbers follow from the definition, and are those of ONNX Runtime.

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/converter/converted.h"
#include "tests/refusal.h"

namespace micrort::testing::onnx_trees {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

struct TreeNode {
  std::string mode;
  int64_t feature = 0;
  float value = 0;
  int64_t if_true = 0, if_false = 0;
};
using Tree = std::vector<TreeNode>;

// x[feature] <= value ? node 1 : node 2, both leaves.
Tree Stump(int64_t feature, float value, const std::string& mode = "BRANCH_LEQ") {
  return {{mode, feature, value, 1, 2}, {"LEAF"}, {"LEAF"}};
}
// x[0] <= 0 ? leaf 1 : x[1] < 5 ? leaf 3 : leaf 4
Tree Deep() { return {{"BRANCH_LEQ", 0, 0, 1, 2}, {"LEAF"}, {"BRANCH_LT", 1, 5, 3, 4}, {"LEAF"}, {"LEAF"}}; }

struct Weight {
  int64_t tree, node, target;
  float weight;
};

void SetNodes(const std::vector<Tree>& trees, OnnxBuilder* b) {
  std::vector<int64_t> tree_ids, node_ids, features, if_true, if_false;
  std::vector<std::string> modes;
  std::vector<float> values;
  for (size_t t = 0; t < trees.size(); ++t) {
    for (size_t i = 0; i < trees[t].size(); ++i) {
      const TreeNode& node = trees[t][i];
      tree_ids.push_back(static_cast<int64_t>(t));
      node_ids.push_back(static_cast<int64_t>(i));
      features.push_back(node.feature);
      values.push_back(node.value);
      modes.push_back(node.mode);
      if_true.push_back(node.if_true);
      if_false.push_back(node.if_false);
    }
  }
  b->Ints("nodes_treeids", tree_ids).Ints("nodes_nodeids", node_ids).Ints("nodes_featureids", features);
  b->Numbers("nodes_values", values).Strings("nodes_modes", modes);
  b->Ints("nodes_truenodeids", if_true).Ints("nodes_falsenodeids", if_false);
}

void SetWeights(const std::string& prefix, const std::vector<Weight>& weights, OnnxBuilder* b) {
  std::vector<int64_t> trees, nodes, targets;
  std::vector<float> numbers;
  for (const Weight& w : weights) {
    trees.push_back(w.tree);
    nodes.push_back(w.node);
    targets.push_back(w.target);
    numbers.push_back(w.weight);
  }
  b->Ints(prefix + "_treeids", trees).Ints(prefix + "_nodeids", nodes).Ints(prefix + "_ids", targets);
  b->Numbers(prefix + "_weights", numbers);
}

OnnxBuilder Regressor(const std::vector<Tree>& trees, const std::vector<Weight>& weights) {
  OnnxBuilder b(15);
  b.Input("x", {"n", "2"}).Node("TreeEnsembleRegressor", {"x"}, {"y"}).Domain("ai.onnx.ml", 3);
  SetNodes(trees, &b);
  SetWeights("target", weights, &b);
  return b;
}

OnnxBuilder Classifier(const std::vector<Tree>& trees, const std::vector<Weight>& weights) {
  OnnxBuilder b(15);
  b.Input("x", {"n", "2"}).Node("TreeEnsembleClassifier", {"x"}, {"label", "y"}).Domain("ai.onnx.ml", 3);
  SetNodes(trees, &b);
  SetWeights("class", weights, &b);
  return b;
}

std::string Of(OnnxBuilder b, const io::NamedArray& x, const std::vector<std::string>& outputs = {"y"}) {
  Converted converted(b, outputs);
  return converted.status().ok() ? converted.Run({x}) : converted.status().message();
}

const std::vector<Weight> kDeepWeights = {{0, 1, 0, 10}, {0, 3, 0, 20}, {0, 4, 0, 30}};

TEST(OnnxTrees, RowsGoDownToTheirLeaves) {
  const io::NamedArray x = Array<float>({4, 2}, {0, 9, 1, 4, 1, 5, -1, 0});
  EXPECT_EQ(Of(Regressor({Deep()}, kDeepWeights), x), "4x1: 10 20 30 10");
}

TEST(OnnxTrees, WeightsOfAllTreesAreAddedUp) {
  std::vector<Weight> weights = kDeepWeights;
  weights.insert(weights.end(), {{1, 1, 0, 1}, {1, 2, 0, 2}, {2, 0, 0, 0.5f}});
  OnnxBuilder b = Regressor({Deep(), Stump(1, 4), {{"LEAF"}}}, weights);
  b.Numbers("base_values", {100});
  EXPECT_EQ(Of(b, Array<float>({2, 2}, {0, 9, 1, 4})), "2x1: 112.5 121.5");
}

TEST(OnnxTrees, LeavesAloneLookAtNoRow) {
  OnnxBuilder b = Regressor({{{"LEAF"}}, {{"LEAF"}}}, {{0, 0, 0, 3}, {1, 0, 0, 4}});
  EXPECT_EQ(Of(b, Array<float>({2, 2}, {0, 9, 1, 4})), "2x1: 7 7");
}

TEST(OnnxTrees, AggregatesAreMeansOrEnds) {
  const std::vector<Weight> weights = {{0, 1, 0, 1}, {0, 2, 0, 5}, {1, 1, 0, 3}, {1, 2, 0, 9}};
  const std::pair<const char*, const char*> kExpected[] = {
      {"AVERAGE", "1x1: 12"}, {"MIN", "1x1: 11"}, {"MAX", "1x1: 13"}, {"SUM", "1x1: 14"}};
  for (const auto& [name, expected] : kExpected) {
    OnnxBuilder b = Regressor({Stump(0, 0), Stump(1, 0)}, weights);
    b.String("aggregate_function", name).Numbers("base_values", {10});
    EXPECT_EQ(Of(b, Array<float>({1, 2}, {-1, -1})), expected) << name;
  }
}

TEST(OnnxTrees, TargetsHaveWeightsOfTheirOwn) {
  const std::vector<Weight> weights = {
      {0, 1, 0, 1}, {0, 1, 1, 2}, {0, 2, 0, 3}, {0, 2, 1, 4}, {0, 2, 1, 0.5f}};
  OnnxBuilder b = Regressor({Stump(0, 0)}, weights);
  EXPECT_EQ(Of(b.Int("n_targets", 2), Array<float>({2, 2}, {-1, 0, 1, 0})), "2x2: 1 2 3 4.5");
}

// As boosting makes them: tree after tree for one class after the other.
TEST(OnnxTrees, TreesOfOneClassEachAreAddedUpByClass) {
  std::vector<Tree> trees(6, Stump(0, 0));
  std::vector<Weight> weights;
  for (int64_t t = 0; t < 6; ++t) {
    weights.push_back({t, 1, t % 3, static_cast<float>(t + 1)});
    weights.push_back({t, 2, t % 3, static_cast<float>(-t)});
  }
  OnnxBuilder b = Classifier(trees, weights);
  b.Ints("classlabels_int64s", {7, 8, 9});
  EXPECT_EQ(Of(b, Array<float>({2, 2}, {-1, 0, 1, 0}), {"label", "y"}), "2: 9 7; 2x3: 5 7 9 -3 -5 -7");
}

struct Comparison {
  const char *mode, *expected;  // of 1, 2, 3 and NaN with 2: 1 if it holds
};

class OnnxTreeModes : public ::testing::TestWithParam<Comparison> {};

TEST_P(OnnxTreeModes, CompareAsNamed) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const io::NamedArray x = Array<float>({4, 2}, {1, 0, 2, 0, 3, 0, kNan, 0});
  const std::vector<Weight> weights = {{0, 1, 0, 1}, {0, 2, 0, 0}};
  EXPECT_EQ(Of(Regressor({Stump(0, 2, GetParam().mode)}, weights), x), GetParam().expected);
  // Beside another mode, each node knows its own; the other tree adds nothing.
  EXPECT_EQ(Of(Regressor({Stump(0, 2, GetParam().mode), Stump(1, 0), Stump(1, 0, "BRANCH_GT")}, weights), x),
            GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    All, OnnxTreeModes,
    ::testing::Values(Comparison{"BRANCH_LEQ", "4x1: 1 1 0 0"}, Comparison{"BRANCH_LT", "4x1: 1 0 0 0"},
                      Comparison{"BRANCH_GTE", "4x1: 0 1 1 0"}, Comparison{"BRANCH_GT", "4x1: 0 0 1 0"},
                      Comparison{"BRANCH_EQ", "4x1: 0 1 0 0"}, Comparison{"BRANCH_NEQ", "4x1: 1 0 1 1"}),
    [](const auto& info) { return std::string(info.param.mode).substr(7); });

TEST(OnnxTrees, MissingFeaturesGoWhereTheNodeSays) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const bool tracks_true : {false, true}) {
    OnnxBuilder b = Regressor({Stump(0, 0)}, {{0, 1, 0, 1}, {0, 2, 0, 2}});
    b.Ints("nodes_missing_value_tracks_true", {tracks_true ? 1 : 0, 0, 0});
    EXPECT_EQ(Of(b, Array<float>({2, 2}, {kNan, 0, 1, 0})), tracks_true ? "2x1: 1 2" : "2x1: 2 2");
  }
}

// Two classes have the weights of one: probabilities, or logits if one is negative.
TEST(OnnxTrees, TwoClassesHaveOneScore) {
  const io::NamedArray x = Array<float>({2, 2}, {-1, 0, 1, 0});
  OnnxBuilder probabilities = Classifier({Stump(0, 0)}, {{0, 1, 0, 0.25f}, {0, 2, 0, 0.75f}});
  probabilities.Ints("classlabels_int64s", {3, 4});
  EXPECT_EQ(Of(probabilities, x, {"label", "y"}), "2: 3 4; 2x2: 0.75 0.25 0.25 0.75");
  OnnxBuilder logits = Classifier({Stump(0, 0)}, {{0, 1, 0, -2}, {0, 2, 0, 1}});
  logits.Ints("classlabels_int64s", {3, 4}).Numbers("base_values", {1});
  EXPECT_EQ(Of(logits, x, {"label", "y"}), "2: 3 4; 2x2: 1 -1 -2 2");
  logits.String("post_transform", "LOGISTIC");
  EXPECT_EQ(Of(logits, x, {"label", "y"}), "2: 3 4; 2x2: 0.731059 0.268941 0.119203 0.880797");
}

TEST(OnnxTrees, NamesOfClassesBecomeTheirPlaces) {
  OnnxBuilder b = Classifier({Stump(0, 0)}, {{0, 1, 0, 0.25f}, {0, 2, 0, 0.75f}});
  b.Strings("classlabels_strings", {"cat", "dog"});
  Converted converted(b, {"label", "y"});
  EXPECT_EQ(converted.Run({Array<float>({1, 2}, {1, 0})}), "1: 1; 1x2: 0.25 0.75");
  EXPECT_THAT(converted.result().notes, Contains(HasSubstr("'label' holds their places, 0 'cat', 1 'dog'")));
}

// Thresholds and weights of leaves are not what layers multiply.
TEST(OnnxTrees, QuantizationLeavesThemAsTheyAre) {
  for (const QuantMode mode : {QuantMode::kInt8Weights, QuantMode::kFp16}) {
    OnnxBuilder b = Regressor({Deep()}, {{0, 1, 0, 0.1f}, {0, 3, 0, 0.7f}, {0, 4, 0, 0.3f}});
    ConvertOptions options;
    options.quant = mode;
    Converted converted(b, {"y"}, options);
    EXPECT_EQ(converted.Run({Array<float>({3, 2}, {0, 9, 1, 4, 1, 5})}), "3x1: 0.1 0.7 0.3");
  }
}

// Leaves of many classes are rows of a table, which narrows; a comparison that int8 or fp16 would turn does
// not.
TEST(OnnxTrees, QuantizationNarrowsWeightsOfManyClassesAlone) {
  constexpr int64_t kClasses = 16;
  const float threshold = 1000.25f, above = std::nextafter(threshold, 2000.0f);
  std::vector<Weight> weights;
  std::vector<int64_t> labels;
  for (int64_t k = 0; k < kClasses; ++k) {
    weights.push_back({0, 1, k, k == 3 ? 1 : 0.01f * static_cast<float>(k)});
    weights.push_back({0, 2, k, k == 5 ? 1 : 0.01f * static_cast<float>(k)});
    labels.push_back(100 + k);
  }
  for (const QuantMode mode : {QuantMode::kInt8Weights, QuantMode::kInt8, QuantMode::kFp16}) {
    OnnxBuilder b = Classifier({Stump(0, threshold)}, weights);
    b.Ints("classlabels_int64s", labels);
    ConvertOptions options;
    options.quant = mode;
    Converted converted(b, {"label"}, options);
    EXPECT_EQ(converted.Run({Array<float>({2, 2}, {threshold, 0, above, 0})}), "2: 103 105");
  }
}

// As float32 it would be the threshold.
TEST(OnnxTrees, FeaturesOfFloat64AreComparedAsTheyAre) {
  OnnxBuilder b(15);
  b.Input("x", {"n", "2"}, ::onnx::TensorProto::DOUBLE);
  b.Node("TreeEnsembleRegressor", {"x"}, {"y"}).Domain("ai.onnx.ml", 3);
  SetNodes({Deep()}, &b);
  SetWeights("target", kDeepWeights, &b);
  EXPECT_EQ(Of(b, Array<double>({3, 2}, {1, 5 - 1e-12, 1, 5, 1e-300, 9})), "3x1: 20 30 30");
}

// A few bytes may ask for any number of targets.
TEST(OnnxTrees, MoreTargetsThanAnyWeightsAreRefused) {
  OnnxBuilder b = Regressor({Stump(0, 0)}, {{0, 1, 0, 1}, {0, 2, 1, 1}});
  EXPECT_THAT(Of(b.Int("n_targets", int64_t{1} << 40), Array<float>({1, 2}, {0, 0})),
              HasSubstr("leaves of 1099511627776 targets"));
}

std::string ErrorOf(OnnxBuilder b) { return Of(std::move(b), Array<float>({1, 2}, {0, 0}), {"y"}); }

TEST(OnnxTrees, AreRefusedWithAReason) {
  const std::vector<Weight> one = {{0, 1, 0, 1}};
  EXPECT_THAT(ErrorOf(Regressor({{{"BRANCH_LEQ", 0, 0, 1, 5}, {"LEAF"}, {"LEAF"}}}, one)),
              HasSubstr("nodes_falsenodeids: tree 0 has no node 5"));
  EXPECT_THAT(ErrorOf(Regressor({{{"BRANCH_LEQ", 0, 0, 1, 1}, {"LEAF"}}}, one)),
              HasSubstr("follows two others"));
  EXPECT_THAT(ErrorOf(Regressor({{{"LEAF"}, {"LEAF"}}}, one)), HasSubstr("tree 0 has two roots"));
  const Tree circle = {{"LEAF"}, {"BRANCH_LEQ", 0, 0, 2, 3}, {"BRANCH_LEQ", 0, 0, 1, 4}, {"LEAF"}, {"LEAF"}};
  EXPECT_THAT(ErrorOf(Regressor({circle}, one)), HasSubstr("nodes that no root leads to"));
  EXPECT_THAT(ErrorOf(Regressor({Stump(-1, 0)}, one)), HasSubstr("feature -1"));
  EXPECT_THAT(ErrorOf(Regressor({Stump(2, 0)}, one)), HasSubstr("index 2"));
  EXPECT_THAT(ErrorOf(Regressor({Stump(0, 0, "BRANCH_MEMBER")}, one)), HasSubstr("mode 'BRANCH_MEMBER'"));
  EXPECT_THAT(ErrorOf(Regressor({Stump(0, 0)}, {{1, 1, 0, 1}})), HasSubstr("tree 1 has no node 1"));
  EXPECT_THAT(ErrorOf(Regressor({Stump(0, 0)}, {{0, 1, 1, 1}})), HasSubstr("target 1 of 1"));
  EXPECT_THAT(ErrorOf(Regressor({Stump(0, 0)}, {})), HasSubstr("no leaf has a weight"));
  EXPECT_THAT(ErrorOf(Regressor({}, one)), HasSubstr("there are no nodes"));
  EXPECT_THAT(ErrorOf(Classifier({Stump(0, 0)}, one)), HasSubstr("no labels of classes"));
  EXPECT_THAT(ErrorOf(Classifier({Stump(0, 0)}, {{0, 1, 1, 1}}).Ints("classlabels_int64s", {0, 1})),
              HasSubstr("2 classes of which the weights are those of one"));
  EXPECT_THAT(ErrorOf(Regressor({Stump(0, 0)}, one).String("post_transform", "PROBIT")),
              HasSubstr("post_transform PROBIT"));
}

}  // namespace
}  // namespace micrort::testing::onnx_trees
