#include <gmock/gmock.h>

#include <vector>

#include "micrort/micrort.h"
#include "tests/runtime/fake_ops.h"
#include "tests/runtime/model_builder.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// x [?,2] and b [?,2] → (x + 1) + b, and the known shape of x.
class ResizeTest : public ::testing::Test {
 protected:
  ResizeTest()
      : resolver_(FakeOps()), file_(Build()), model_(Model::FromBuffer(file_.data(), file_.size())) {}

  static ModelFile Build() {
    ModelBuilder b;
    const int x = b.Input("x", kF32, {-1, 2});
    const int other = b.Input("b", kF32, {-1, 2});
    const int plus = b.Tensor("plus", kF32, {-1, 2});
    const int y = b.Tensor("y", kF32, {-1, 2});
    const int shape = b.Tensor("shape", DType::kInt64, {2});
    b.Node(schema::UnaryOptionsT(), {x}, {plus}, "plus");
    b.Node(schema::BinaryOptionsT(), {plus, other}, {y}, "add");
    b.Node(schema::ShapeOptionsT(), {x}, {shape}, "shape");
    b.Output(y);
    b.Output(shape);
    return b.Finish();
  }
  Interpreter Create(InterpreterOptions options = {}) {
    options.resolver = &resolver_;
    auto interpreter = Interpreter::Create(*model_, options);
    EXPECT_TRUE(interpreter.ok()) << interpreter.status().message();
    return std::move(interpreter.value());
  }
  static Status Resize(Interpreter& interpreter, std::vector<Shape> shapes) {
    return interpreter.Resize({shapes.data(), shapes.size()});
  }
  static void ExpectRuns(Interpreter& interpreter, int64_t rows) {
    ASSERT_EQ(interpreter.input(0).shape, Shape::Of(rows, 2));
    for (size_t i = 0; i < 2; ++i) {
      std::fill_n(interpreter.input(i).as<float>(), interpreter.input(i).elements(), 10.0f);
    }
    ASSERT_TRUE(interpreter.Run().ok());
    const TensorView y = interpreter.output(0);
    ASSERT_EQ(y.shape, Shape::Of(rows, 2));
    for (size_t i = 0; i < y.elements(); ++i) ASSERT_EQ(y.as<float>()[i], 21);
    EXPECT_THAT(
        std::vector<int64_t>(interpreter.output(1).as<int64_t>(), interpreter.output(1).as<int64_t>() + 2),
        ElementsAre(rows, 2));
  }

  OpResolver resolver_;
  ModelFile file_;
  Result<Model> model_;
};

TEST_F(ResizeTest, DynamicDimensionsStartAtOne) {
  Interpreter interpreter = Create();
  ExpectRuns(interpreter, 1);
}

TEST_F(ResizeTest, MayStartWithShapes) {
  const Shape shapes[] = {Shape::Of(9, 2), Shape::Of(9, 2)};
  InterpreterOptions options;
  options.input_shapes = shapes;
  Interpreter interpreter = Create(options);
  ExpectRuns(interpreter, 9);
  options.resolver = &resolver_;
  const auto required = Interpreter::RequiredArenaBytes(*model_, options);
  ASSERT_TRUE(required.ok());
  EXPECT_EQ(required.value(), interpreter.arena_bytes());
  options.input_shapes = {shapes, 1};
  EXPECT_EQ(Interpreter::Create(*model_, options).status().code(), StatusCode::kInvalidArgument);
}

TEST_F(ResizeTest, GrowsAndShrinks) {
  Interpreter interpreter = Create();
  for (const int64_t rows : {100, 1, 0, 1000, 7}) {
    const Shape shape = Shape::Of(rows, 2);
    ASSERT_TRUE(Resize(interpreter, {shape, shape}).ok());
    ExpectRuns(interpreter, rows);
  }
}

TEST_F(ResizeTest, ErrorsNameWhatIsWrongAndChangeNothing) {
  Interpreter interpreter = Create();
  const Shape four = Shape::Of(4, 2);
  ASSERT_TRUE(Resize(interpreter, {four, four}).ok());
  const auto expect_error = [&](std::vector<Shape> shapes, const char* message) {
    const Status status = Resize(interpreter, shapes);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr(message));
    ExpectRuns(interpreter, 4);
  };
  expect_error({four}, "expected 2 shapes, one an input, found 1");
  expect_error({four, Shape::Of(4, 3)}, "input 1 ('b'): dimension 1: expected 2, found 3");
  expect_error({Shape::Of(4), four}, "input 0 ('x'): expected rank 2 (?x2), found 1");
  expect_error({Shape::Of(-1, 2), four}, "input 0 ('x'): dimension 0: expected 0 or more, found -1");
  expect_error({four, Shape::Of(5, 2)}, "node 'add' (Binary): expected float32 of one shape");
  const Shape huge = Shape::Of(int64_t{1} << 61, 2);
  expect_error({huge, huge}, "is too large");
}

TEST_F(ResizeTest, CallersArenaMustSuffice) {
  alignas(64) static uint8_t arena[1024];
  InterpreterOptions options;
  options.arena = arena;
  options.arena_bytes = sizeof arena;
  Interpreter interpreter = Create(options);
  const Shape large = Shape::Of(1000, 2);
  const Status status = Resize(interpreter, {large, large});
  EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
  ExpectRuns(interpreter, 1);
  const Shape fits = Shape::Of(10, 2);
  ASSERT_TRUE(Resize(interpreter, {fits, fits}).ok());
  ExpectRuns(interpreter, 10);
}

TEST(Known, ShapesReachOperatorsThatNeedThem) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {-1, 2});
  const int shape = b.Tensor("shape", DType::kInt64, {2});
  const int one = b.Constant<float>("one", {1, 1}, {1.5f});
  const int expanded = b.Tensor("expanded", kF32, {-1, 2});
  b.Node(schema::ShapeOptionsT(), {x}, {shape});
  b.Node(schema::ExpandOptionsT(), {one, shape}, {expanded});
  b.Output(expanded);
  const ModelFile file = b.Finish();
  const OpResolver resolver = FakeOps();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  InterpreterOptions options;
  options.resolver = &resolver;
  auto interpreter = Interpreter::Create(*model, options);
  ASSERT_TRUE(interpreter.ok()) << interpreter.status().message();
  const Shape three = Shape::Of(3, 2);
  ASSERT_TRUE(interpreter->Resize({&three, 1}).ok());
  ASSERT_TRUE(interpreter->Run().ok());
  const TensorView y = interpreter->output(0);
  EXPECT_EQ(y.shape, three);
  EXPECT_THAT(std::vector<float>(y.as<float>(), y.as<float>() + 6),
              ElementsAre(1.5, 1.5, 1.5, 1.5, 1.5, 1.5));
  // Above 4096 elements it is computed as the model runs, in the arena.
  const size_t before = interpreter->arena_bytes();
  const Shape large = Shape::Of(3000, 2);
  ASSERT_TRUE(interpreter->Resize({&large, 1}).ok());
  ASSERT_TRUE(interpreter->Run().ok());
  EXPECT_EQ(interpreter->output(0).as<float>()[5999], 1.5f);
  EXPECT_GT(interpreter->arena_bytes(), before + 6000 * sizeof(float));
}

}  // namespace
}  // namespace micrort::testing
