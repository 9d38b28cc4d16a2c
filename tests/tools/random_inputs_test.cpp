// Integers of inputs that nobody gives.

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"
#include "tools/io/session.h"

namespace micrort::io::random_inputs {
namespace {

using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;

Status RunOnRandomInputs(const testing::ModelFile& file, std::vector<NamedArray>* arrays) {
  auto model = Model::FromBuffer(file.data(), file.size());
  MICRORT_RETURN_IF_ERROR(model.status());
  MICRORT_RETURN_IF_ERROR(LoadInputs(InputSpecs(*model), {}, {}, {}, arrays));
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, CreateFor(*model, *arrays, {}));
  FillInputs(*arrays, &interpreter);
  return BlameRandomIntegers(*arrays, interpreter.Run());
}

// Rows of tables of 1000 and of `types` by two inputs, and a mask.
Status RunSentence(int32_t types, std::vector<NamedArray>* arrays) {
  testing::ModelBuilder b;
  const int words = b.Input("words", DType::kInt64, {1, 64}),
            kinds = b.Input("kinds", DType::kInt64, {1, 64}),
            mask = b.Input("attention_mask", DType::kInt32, {64});
  const int narrow = b.Tensor("narrow", DType::kInt32, {1, 64}), flat = b.Tensor("flat", DType::kInt32, {64});
  b.Node(schema::CastOptionsT(), {kinds}, {narrow});
  schema::ReshapeOptionsT to_flat;
  to_flat.shape = {64};
  b.Node(to_flat, {narrow}, {flat});
  const auto pick = [&](const char* name, int32_t rows, int at, std::vector<int32_t> shape) {
    const int table = b.Constant<float>(std::string(name) + "_table", {rows, 1},
                                        std::vector<float>(static_cast<size_t>(rows)));
    const int y = b.Tensor(name, DType::kFloat32, std::move(shape));
    b.Node(schema::GatherOptionsT(), {table, at}, {y});
    b.Output(y);
  };
  pick("word", 1000, words, {1, 64, 1});
  pick("kind", types, flat, {64, 1});
  b.Output(mask);
  return RunOnRandomInputs(b.Finish(), arrays);
}

TEST(RandomInput, PicksRowsThatTablesHave) {
  std::vector<NamedArray> arrays;
  ASSERT_THAT(RunSentence(2, &arrays), IsOk());
  const auto* words = arrays[0].as<int64_t>();
  const auto* kinds = arrays[1].as<int64_t>();
  const auto* mask = arrays[2].as<int32_t>();
  EXPECT_GT(*std::max_element(words, words + 64), 50);
  EXPECT_EQ(*std::max_element(kinds, kinds + 64), 1);
  EXPECT_EQ(*std::max_element(mask, mask + 64), 1);
}

TEST(RandomInput, IsNamedWhereItMayBeToBlame) {
  testing::ModelBuilder b;
  const int at = b.Input("at", DType::kInt32, {64}), next = b.Tensor("next", DType::kInt32, {64});
  schema::BinaryOptionsT add;
  add.kind = schema::BinaryKind::Add;
  b.Node(add, {at, b.Constant<int32_t>("one", {1}, {1})}, {next});
  const int y = b.Tensor("y", DType::kFloat32, {64, 1});
  b.Node(schema::GatherOptionsT(), {b.Constant<float>("table", {3, 1}, {1, 2, 3}), next}, {y});
  b.Output(y);
  std::vector<NamedArray> arrays;
  EXPECT_THAT(RunOnRandomInputs(b.Finish(), &arrays),
              IsError(StatusCode::kOutOfRange,
                      HasSubstr("; inputs of random integers: 'at' (give values with --input NAME=FILE)")));
}

}  // namespace
}  // namespace micrort::io::random_inputs
