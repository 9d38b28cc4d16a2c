// Small files that ask for much work or memory are refused by a message that names the limit.

#include "micrort/model_limits.h"

#include <gmock/gmock.h>

#include "tests/runtime/nested_loops.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

void ExpectRefused(const TestSession& session, const char* limit) {
  EXPECT_EQ(session.status().code(), StatusCode::kUnsupported) << session.status().message();
  EXPECT_THAT(session.status().message(), HasSubstr(limit));
}

InterpreterOptions Limited(ModelLimits limits) {
  InterpreterOptions options = RealOps();
  options.limits = limits;
  return options;
}

TEST(ModelLimits, LoopsInsideLoopsCountTheProductOfTheirTrips) {
  for (const std::vector<int64_t>& trips :
       {std::vector<int64_t>{4096, 4096}, {1 << 20, 1 << 20}, {INT64_MAX}, {INT64_MAX, INT64_MAX}}) {
    ExpectRefused(TestSession(NestedLoops(trips), RealOps()), "max_work");
  }
}

TEST(ModelLimits, ShortLoopsOfConstantsAreComputedWhilePlanning) {
  TestSession session(NestedLoops({3, 4}), RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  EXPECT_EQ(*(*session).output(0).as<int64_t>(), 1 + 3 * (0 + 1 + 2 + 3));  // without a run
}

TEST(ModelLimits, LongLoopsOfConstantsAreLeftToTheRun) {
  TestSession session(NestedLoops({4096, 4}), RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  ASSERT_TRUE((*session).Run().ok());
  EXPECT_EQ(*(*session).output(0).as<int64_t>(), 1 + 4096 * (0 + 1 + 2 + 3));
}

TEST(ModelLimits, PlanningEndsWhenItsBudgetIsSpent) {
  ModelLimits limits;
  limits.max_planning_work = 10'000'000;  // a few operators
  ExpectRefused(TestSession(NestedLoops({50, 50}), Limited(limits)), "max_planning_work");
}

// What is known of a loop's trips only in the run is counted there.
TEST(ModelLimits, ARunEndsWhenItsBudgetIsSpent) {
  ModelBuilder b;
  const int condition = b.Input("condition", DType::kBool, {});
  const int start = b.Input("start", DType::kFloat32, {1});
  const int last = b.Tensor("last", DType::kFloat32, {1});
  const uint32_t body = b.AddGraph("body");
  b.Node(LoopOf(body, 1, true), {-1, condition, start}, {last}, "loop");
  b.Output(last);
  b.Use(body);
  b.Input("iteration", DType::kInt64, {});
  const int go = b.Input("go", DType::kBool, {});
  const int before = b.Input("before", DType::kFloat32, {1});
  const int go_on = b.Tensor("go_on", DType::kBool, {});
  const int after = b.Tensor("after", DType::kFloat32, {1});
  b.Node(UnaryOf(schema::UnaryKind::Identity), {go}, {go_on}, "go");
  b.Node(UnaryOf(schema::UnaryKind::Identity), {before}, {after}, "keep");
  b.Output(go_on);
  b.Output(after);
  b.Use(0);
  ModelLimits limits;
  limits.max_work = 1'000'000'000;
  TestSession session(b, Limited(limits));
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  ByteOf((*session).input(0)) = 1;
  const Status status = (*session).Run();
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("max_work"));
}

TEST(ModelLimits, ALoopThatNeverEndsIsAnError) {
  ModelBuilder b;
  const int condition = b.Constant<uint8_t>("condition", {}, {1});
  b.tensor(condition).dtype = static_cast<decltype(b.tensor(condition).dtype)>(DType::kBool);
  const int start = b.Constant<int64_t>("start", {}, {1});
  const int last = b.Tensor("last", DType::kInt64, {});
  const uint32_t body = b.AddGraph("body");
  b.Node(LoopOf(body, 1, false), {-1, condition, start}, {last}, "loop");
  b.Output(last);
  b.Use(body);
  b.Input("iteration", DType::kInt64, {});
  b.Input("go", DType::kBool, {});
  const int before = b.Input("before", DType::kInt64, {});
  const int after = b.Tensor("after", DType::kInt64, {});
  b.Node(BinaryOf(schema::BinaryKind::Add), {before, before}, {after});
  b.Output(after);
  b.Use(0);
  TestSession session(b, RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  const Status status = (*session).Run();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("never changes"));
}

// rois [1,4] and images are constants; 64x64 cells.
ModelBuilder ConstantRoiAlign(int sampling_ratio) {
  ModelBuilder b;
  const int x = b.Constant<float>("x", {1, 4, 4, 1}, std::vector<float>(16, 1.0f));
  const int rois = b.Constant<float>("rois", {1, 4}, {0, 0, 250000, 250000});
  const int images = b.Constant<int64_t>("images", {1}, {0});
  const int y = b.Tensor("y", DType::kFloat32, {1, 64, 64, 1});
  schema::RoiAlignOptionsT options;
  options.output_h = options.output_w = 64;
  options.sampling_ratio = sampling_ratio;
  options.spatial_scale = 1;
  b.Node(options, {x, rois, images}, {y}, "roi");
  b.Output(y);
  return b;
}

TEST(ModelLimits, SamplesOfRegionsCount) {
  ExpectRefused(TestSession(ConstantRoiAlign(4096), RealOps()), "max_work");
  TestSession by_pixels(ConstantRoiAlign(0), RealOps());
  ASSERT_TRUE(by_pixels.status().ok()) << by_pixels.status().message();
  EXPECT_THAT((*by_pixels).Run().message(), HasSubstr("max_work"));
}

// Taps without an input pixel are multiplied, too.
TEST(ModelLimits, TransposedConvolutionsCountWhatTheyCompute) {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {1, 3, 3, 1}),
            w = b.Input("w", DType::kFloat32, {2, 100000, 3, 1});
  const int y = b.Tensor("y", DType::kFloat32, {-1, -1, -1, -1});
  schema::ConvTranspose2DOptionsT options;
  options.stride_w = 2;
  b.Node(options, {x, w}, {y}, "deconv");
  b.Output(y);
  ModelLimits limits;
  limits.max_work = 10'000'000'000;
  ExpectRefused(TestSession(b, Limited(limits)), "max_work");
}

