// What new sizes make no difference to is prepared once; the bits are those of a new interpreter.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "runtime/interpreter/inspect.h"
#include "tests/runtime/growing_cache.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using Shapes = std::vector<Shape>;

Interpreter Create(const Model& model, const Shapes& shapes, InterpreterOptions options) {
  options.input_shapes = {shapes.data(), shapes.size()};
  auto interpreter = Interpreter::Create(model, options);
  EXPECT_THAT(interpreter.status(), IsOk());
  return std::move(interpreter.value());
}

// All bytes that come out for inputs of small numbers, some of them 0, with the shapes.
std::vector<uint8_t> OutputsOf(Interpreter& interpreter) {
  std::mt19937 random(5);
  for (size_t i = 0; i < interpreter.input_count(); ++i) {
    const TensorView x = interpreter.input(i);
    for (size_t k = 0; k < x.elements(); ++k) {
      if (x.dtype == DType::kFloat32) x.as<float>()[k] = static_cast<float>(random() % 4) - 1;
      if (x.dtype == DType::kBool) x.as<bool>()[k] = random() % 2 == 0;
      if (x.dtype == DType::kInt64) x.as<int64_t>()[k] = static_cast<int64_t>(random() % 3);
    }
  }
  EXPECT_THAT(interpreter.Run(), IsOk());
  std::vector<uint8_t> all;
  const auto add = [&all](const void* data, size_t bytes) {
    const auto* from = static_cast<const uint8_t*>(data);
    all.insert(all.end(), from, from + bytes);
  };
  for (size_t o = 0; o < interpreter.output_count(); ++o) {
    const TensorView y = interpreter.output(o);
    for (int d = 0; d < y.shape.rank; ++d) {
      const int64_t size = y.shape[d];
      add(&size, sizeof size);
    }
    if (y.bytes() != 0) add(y.data, y.bytes());
  }
  return all;
}

// One interpreter goes through all shapes; a new one has each of them alone.
void ExpectSameAsNew(const ModelBuilder& b, const std::vector<Shapes>& sizes,
                     InterpreterOptions options = RealOps()) {
  const ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model.status(), IsOk());
  Interpreter interpreter = Create(*model, sizes[0], options);
  for (const Shapes& shapes : sizes) {
    SCOPED_TRACE(ShapeString(shapes[0]).c_str());
    ASSERT_THAT(interpreter.Resize({shapes.data(), shapes.size()}), IsOk());
    Interpreter other = Create(*model, shapes, options);
    EXPECT_EQ(OutputsOf(interpreter), OutputsOf(other));
    EXPECT_EQ(OutputsOf(interpreter), OutputsOf(other));  // the first run left no traces
  }
}

std::vector<Shapes> SizesOf(const GrowingCache& cache) {
  std::vector<Shapes> sizes;
  for (const int64_t rows : {5, 6, 7, 7, 0, 1, 2, 300, 301, 3, 5, 6}) sizes.push_back(cache.Shapes(rows));
  return sizes;
}

TEST(KeptPreparations, OnlyWhatACacheGoesThroughIsPreparedAgain) {
  constexpr size_t kLayers = 6;
  const GrowingCache cache(kLayers);
  const ModelFile file = cache.Build().Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model.status(), IsOk());
  Interpreter interpreter = Create(*model, cache.Shapes(4), RealOps());
  EXPECT_EQ(PreparationsOf(interpreter), 6 * kLayers);
  for (const int64_t rows : {5, 6, 7, 8, 3, 100}) {
    const Shapes shapes = cache.Shapes(rows);
    ASSERT_THAT(interpreter.Resize({shapes.data(), shapes.size()}), IsOk());
    if (rows == 5) continue;  // Resize has two sets of plans, which take turns
    EXPECT_EQ(PreparationsOf(interpreter), 4 * kLayers) << rows;  // concat, tanh, exp, mean
    EXPECT_EQ(SearchesOf(interpreter), 0u) << rows;
  }
  const Shapes same = cache.Shapes(7);
  for (int i = 0; i < 3; ++i) ASSERT_THAT(interpreter.Resize({same.data(), same.size()}), IsOk());
  EXPECT_EQ(PreparationsOf(interpreter), 0u);
}

TEST(KeptPreparations, BitsOfACache) {
  const GrowingCache cache(3);
  ExpectSameAsNew(cache.Build(), SizesOf(cache));
  InterpreterOptions whole = RealOps();
  whole.whole_tensors = true;
  ExpectSameAsNew(cache.Build(), SizesOf(cache), whole);
  InterpreterOptions kept_inputs = RealOps();
  kept_inputs.keep_inputs = true;
  ExpectSameAsNew(cache.Build(), SizesOf(cache), kept_inputs);
  InterpreterOptions threads = RealOps();
  threads.threads = 3;
  ExpectSameAsNew(cache.Build(), SizesOf(cache), threads);
}

