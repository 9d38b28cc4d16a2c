// Samples, ranges and orders of dimensions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "converter/observe/ranges.h"
#include "converter/observe/reorder.h"
#include "converter/observe/samples.h"
#include "tests/converter/graph_testing.h"
#include "tools/io/file.h"
#include "tools/io/npy.h"
#include "tools/io/tensor_floats.h"

namespace micrort::observe {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ReorderDims, FollowsTheOrderAndItsInverse) {
  const std::vector<uint8_t> nchw = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};  // [1,3,2,2]
  const std::vector<int> to_nhwc = {0, 2, 3, 1};
  const std::vector<uint8_t> nhwc = ReorderDims(nchw, {1, 3, 2, 2}, to_nhwc, 1);
  EXPECT_THAT(nhwc, ElementsAre(1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12));
  EXPECT_THAT(InverseOrder(to_nhwc), ElementsAre(0, 3, 1, 2));
  EXPECT_EQ(ReorderDims(nhwc, {1, 2, 2, 3}, InverseOrder(to_nhwc), 1), nchw);
  EXPECT_EQ(ReorderDims(nchw, {1, 3, 2, 2}, {}, 1), nchw);
}

TEST(ReorderDims, MovesWholeElements) {
  EXPECT_THAT(ReorderDims({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2}, {1, 0}, 2), ElementsAre(1, 2, 5, 6, 3, 4, 7, 8));
}

using io::ToFloats;

TEST(ToFloats, Dequantizes) {
  const int8_t q[] = {-128, 0, 127};
  const float scale = 0.5f;
  const int32_t zero_point = -128;
  TensorView view;
  view.dtype = DType::kInt8;
  view.shape = Shape::Of(3);
  view.data = const_cast<int8_t*>(q);
  view.quantization = {&scale, &zero_point, 1, -1};
  EXPECT_THAT(ToFloats(view), ElementsAre(0.0f, 64.0f, 127.5f));
}

TEST(RangeObserver, TakesTheMeansOfChannels) {
  float x[] = {1.0f, 10.0f, 3.0f, 30.0f};
  TensorView view;
  view.name = "x";
  view.dtype = DType::kFloat32;
  view.shape = Shape::Of(2, 2);
  view.data = x;
  RangeObserver observer(CalibrationMethod::kMinMax);
  OpInfo op;
  op.outputs = {&view, 1};
  observer.AfterOp(op);
  x[0] = 7.0f;
  observer.AfterOp(op);
  EXPECT_THAT(observer.calibration().means.at("x"), ElementsAre(3.5, 20.0));
}

TEST(RangeObserver, LooksAtConstantsOnce) {
  const float x[] = {1.0f, 5.0f};
  TensorView view;
  view.name = "x";
  view.dtype = DType::kFloat32;
  view.shape = Shape::Of(2);
  view.data = const_cast<float*>(x);
  OpInfo op;
  op.inputs = {&view, 1};
  RangeObserver observer(CalibrationMethod::kMovingAverage, {reinterpret_cast<const uint8_t*>(x), sizeof x});
  for (int sample = 0; sample < 3; ++sample) {
    observer.BeforeOp(op);
    observer.BeforeOp(op);
    observer.EndSample();
  }
  const Calibration calibration = observer.calibration();
  EXPECT_EQ(calibration.histograms.at("x").total(), 2u);
  EXPECT_EQ(calibration.ranges.at("x").max, 5.0f);
}

TEST(RangeObserver, TakesFloatTensorsOfAllRuns) {
  float x[] = {1.0f, 5.0f}, y[] = {-2.0f, -1.0f};
  int32_t z[] = {7};
  TensorView views[3];
  views[0].name = "x";
  views[0].dtype = DType::kFloat32;
  views[0].shape = Shape::Of(2);
  views[0].data = x;
  views[1] = views[0];
  views[1].name = "y";
  views[1].data = y;
  views[2].name = "z";
  views[2].dtype = DType::kInt32;
  views[2].shape = Shape::Of(1);
  views[2].data = z;
  OpInfo op;
  op.inputs = {views, 1};
  op.outputs = {views + 1, 2};
  RangeObserver observer(CalibrationMethod::kMinMax);
  observer.BeforeOp(op);
  observer.AfterOp(op);
  x[0] = 9.0f;
  y[1] = std::numeric_limits<float>::quiet_NaN();
  observer.BeforeOp(op);
  observer.AfterOp(op);
  const Ranges ranges = observer.calibration().ranges;
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges.at("x").min, 0.0f);
  EXPECT_EQ(ranges.at("x").max, 9.0f);
  EXPECT_TRUE(ranges.at("x").finite);
  EXPECT_EQ(ranges.at("y").min, -2.0f);
  EXPECT_EQ(ranges.at("y").max, 0.0f);
  EXPECT_FALSE(ranges.at("y").finite);
}

class SampleSet : public ::testing::Test {
 protected:
  SampleSet() {
    char folder[] = "/tmp/micrort_samples_XXXXXX";
    folder_ = mkdtemp(folder);
  }
  ~SampleSet() override { std::system(("rm -r " + folder_).c_str()); }

  std::string Write(const std::string& name, const std::vector<int64_t>& shape,
                    const std::vector<float>& elements) {
    const std::vector<uint8_t> npy = io::FormatNpy(DType::kFloat32, shape, elements.data());
    const std::string path = folder_ + "/" + name;
    EXPECT_TRUE(io::WriteFileAtomically(path, Span<const uint8_t>(npy.data(), npy.size())).ok());
    return path;
  }
  Status Load(const std::vector<std::string>& paths) { return LoadSampleSet(paths, inputs_, {}, &samples_); }

