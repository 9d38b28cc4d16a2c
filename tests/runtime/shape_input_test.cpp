// Inputs whose values decide shapes, and dimensions of one name.

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/runtime/allocation_hook.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// y = Reshape(x + 1, target * 1), where x is [6] and target [2] decides shapes.
ModelBuilder ReshapeModel() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {6});
  const int target = b.Input("target", DType::kInt64, {2});
  const int one = b.Constant<int64_t>("one", {1}, {1});
  const int plus = b.Tensor("plus", DType::kFloat32, {6});
  const int shape = b.Tensor("shape", DType::kInt64, {2});
  const int y = b.Tensor("y", DType::kFloat32, {-1, -1});
  schema::BinaryOptionsT multiply;
  multiply.kind = schema::BinaryKind::Mul;
  b.Node(schema::UnaryOptionsT(), {x}, {plus}, "plus");
  b.Node(std::move(multiply), {target, one}, {shape}, "mul");
  b.Node(schema::ReshapeOptionsT(), {plus, shape}, {y}, "reshape");
  b.Output(y);
  b.tensor(target).decides_shapes = true;
  return b;
}

class ShapeInput : public ::testing::Test {
 protected:
  ShapeInput() : resolver_(FakeOps()) {
    resolver_.AddBinary();
    options_.resolver = &resolver_;
    options_.input_shapes = shapes_;
    options_.input_values = values_;
  }

  int64_t target_[2] = {2, 3};
  const Shape shapes_[2] = {Shape::Of(6), Shape::Of(2)};
  const void* const values_[2] = {nullptr, target_};
  OpResolver resolver_;
  InterpreterOptions options_;
};

TEST_F(ShapeInput, IsToldByTheModel) {
  const ModelFile file = ReshapeModel().Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model->input_count(), 2u);
  EXPECT_FALSE(model->decides_shapes(0));
  EXPECT_TRUE(model->decides_shapes(1));
  EXPECT_FALSE(model->decides_shapes(2));
  EXPECT_STREQ(model->input(1).name, "target");
  EXPECT_EQ(model->input(1).shape, Shape::Of(2));
  EXPECT_EQ(model->input(1).data, nullptr);
}

TEST_F(ShapeInput, IsTakenAtCreateAndAtResize) {
  TestSession session(ReshapeModel(), options_);
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  EXPECT_EQ(session->output(0).shape, Shape::Of(2, 3));
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  session.SetInput(0, x);
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(2, 3, 4, 5, 6, 7));

  target_[0] = 6;
  target_[1] = -1;
  ASSERT_TRUE(session->Resize(shapes_, values_).ok());
  EXPECT_EQ(session->output(0).shape, Shape::Of(6, 1));
  ASSERT_TRUE(session->Resize(shapes_).ok()) << "keeps the value";
  EXPECT_EQ(session->output(0).shape, Shape::Of(6, 1));
  EXPECT_EQ(session->input(1).as<int64_t>()[0], 6);
}

TEST_F(ShapeInput, MustBeGiven) {
  options_.input_values = {};
  const Status status = TestSession(ReshapeModel(), options_).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("input 1 ('target') decides shapes: its value must be given"));
  options_.input_values = {values_, 1};
  EXPECT_THAT(TestSession(ReshapeModel(), options_).status().message(), HasSubstr("expected 2 values"));
}

TEST_F(ShapeInput, MustNotChangeBeforeARun) {
  TestSession session(ReshapeModel(), options_);
  ASSERT_TRUE(session.status().ok());
  session.SetInput(0, {1, 2, 3, 4, 5, 6});
  session->input(1).as<int64_t>()[1] = 4;
  {
    const AllocationHook hook;
    const Status status = session->Run();
    EXPECT_EQ(AllocationHook::count(), 0u);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr("input 1 ('target') decides shapes and holds another value"));
  }
  session->input(1).as<int64_t>()[1] = 3;
  EXPECT_TRUE(session->Run().ok());
}

TEST_F(ShapeInput, AWrongValueIsAnErrorAndTheOldOneStays) {
  TestSession session(ReshapeModel(), options_);
  ASSERT_TRUE(session.status().ok());
  target_[0] = 4;
  const Status status = session->Resize(shapes_, values_);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("node 'reshape' (Reshape): cannot reshape 6 to 4x3"));
  EXPECT_EQ(session->output(0).shape, Shape::Of(2, 3));
  EXPECT_TRUE(session->Run().ok());
}

TEST_F(ShapeInput, HasAtMostSomeElements) {
  ModelBuilder b = ReshapeModel();
  b.tensor(1).shape = {5000};
  const std::vector<int64_t> many(5000);
  const Shape shapes[] = {Shape::Of(6), Shape::Of(5000)};
  const void* const values[] = {nullptr, many.data()};
  options_.input_shapes = shapes;
  options_.input_values = values;
  EXPECT_THAT(TestSession(b, options_).status().message(), HasSubstr("expected at most 4096 elements"));
}

TEST(DimensionNames, OfOneNameAreOfOneSize) {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {-1, -1});
  const int other = b.Input("b", DType::kFloat32, {-1, -1});
  const int y = b.Tensor("y", DType::kFloat32, {-1, -1});
  b.tensor(x).dim_names = {"batch", ""};
  b.tensor(other).dim_names = {"batch", ""};
  b.Node(schema::BinaryOptionsT(), {x, other}, {y});
  b.Output(y);
  TestSession session(b);
  ASSERT_TRUE(session.status().ok());
  const Shape wrong[] = {Shape::Of(2, 3), Shape::Of(4, 3)};
  const Status status = session->Resize(wrong);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("input 1 ('b'): dimension 0 ('batch'): expected 2, as dimension 0 of "
                        "input 0 ('x'), found 4"));
  const Shape right[] = {Shape::Of(4, 3), Shape::Of(4, 3)};
  EXPECT_TRUE(session->Resize(right).ok());
}

}  // namespace
}  // namespace micrort::testing