TEST(KeptPreparations, AfterErrors) {
  const GrowingCache cache(2);
  const ModelFile file = cache.Build().Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model.status(), IsOk());
  Interpreter interpreter = Create(*model, cache.Shapes(4), RealOps());
  for (const int64_t rows : {5, 6, 7, 8}) {
    Shapes wrong = cache.Shapes(rows);
    wrong[1] = Shape::Of(1, int64_t{1} << 60, 8);
    EXPECT_EQ(interpreter.Resize({wrong.data(), wrong.size()}).code(), StatusCode::kInvalidArgument);
    const Shapes shapes = cache.Shapes(rows);
    ASSERT_THAT(interpreter.Resize({shapes.data(), shapes.size()}), IsOk());
    Interpreter other = Create(*model, shapes, RealOps());
    EXPECT_EQ(OutputsOf(interpreter), OutputsOf(other));
  }
}

// Shapes that are computed: [n,2] and what follows, with a value that changes and one that does not.
TEST(KeptPreparations, ValuesThatFollowFromShapes) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {-1, 2}), y = b.Input("y", kF32, {-1, 3});
  const int shape = b.Tensor("shape", DType::kInt64, {2}), other = b.Tensor("other", DType::kInt64, {2});
  const int one = b.Constant<float>("one", {1, 1}, {1.5f});
  const int a = b.Tensor("a", kF32, {-1, 2}), c = b.Tensor("c", kF32, {-1, 3});
  b.Node(schema::ShapeOptionsT(), {x}, {shape});
  b.Node(schema::ShapeOptionsT(), {y}, {other});
  b.Node(schema::ExpandOptionsT(), {one, shape}, {a});
  b.Node(schema::ExpandOptionsT(), {one, other}, {c});
  for (const int t : {shape, other, a, c}) b.Output(t);
  std::vector<Shapes> sizes;
  for (const int64_t rows : {4, 5, 6, 3000, 6, 0, 3000, 1, 1}) {
    sizes.push_back({Shape::Of(rows, 2), Shape::Of(7, 3)});
  }
  ExpectSameAsNew(b, sizes);
}

// Sizes that a run decides, and what is computed from them.
TEST(KeptPreparations, SizesThatDataDecide) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {-1}), fixed = b.Input("fixed", kF32, {3});
  const int where = b.Tensor("where", DType::kInt64, {1, -1}),
            plus = b.Tensor("plus", DType::kInt64, {1, -1});
  const int negative = b.Tensor("negative", kF32, {3});
  b.Node(schema::NonZeroOptionsT(), {x}, {where});
  b.Node(BinaryOf(schema::BinaryKind::Add), {where, where}, {plus});
  schema::UnaryOptionsT neg;
  neg.kind = schema::UnaryKind::Neg;
  b.Node(neg, {fixed}, {negative});
  for (const int t : {where, plus, negative}) b.Output(t);
  std::vector<Shapes> sizes;
  for (const int64_t n : {4, 5, 6, 500, 6, 0, 1, 1}) sizes.push_back({Shape::Of(n), Shape::Of(3)});
  ExpectSameAsNew(b, sizes);
}

// They stay as they were planned, too, although a run gives them other sizes.
TEST(KeptPreparations, SizesThatDataDecideBesideOthers) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {6}), grows = b.Input("grows", DType::kInt64, {1, -1});
  const int where = b.Tensor("where", DType::kInt64, {1, -1}),
            plus = b.Tensor("plus", DType::kInt64, {1, -1});
  const int joined = b.Tensor("joined", DType::kInt64, {1, -1}),
            last = b.Tensor("last", DType::kInt64, {1, -1});
  b.Node(schema::NonZeroOptionsT(), {x}, {where});
  b.Node(BinaryOf(schema::BinaryKind::Add), {where, where}, {plus});
  schema::ConcatOptionsT concat;
  concat.axis = 1;
  b.Node(concat, {plus, grows}, {joined});
  b.Node(BinaryOf(schema::BinaryKind::Add), {joined, joined}, {last});
  for (const int t : {where, plus, joined, last}) b.Output(t);
  std::vector<Shapes> sizes;
  for (const int64_t n : {4, 5, 6, 500, 6, 0, 1, 1}) sizes.push_back({Shape::Of(6), Shape::Of(1, n)});
  ExpectSameAsNew(b, sizes);

  const ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model.status(), IsOk());
  Interpreter interpreter = Create(*model, sizes[0], RealOps());
  for (size_t i = 1; i < 4; ++i) {
    OutputsOf(interpreter);
    ASSERT_THAT(interpreter.Resize({sizes[i].data(), sizes[i].size()}), IsOk());
    EXPECT_EQ(interpreter.output(0).shape, Shape::Of(1, 6));  // the bound
    if (i > 1) {
      EXPECT_EQ(PreparationsOf(interpreter), 2u);
    }
  }
}

}  // namespace
}  // namespace micrort::testing
