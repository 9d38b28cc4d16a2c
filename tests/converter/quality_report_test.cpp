// --report and --verify=layers: what they say of layers, and in which order.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "converter/report/quality.h"
#include "converter/report/suggestions.h"
#include "tests/converter/graph_testing.h"

namespace micrort::report {
namespace {

using micrort::testing::TestGraph;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Four layers in a row: a, b, c, d.
class QualityReport : public ::testing::Test {
 protected:
  QualityReport() {
    ir::ValueId x = g_.Input("x", {1, 8, 8, 8});
    for (const char* name : {"a", "b", "c", "d"}) x = g_.Conv3x3(name, x, 8);
    g_.Output(x);
  }

  // `name` differs from the source model by this much.
  void Compared(const std::string& name, double snr) {
    compared_.emplace_back();
    compared_.back().name = name;
    const float signal[] = {1.0f, -0.5f};
    const float found[] = {1.0f, -0.5f + static_cast<float>(std::sqrt(1.25 * std::pow(10.0, -snr / 10)))};
    compared_.back().similarity.Add(signal, found, 2);
    compared_.back().values.Add(signal, 2, -0.5f, 1.0f);
  }

  Quality Judged() {
    const QualityInputs inputs = {"model.onnx", "12 samples", &g_.graph,  &summary_,
                                  &compared_,   &task_,       &warnings_, DetectCpuFeatures()};
    return Judge(inputs, Baseline());
  }

