// Inputs and instruction sets of command lines that do not fit a model or this machine.

#include <gmock/gmock.h>

#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"
#include "tests/tools/arrays.h"
#include "tools/io/program.h"
#include "tools/io/session.h"

namespace micrort::io::refused_inputs {
namespace {

using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;

TEST(RefusedInput, WithoutANameOrAFile) {
  for (const char* text : {"x.npy", "=x.npy", "x="}) {
    InputFile file;
    EXPECT_THAT(
        ParseInputFile(text, &file),
        IsError(StatusCode::kInvalidArgument, HasSubstr("expected NAME=FILE, found '" + std::string(text))));
  }
}

Status Load(const std::vector<InputSpec>& specs, const std::vector<InputFile>& files,
            const ModelLimits& limits = {}) {
  std::vector<NamedArray> arrays;
  return LoadInputs(specs, files, {}, limits, &arrays);
}

TEST(RefusedInput, OfNoneOfTheModelsNames) {
  EXPECT_THAT(Load({{"x", DType::kFloat32, {2}, false}}, {{"y", "y.npy"}}),
              IsError(StatusCode::kInvalidArgument, HasSubstr("no such input; the model's inputs are 'x'")));
}

TEST(RefusedInput, NotGivenThoughItDecidesShapes) {
  EXPECT_THAT(Load({{"size", DType::kInt64, {2}, true}}, {}),
              IsError(StatusCode::kInvalidArgument, HasSubstr("input 'size' decides shapes")));
}

TEST(RefusedInput, LargerThanATensorMayBe) {
  ModelLimits limits;
  limits.max_tensor_bytes = 1024;
  EXPECT_THAT(Load({{"x", DType::kFloat32, {16, 16}, false}}, {}, limits), IsOk());
  EXPECT_THAT(
      Load({{"x", DType::kFloat32, {16, 17}, false}}, {}, limits),
      IsError(StatusCode::kUnsupported, HasSubstr("input 'x' of shape 16x17 takes more than 1024 bytes")));
}

// A Reshape of x to four elements.
Status CreateForSixElements(int32_t declared) {
  testing::ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {declared}), y = b.Tensor("y", DType::kFloat32, {4});
  b.Node(schema::ReshapeOptionsT(), {x, b.Constant<int64_t>("four", {1}, {4})}, {y});
  b.Output(y);
  const testing::ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  MICRORT_RETURN_IF_ERROR(model.status());
  NamedArray six = testing::MakeArray<float>({6}, {1, 2, 3, 4, 5, 6});
  return CreateFor(*model, {six}, {}).status();
}

TEST(RefusedInput, OfASizeThatTheModelDoesNotTake) {
  EXPECT_THAT(
      CreateForSixElements(-1),
      IsError(StatusCode::kInvalidArgument, HasSubstr("inputs of these sizes do not fit the model: 'x' 6")));
  EXPECT_THAT(CreateForSixElements(6), IsError(StatusCode::kInvalidModel));
}

Status Isa(const std::string& name) {
  ArgumentParser parser("program", "", "");
  const IsaFlag isa(parser);
  std::vector<std::string> words = {"program", "--isa", name};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  int exit_code = 0;
  EXPECT_TRUE(parser.Parse(static_cast<int>(arguments.size()), arguments.data(), &exit_code));
  CpuFeatures features = 0;
  return isa.Features(&features);
}

TEST(RefusedInput, InstructionSets) {
  EXPECT_THAT(Isa("scalar"), IsOk());
  EXPECT_THAT(Isa("avx3"), IsError(StatusCode::kInvalidArgument, HasSubstr("found 'avx3'")));
  const bool is_arm = (DetectCpuFeatures() & kCpuNeon) != 0;
  EXPECT_THAT(Isa(is_arm ? "avx2" : "neon"),
              IsError(StatusCode::kUnsupported, HasSubstr("this CPU has only")));
}

}  // namespace
}  // namespace micrort::io::refused_inputs