  std::string folder_;
  std::vector<io::InputSpec> inputs_ = {{"x", DType::kFloat32, {1, 2}}};
  std::vector<Sample> samples_;
};

TEST_F(SampleSet, CutsLongArraysAndReadsFoldersByName) {
  Write("b.npy", {3, 2}, {3, 4, 5, 6, 7, 8});
  Write("a.npy", {1, 2}, {1, 2});
  std::ofstream(folder_ + "/notes.txt") << "not a sample";
  ASSERT_TRUE(Load({folder_}).ok());
  ASSERT_EQ(samples_.size(), 4u);
  EXPECT_EQ(samples_[0][0].as<float>()[0], 1.0f);
  EXPECT_EQ(samples_[3][0].as<float>()[1], 8.0f);
  EXPECT_THAT(samples_[3][0].shape, ElementsAre(1, 2));
}

TEST_F(SampleSet, ReadsFoldersInsideFoldersAndTellsWhatItRead) {
  std::filesystem::create_directories(folder_ + "/cats/small");
  Write("cats/small/a.npy", {1, 2}, {1, 2});
  Write("b.npy", {1, 2}, {3, 4});
  std::vector<std::string> files;
  ASSERT_TRUE(LoadSampleSet({folder_}, inputs_, {}, &samples_, &files).ok());
  EXPECT_THAT(files, ElementsAre(folder_ + "/b.npy", folder_ + "/cats/small/a.npy"));
  EXPECT_EQ(samples_[1][0].as<float>()[1], 2.0f);
}

TEST_F(SampleSet, RefusesWhatIsNotANumber) {
  const std::string path = Write("nan.npy", {1, 2}, {1, std::numeric_limits<float>::quiet_NaN()});
  const Status status = Load({path});
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("nan.npy"), HasSubstr("element 1"), HasSubstr("NaN")));
  EXPECT_TRUE(Load({Write("mask.npy", {1, 2}, {0, -std::numeric_limits<float>::infinity()})}).ok());
}

TEST_F(SampleSet, PairsInputsByPositionAndRepeatsSingles) {
  inputs_.push_back({"y", DType::kFloat32, {1}});
  const std::string x = Write("x.npy", {2, 2}, {1, 2, 3, 4}), y = Write("y.npy", {1}, {9});
  ASSERT_TRUE(Load({"y=" + y, "x=" + x}).ok());
  ASSERT_EQ(samples_.size(), 2u);
  EXPECT_EQ(samples_[1][0].as<float>()[0], 3.0f);
  EXPECT_EQ(samples_[1][1].as<float>()[0], 9.0f);
}

TEST_F(SampleSet, SaysWhatDoesNotFit) {
  EXPECT_EQ(Load({folder_ + "/none.npy"}).code(), StatusCode::kIo);
  EXPECT_THAT(Load({folder_}).message(), HasSubstr("no samples"));
  EXPECT_THAT(Load({Write("bad.npy", {1, 3}, {1, 2, 3})}).message(),
              HasSubstr("expected shape 1x2, found 1x3"));

  inputs_.push_back({"y", DType::kFloat32, {1}});
  const std::string x = Write("x.npy", {3, 2}, {1, 2, 3, 4, 5, 6}), y = Write("y.npy", {2}, {8, 9});
  EXPECT_THAT(Load({x}).message(), HasSubstr("one of x, y"));
  EXPECT_THAT(Load({"x=" + x, "y=" + y}).message(), HasSubstr("expected 3 samples (or 1), found 2"));
  EXPECT_THAT(Load({"x=" + x}).message(), HasSubstr("input 'y'"));
}

TEST(RandomSample, IsSeededAndGivesDynamicDimensionsASize) {
  const std::vector<io::InputSpec> inputs = {{"x", DType::kFloat32, {-1, 4}}, {"i", DType::kInt64, {2}}};
  Sample a, b;
  ASSERT_TRUE(RandomSample(inputs, 1, &a).ok());
  ASSERT_TRUE(RandomSample(inputs, 1, &b).ok());
  EXPECT_THAT(a[0].shape, ElementsAre(1, 4));
  EXPECT_EQ(a[0].data, b[0].data);
  EXPECT_EQ(a[1].dtype, DType::kInt64);
}

// A model of sentences has two types of tokens.
TEST(RandomSample, PicksRowsThatTablesHave) {
  testing::TestGraph g;
  const ir::ValueId words = g.Input("words", {1, 200}), types = g.Input("types", {1, 200});
  g.graph.value(words).dtype = g.graph.value(types).dtype = DType::kInt64;
  const ir::ValueId narrow = g.Node("narrow", schema::CastOptionsT(), {types});
  g.Node("word", schema::GatherOptionsT(), {g.Weights("many", {1000, 4}), words});
  g.Node("type", schema::GatherOptionsT(), {g.Weights("few", {2, 4}), narrow});
  g.graph.value(g.Input("attention_mask", {1, 200})).dtype = DType::kInt64;
  Sample sample;
  ASSERT_TRUE(RandomSample(InputSpecsOf(g.graph), 1, &sample).ok());
  const auto largest = [&sample](size_t input) {
    const auto* const x = reinterpret_cast<const int64_t*>(sample[input].data.data());
    return *std::max_element(x, x + 200);
  };
  EXPECT_GT(largest(0), 50);
  EXPECT_EQ(largest(1), 1);
  EXPECT_EQ(largest(2), 1);
}

TEST(RandomSample, RefusesInputsThatDecideShapes) {
  Sample sample;
  const Status status = RandomSample({{"target", DType::kInt64, {2}, true}}, 1, &sample);
  EXPECT_THAT(status.message(), HasSubstr("input 'target' decides shapes"));
}

}  // namespace
}  // namespace micrort::observe
