// Tests that a model file carries: descriptions that are broken, and outputs that are others here.

#include <gmock/gmock.h>

#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"
#include "tests/tools/arrays.h"
#include "tools/io/self_test.h"

namespace micrort::io::refused_self_tests {
namespace {

using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;

// y = x negated.
testing::ModelBuilder Negation(DType dtype = DType::kFloat32) {
  testing::ModelBuilder b;
  schema::UnaryOptionsT negate;
  negate.kind = schema::UnaryKind::Neg;
  const int x = b.Input("x", dtype, {2}), y = b.Tensor("y", dtype, {2});
  b.Node(negate, {x}, {y});
  b.Output(y);
  return b;
}

Status Load(const testing::ModelBuilder& b, SelfTest* out) {
  const testing::ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  return model.ok() ? LoadSelfTest(*model, out) : model.status();
}

const char kFields[] = "tensors with 'name', 'dtype', 'shape' and 'buffer'";

TEST(RefusedSelfTest, BrokenDescriptions) {
  const std::string before = R"({"min_snr_db": 1, "runs": [{"outputs": [], "inputs": [)", after = "]}]}";
  const auto tensor = [&](const std::string& fields) { return before + fields + after; };
  const std::pair<std::string, const char*> descriptions[] = {
      {"[]", "a JSON object"},
      {R"({"runs": []})", "a number 'min_snr_db'"},
      {R"({"min_snr_db": "1"})", "a number 'min_snr_db'"},
      {R"({"min_snr_db": 1})", "an array 'runs'"},
      {R"({"min_snr_db": 1, "runs": []})", "an array 'runs'"},
      {R"({"min_snr_db": 1, "runs": {"a": 1}})", "an array 'runs'"},
      {R"({"min_snr_db": 1, "runs": [1]})", "'runs' of objects"},
      {R"({"min_snr_db": 1, "runs": [{}]})", "arrays 'inputs' and 'outputs' of each run"},
      {R"({"min_snr_db": 1, "runs": [{"inputs": 1}]})", "arrays 'inputs' and 'outputs' of each run"},
      {tensor("1"), kFields},
      {tensor(R"({"dtype": "float32", "shape": [], "buffer": 0})"), kFields},
      {tensor(R"({"name": 1, "dtype": "float32", "shape": [], "buffer": 0})"), kFields},
      {tensor(R"({"name": "x", "dtype": "float32", "shape": 1, "buffer": 0})"), kFields},
      {tensor(R"({"name": "x", "dtype": "float32", "shape": [], "buffer": -1})"), kFields},
      {tensor(R"({"name": "x", "dtype": "float33", "shape": [], "buffer": 0})"), "a known 'dtype'"},
      {tensor(R"({"name": "x", "dtype": "float32", "shape": ["2"], "buffer": 0})"), "integers in 'shape'"},
      {tensor(R"({"name": "x", "dtype": "float32", "shape": [2], "buffer": 99})"), "the index of a buffer"},
  };
  for (const auto& [text, expected] : descriptions) {
    testing::ModelBuilder b = Negation();
    b.model.metadata.push_back(std::make_unique<schema::MetadataT>());
    b.model.metadata.back()->key = kSelfTestKey;
    b.model.metadata.back()->value = text;
    SelfTest test;
    EXPECT_THAT(Load(b, &test),
                IsError(StatusCode::kInvalidModel, HasSubstr(std::string("expected ") + expected)))
        << text;
  }
}

// Keys that are searched one after the other would take minutes.
TEST(RefusedSelfTest, DescriptionsOfManyKeys) {
  std::string text = "{";
  for (int i = 0; i < 400000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  testing::ModelBuilder b = Negation();
  b.model.metadata.push_back(std::make_unique<schema::MetadataT>());
  b.model.metadata.back()->key = kSelfTestKey;
  b.model.metadata.back()->value = text + R"("min_snr_db":1})";
  SelfTest test;
  EXPECT_THAT(Load(b, &test), IsError(StatusCode::kInvalidModel, HasSubstr("an array 'runs'")));
}

// Each array of each run is a copy of its buffer.
TEST(RefusedSelfTest, ManyArraysOfOneBuffer) {
  const std::string array = R"({"name": "x", "dtype": "uint8", "shape": [1000000], "buffer": 1})";
  std::string arrays = array;
  for (int i = 0; i < 100000; ++i) arrays += "," + array;
  testing::ModelBuilder b = Negation();
  b.model.buffers.push_back(std::make_unique<schema::BufferT>());
  b.model.buffers.back()->data.resize(1000000);
  b.model.metadata.push_back(std::make_unique<schema::MetadataT>());
  b.model.metadata.back()->key = kSelfTestKey;
  std::string& text = b.model.metadata.back()->value;
  text = R"({"min_snr_db": 1, "runs": [{"outputs": [], "inputs": [)" + arrays + "]}]}";
  SelfTest test;
  EXPECT_THAT(Load(b, &test),
              IsError(StatusCode::kInvalidModel, HasSubstr("arrays that have buffers of their own")));
  text.resize(size_t{9} << 20, ' ');
  EXPECT_THAT(Load(b, &test), IsError(StatusCode::kInvalidModel, HasSubstr("at most 8 MiB")));
}

template <typename T>
Status RunOn(const SelfTest::Run& run, double min_snr_db, SelfTestResult* result) {
  testing::ModelBuilder b = Negation(kDTypeOf<T>);
  SelfTest stored, test;
  stored.min_snr_db = min_snr_db;
  stored.runs = {run};
  StoreSelfTest(stored, &b.model);
  const testing::ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  MICRORT_RETURN_IF_ERROR(model.status());
  MICRORT_RETURN_IF_ERROR(LoadSelfTest(*model, &test));
  return RunSelfTest(*model, test, {}, result);
}

template <typename T>
NamedArray Named(const std::string& name, const std::vector<T>& values) {
  NamedArray array = testing::MakeArray<T>({static_cast<int64_t>(values.size())}, values);
  array.name = name;
  return array;
}

TEST(RefusedSelfTest, OutputsThatAreOthers) {
  const NamedArray x = Named<float>("x", {1, 2});
  SelfTestResult result;
  EXPECT_THAT(RunOn<float>({{x}, {Named<float>("y", {-1, -2})}}, 40, &result), IsOk());
  EXPECT_TRUE(result.is_identical);
  EXPECT_THAT(RunOn<float>({{x}, {Named<float>("y", {-1, -2.001f})}}, 40, &result), IsOk());
  EXPECT_FALSE(result.is_identical);
  EXPECT_THAT(RunOn<float>({{x}, {Named<float>("y", {-1, -3})}}, 40, &result),
              IsError(StatusCode::kUnsupported, HasSubstr("expected an SNR of at least 40 dB, found")));
  EXPECT_THAT(
      RunOn<float>({{x}, {Named<float>("z", {-1, -2})}}, 40, &result),
      IsError(StatusCode::kUnsupported, HasSubstr("expected output 'z' float32[2], found 'y' float32[2]")));
  EXPECT_THAT(RunOn<int32_t>({{Named<int32_t>("x", {1, 2})}, {Named<int32_t>("y", {-1, -3})}}, 40, &result),
              IsError(StatusCode::kUnsupported, HasSubstr("output 'y' differs from element 1 on")));
}

TEST(RefusedSelfTest, OtherNumbersOfInputsAndOutputs) {
  const NamedArray x = Named<float>("x", {1, 2}), y = Named<float>("y", {-1, -2});
  SelfTestResult result;
  EXPECT_THAT(RunOn<float>({{}, {y}}, 40, &result),
              IsError(StatusCode::kInvalidModel, HasSubstr("the inputs of the model in each run")));
  EXPECT_THAT(RunOn<float>({{y}, {y}}, 40, &result),
              IsError(StatusCode::kInvalidModel, HasSubstr("the inputs of the model in each run")));
  EXPECT_THAT(RunOn<float>({{x}, {y, y}}, 40, &result),
              IsError(StatusCode::kInvalidModel, HasSubstr("the outputs of the model in each run")));
}

}  // namespace
}  // namespace micrort::io::refused_self_tests