// y = max of x expanded to `size`.
ModelBuilder MaxOfExpanded(int32_t size) {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {1});
  const int target = b.Constant<int64_t>("target", {1}, {size});
  const int wide = b.Tensor("wide", DType::kFloat32, {size});
  const int y = b.Tensor("y", DType::kFloat32, {1});
  schema::ReduceOptionsT reduce;
  reduce.kind = schema::ReduceKind::Max;
  reduce.axes = {0};
  reduce.keep_dims = true;
  b.Node(schema::ExpandOptionsT(), {x, target}, {wide}, "expand");
  b.Node(reduce, {wide}, {y}, "reduce");
  b.Output(y);
  return b;
}

TEST(ModelLimits, TensorsAndTheArenaAreBounded) {
  ModelLimits limits;
  limits.max_tensor_bytes = ModelLimits::kGiB;
  ExpectRefused(TestSession(MaxOfExpanded(300'000'000), Limited(limits)), "max_tensor_bytes");
  limits.max_tensor_bytes = 4000;
  ExpectRefused(TestSession(MaxOfExpanded(1001), Limited(limits)), "'wide'");
  EXPECT_TRUE(TestSession(MaxOfExpanded(1000), Limited(limits)).status().ok());
  limits = ModelLimits();
  limits.max_memory_bytes = 4032;  // the tensor and the result
  ExpectRefused(TestSession(MaxOfExpanded(1000), Limited(limits)), "max_memory_bytes");
}

TEST(ModelLimits, InputsAreTensorsToo) {
  ModelLimits limits;
  limits.max_tensor_bytes = 40;
  InterpreterOptions options;
  options.limits = limits;
  EXPECT_TRUE(TestSession(Chain(1, {10}), options).status().ok());
  ExpectRefused(TestSession(Chain(1, {11}), options), "'x'");
}

TEST(ModelLimits, OperatorsAreCounted) {
  InterpreterOptions options;
  options.limits.max_operators = 3;
  EXPECT_TRUE(TestSession(Chain(3, {1}), options).status().ok());
  ExpectRefused(TestSession(Chain(4, {1}), options), "max_operators");
}

TEST(ModelLimits, AFormerSizeStaysWhereANewOneIsRefused) {
  InterpreterOptions options;
  options.limits.max_tensor_bytes = 40;
  TestSession session(Chain(1, {-1}), options);
  ASSERT_TRUE(session.status().ok());
  const Shape large[] = {Shape::Of(11)};
  EXPECT_EQ((*session).Resize(large).code(), StatusCode::kUnsupported);
  EXPECT_TRUE((*session).Run().ok());
}

TEST(ModelLimits, ThoseOfDevicesAreTighter) {
  constexpr ModelLimits kDevice = ModelLimits::Device(), kDefault;
  static_assert(kDevice.max_operators < kDefault.max_operators);
  static_assert(kDevice.max_memory_bytes < kDefault.max_memory_bytes);
  ExpectRefused(TestSession(MaxOfExpanded(8 << 20), Limited(kDevice)), "max_tensor_bytes");
}

}  // namespace
}  // namespace micrort::testing