  TestGraph g_;
  Summary summary_;
  std::vector<ComparedTensor> compared_;
  TaskQuality task_;
  TaskAccuracy& accuracy_ = task_.accuracy;
  std::vector<quantize::SampleWarning> warnings_;
};

TEST_F(QualityReport, NamesTheFirstLayerWhereTheErrorJumps) {
  Compared("a", 38);
  Compared("b", 35);
  Compared("c", 14);
  Compared("d", 13);
  const Quality quality = Judged();
  ASSERT_NE(quality.first_jump, Quality::kNone);
  EXPECT_EQ(quality.layers[quality.first_jump].node, "c");
  EXPECT_THAT(LayersText(quality), HasSubstr("the error jumps first at Conv2D 'c': 35.0 dB before it, 14.0"));
}

TEST_F(QualityReport, NamesNoLayerWhereTheErrorGrowsSlowly) {
  Compared("a", 38);
  Compared("b", 34);
  Compared("c", 30);
  Compared("d", 26);
  EXPECT_EQ(Judged().first_jump, Quality::kNone);
}

TEST_F(QualityReport, SortsByWhatALayerAddsToTheErrorOfItsInputs) {
  Compared("a", 20);
  Compared("b", 19.9);
  Compared("c", 12);
  Compared("d", 11.9);
  const Quality quality = Judged();
  std::vector<std::string> names;
  for (const size_t i : ByDamage(quality)) names.push_back(quality.layers[i].node);
  EXPECT_THAT(names, ElementsAre("c", "a", "d", "b"));
}

TEST_F(QualityReport, FollowsErrorsThroughValuesThatTheSourceDoesNotName) {
  Compared("a", 15);
  Compared("c", 15);
  const Quality quality = Judged();
  EXPECT_NEAR(quality.layers[2].input_snr, 15, 0.01);
  EXPECT_NEAR(quality.layers[2].damage, 0, 1e-3);
}

TEST_F(QualityReport, PutsWarningsAboutTheSamplesFirst) {
  Compared("d", 3);
  warnings_ = {{"the samples do not look as the network expects", "check --mean and --scale", true}};
  const Quality quality = Judged();
  ASSERT_GE(quality.findings.size(), 2u);
  EXPECT_EQ(quality.findings[0].kind, Finding::Kind::kDoubtfulSamples);
  EXPECT_THAT(quality.findings[0].text, HasSubstr("--mean and --scale"));
  EXPECT_THAT(quality.findings[1].title, HasSubstr("Output 'd' has little to do with"));
  const std::string page = ToHtml(quality);
  EXPECT_LT(page.find("--mean and --scale"), page.find("Estimated time"));
}

TEST_F(QualityReport, FindsNothingInAGoodModel) {
  Compared("d", 40);
  EXPECT_THAT(Judged().findings, IsEmpty());
}

TEST_F(QualityReport, SaysWhyALayerIsNotQuantized) {
  summary_.quantization.exceptions = {{"b", "Conv2D", "sums too long"}};
  const Quality quality = Judged();
  EXPECT_EQ(quality.layers[1].kept_float, "sums too long");
  EXPECT_THAT(ToHtml(quality), HasSubstr("sums too long"));
}

TEST_F(QualityReport, EstimatesTheTimeOfEveryLayer) {
  for (const LayerQuality& layer : Judged().layers) EXPECT_GT(layer.microseconds, 0) << layer.node;
}

TEST_F(QualityReport, TellsRightAnswersOfSamplesWithLabels) {
  EXPECT_THAT(ToHtml(Judged()), Not(HasSubstr("Right answers")));
  EXPECT_THAT(ToJson(Judged()), HasSubstr("\"accuracy\": null"));
  accuracy_.Add({0, 1, 2}, {0, 1, 2}, 2);
  accuracy_.Add({0, 3, 2}, {0, 3, 4}, 1);
  accuracy_.Add({5, 3, 2}, {5, 3, 2}, 1);
  accuracy_.Add({5, 6, 2}, {7, 6, 2}, 0);
  EXPECT_EQ(accuracy_.Text(),
            "right answers: 50.00 % of 4 samples; in float 50.00 %, 50.00 % the same answers");
  EXPECT_THAT(ToHtml(Judged()), HasSubstr("Right answers"));
  EXPECT_THAT(ToJson(Judged()), HasSubstr("\"same_answers\": 0.5"));
}

// The chart is there twice, for a screen and for a phone, and the style shows one of them.
TEST_F(QualityReport, HasAChartForPhones) {
  Compared("a", 38);
  const std::string page = ToHtml(Judged());
  EXPECT_THAT(page,
              AllOf(HasSubstr("<svg class='large' width='960'"), HasSubstr("<svg class='narrow' width='340'"),
                    HasSubstr("svg.large { display: none; }"), HasSubstr("svg.narrow { display: none; }")));
}

TEST_F(QualityReport, IsOnePageThatReadsNothingElse) {
  Compared("a", 38);
  Compared("d", 25);
  const std::string page = ToHtml(Judged());
  EXPECT_THAT(page, AllOf(HasSubstr("<svg"), HasSubstr("polyline"), Not(HasSubstr("http")),
                          Not(HasSubstr("src=")), Not(HasSubstr("href=")), Not(HasSubstr("@import"))));
}

// Of a model in int8.
Quality AsInt8(Quality quality) {
  quality.summary.quant = QuantMode::kInt8;
  for (LayerQuality& layer : quality.layers) layer.computes = "int8";
  return quality;
}

TEST_F(QualityReport, SuggestsToKeepTheMostDamagingLayersInFloat) {
  g_.graph.nodes[2]->name = "it's";
  Compared("a", 38);
  Compared("b", 35);
  Compared("c", 14);
  Compared("d", 13.5);
  const Quality quality = AsInt8(Judged());
  std::vector<std::string> flags;
  for (const Suggestion& suggestion : Suggest(quality)) flags.push_back(suggestion.flags);
  EXPECT_THAT(flags, ElementsAre("--keep-float 'it'\\''s'", "--quant auto"));
  EXPECT_THAT(ToHtml(quality), HasSubstr("<code class='flags'>--quant auto</code>"));
  const auto json = nlohmann::json::parse(ToJson(quality));
  EXPECT_EQ(json["suggestions"][1]["flags"], "--quant auto");
}

TEST_F(QualityReport, SuggestsAnotherCalibrationWhereValuesAreClipped) {
  Compared("c", 14);
  Compared("d", 14);
  Quality quality = AsInt8(Judged());
  for (LayerQuality& layer : quality.layers) layer.clipped_share = layer.node == "c" ? 0.3 : 0.0;
  ASSERT_FALSE(Suggest(quality).empty());
  EXPECT_EQ(Suggest(quality)[0].flags, "--calib-method minmax");
}

TEST_F(QualityReport, SuggestsRealDataFirstAndNothingForAGoodModel) {
  Compared("d", 15);
  Quality quality = AsInt8(Judged());
  quality.verified_on = "random inputs";
  EXPECT_EQ(Suggest(quality)[0].flags, "--calib FOLDER");
  compared_.clear();
  Compared("d", 45);
  EXPECT_THAT(Suggest(AsInt8(Judged())), IsEmpty());
  EXPECT_THAT(ToHtml(AsInt8(Judged())), Not(HasSubstr("Flags to try")));
}

TEST_F(QualityReport, EscapesNamesFromTheModel) {
  g_.graph.nodes[0]->name = "<script>alert('a&b')</script>";
  EXPECT_THAT(ToHtml(Judged()),
              AllOf(Not(HasSubstr("<script")), HasSubstr("&lt;script&gt;alert(&#39;a&amp;b")));
}

TEST_F(QualityReport, IsJsonWithTheSameFigures) {
  Compared("a", 38);
  Compared("b", 12);
  Compared("d", HUGE_VAL);
  const auto json = nlohmann::json::parse(ToJson(Judged()));
  EXPECT_EQ(json["first_jump"], "b");
  EXPECT_EQ(json["layers"][0]["node"], "b");
  EXPECT_NEAR(json["layers"][0]["similarity"]["snr_db"].get<double>(), 12, 0.01);
  EXPECT_EQ(json["outputs"][0]["name"], "d");
  EXPECT_TRUE(json["outputs"][0]["snr_db"].is_null());
  EXPECT_TRUE(json["outputs"][0]["equal"].get<bool>());
}

}  // namespace
}  // namespace micrort::report
