#include <gtest/gtest.h>

#include "tests/runtime/c_api_use.h"
#include "tests/runtime/state_models.h"

namespace micrort::testing {
namespace {

TEST(CApi, WorksInC) {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {-1, 2});
  const int y = b.Tensor("y", DType::kFloat32, {2, -1});
  schema::TransposeOptionsT transpose;
  transpose.permutation = {1, 0};
  b.Node(transpose, {x}, {y});
  b.Output(y);
  const ModelFile file = b.Finish();
  const char* error = UseCApi(file.data(), file.size());
  EXPECT_EQ(error, nullptr) << error;
}

TEST(CApi, TakesValuesThatDecideShapes) {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {6});
  const int target = b.Input("target", DType::kInt64, {2});
  const int y = b.Tensor("y", DType::kFloat32, {-1, -1});
  b.tensor(target).decides_shapes = true;
  b.Node(schema::ReshapeOptionsT(), {x, target}, {y});
  b.Output(y);
  const ModelFile file = b.Finish();
  const char* error = UseCApiWithValues(file.data(), file.size());
  EXPECT_EQ(error, nullptr) << error;
}

TEST(CApi, KeepsStateBetweenRuns) {
  const ModelFile file = Accumulator({2}).Finish();
  const char* error = UseCApiWithState(file.data(), file.size());
  EXPECT_EQ(error, nullptr) << error;
}

}  // namespace
}  // namespace micrort::testing
