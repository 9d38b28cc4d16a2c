// Outputs whose size data decides, and what is computed from them.

#include <gmock/gmock.h>

#include "tests/runtime/allocation_hook.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// kept = elements of x [8] that are not negative; plus = kept + 1.
struct KeepModel : ModelBuilder {
  KeepModel() {
    const int x = Input("x", kF32, {8});
    kept = Tensor("kept", kF32, {-1});
    plus = Tensor("plus", kF32, {-1});
    Node(schema::SliceOptionsT(), {x}, {kept}, "keep");
    Node(schema::UnaryOptionsT(), {kept}, {plus}, "plus");
  }
  int kept, plus;
};

const std::vector<float> kThree = {-1, 1, -1, 2, -1, -1, 3, -1};

TEST(BoundedOutput, ShowsItsBoundThenItsSize) {
  KeepModel b;
  b.Output(b.plus);
  TestSession session(b);
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  EXPECT_EQ(session->output(0).shape, Shape::Of(8));
  session.SetInput(0, kThree);
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(2, 3, 4));
  session.SetInput(0, std::vector<float>(8, -1));
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), IsEmpty());
  session.SetInput(0, std::vector<float>(8, 4));
  ASSERT_TRUE(session->Run().ok());
  EXPECT_EQ(session->output(0).shape, Shape::Of(8));
}

// Shape and what is computed from it is known while planning, and different in every run.
TEST(BoundedOutput, KnownValuesFollow) {
  KeepModel b;
  const int shape = b.Tensor("shape", DType::kInt64, {1});
  const int seven = b.Constant<float>("seven", {}, {7});
  const int filled = b.Tensor("filled", kF32, {-1});
  const int sum = b.Tensor("sum", kF32, {-1});
  b.Node(schema::ShapeOptionsT(), {b.plus}, {shape}, "shape");
  b.Node(schema::ExpandOptionsT(), {seven, shape}, {filled}, "expand");
  b.Node(schema::BinaryOptionsT(), {b.plus, filled}, {sum}, "add");
  b.Output(sum);
  b.Output(shape);
  TestSession session(b);
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(0, kThree);
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(9, 10, 11));
  EXPECT_EQ(session->output(1).as<int64_t>()[0], 3);
}

TEST(BoundedOutput, RunAllocatesNothing) {
  KeepModel b;
  b.Output(b.plus);
  TestSession session(b);
  session.SetInput(0, kThree);
  const AllocationHook hook;
  ASSERT_TRUE(session->Run().ok());
  EXPECT_EQ(AllocationHook::count(), 0u);
}

TEST(BoundedOutput, LaterNodesRefuseSizesThatDoNotFit) {
  KeepModel b;
  const int w = b.Constant<float>("w", {8}, {1, 2, 3, 4, 5, 6, 7, 8});
  const int y = b.Tensor("y", kF32, {-1});
  b.Node(schema::MatMulOptionsT(), {b.plus, w}, {y}, "scale");
  b.Output(y);
  TestSession session(b);
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(0, std::vector<float>(8, 1));
  ASSERT_TRUE(session->Run().ok());
  session.SetInput(0, kThree);  // now x and w differ in shape
  const Status status = session->Run();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("node 'scale' (MatMul)"));
}

TEST(BoundedOutput, DeclaredSizeIsChecked) {
  KeepModel b;
  b.tensor(b.kept).shape = {3};
  b.tensor(b.plus).shape = {-1};
  b.Output(b.plus);
  TestSession session(b);
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(0, kThree);
  EXPECT_TRUE(session->Run().ok());
  session.SetInput(0, std::vector<float>(8, 4));
  const Status status = session->Run();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("'kept': shape 8 came out, the file says 3"));
}

// 8 - size grows as the size shrinks, so its example is no bound.
TEST(BoundedOutput, MoreThanPlannedIsAnError) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {8});
  const int kept = b.Tensor("kept", kF32, {-1});
  const int size = b.Tensor("size", DType::kInt64, {1});
  const int eight = b.Constant<int64_t>("eight", {1}, {8});
  const int rest = b.Tensor("rest", DType::kInt64, {1});
  const int seven = b.Constant<float>("seven", {}, {7});
  const int filled = b.Tensor("filled", kF32, {-1});
  schema::BinaryOptionsT subtract;
  subtract.kind = schema::BinaryKind::Sub;
  b.Node(schema::SliceOptionsT(), {x}, {kept}, "keep");
  b.Node(schema::ShapeOptionsT(), {kept}, {size}, "size");
  b.Node(std::move(subtract), {eight, size}, {rest}, "rest");
  b.Node(schema::ExpandOptionsT(), {seven, rest}, {filled}, "expand");
  b.Output(filled);
  OpResolver resolver = FakeOps();
  resolver.AddBinary();
  InterpreterOptions options;
  options.resolver = &resolver;
  TestSession session(b, options);
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(0, std::vector<float>(8, 4));
  ASSERT_TRUE(session->Run().ok());
  session.SetInput(0, kThree);
  const Status status = session->Run();
  EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
  EXPECT_THAT(status.message(),
              HasSubstr("node 'expand' (Expand): output 'filled' came to 5, 20 bytes; 0 are planned"));
}

}  // namespace
}  // namespace micrort::testing
