#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "micrort/custom_op.h"
#include "micrort/micrort.h"
#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

micrort_status SameShape(micrort_custom_call* call) {
  call->outputs[0].dtype = call->inputs[0].dtype;
  call->outputs[0].shape = call->inputs[0].shape;
  return MICRORT_OK;
}

float Factor(const micrort_custom_call* call) { return micrort_find_attribute(call, "factor")->floats[0]; }

// y = factor * x, through scratch and by several threads.
micrort_status PrepareScale(micrort_custom_call* call) {
  if (micrort_find_attribute(call, "factor") == nullptr) {
    std::strncpy(call->message, "expected a factor", call->message_bytes - 1);
    return MICRORT_INVALID_MODEL;
  }
  call->scratch_bytes = call->inputs[0].bytes;
  return SameShape(call);
}

micrort_status RunScale(micrort_custom_call* call) {
  call->parallel_for(
      call, call->inputs[0].bytes / sizeof(float),
      [](void* argument, size_t i, int32_t) {
        auto& c = *static_cast<micrort_custom_call*>(argument);
        auto* scratch = static_cast<float*>(c.scratch);
        scratch[i] = Factor(&c) * static_cast<const float*>(c.inputs[0].data)[i];
        static_cast<float*>(c.outputs[0].data)[i] = scratch[i];
      },
      call);
  return MICRORT_OK;
}

const micrort_custom_op kScaleOp = {
    sizeof(micrort_custom_op), "test", "Scale", nullptr, PrepareScale, RunScale, 0};

// The elements above zero.
micrort_status PreparePositive(micrort_custom_call* call) {
  call->open_dims[0] = 1;
  return SameShape(call);
}

micrort_status RunPositive(micrort_custom_call* call) {
  const auto* x = static_cast<const float*>(call->inputs[0].data);
  auto* y = static_cast<float*>(call->outputs[0].data);
  int64_t& count = call->outputs[0].shape.dims[0];
  count = 0;
  for (size_t i = 0; i < call->inputs[0].bytes / sizeof(float); ++i) {
    if (x[i] > 0) y[count++] = x[i];
  }
  return MICRORT_OK;
}

const micrort_custom_op kPositive = {sizeof(micrort_custom_op), "test",      "Positive", nullptr,
                                     PreparePositive,           RunPositive, 0};

micrort_status WrongRank(micrort_custom_call* call) {
  call->outputs[0].dtype = MICRORT_FLOAT32;
  call->outputs[0].shape.rank = 9;
  return MICRORT_OK;
}
const micrort_custom_op kWrongRank = {
    sizeof(micrort_custom_op), "test", "Scale", nullptr, WrongRank, RunScale, 0};

micrort_status Fail(micrort_custom_call* call) {
  std::memset(call->message, 'x', call->message_bytes);  // not even terminated
  return MICRORT_OUT_OF_RANGE;
}
const micrort_custom_op kFailing = {sizeof(micrort_custom_op), "test", "Scale", nullptr, SameShape, Fail, 0};

schema::CustomOptionsT Options(const std::string& name) {
  schema::CustomOptionsT options;
  options.domain = "test";
  options.name = name;
  return options;
}

schema::CustomOptionsT ScaleBy(float factor) {
  schema::CustomOptionsT options = Options("Scale");
  options.attributes.push_back(std::make_unique<schema::CustomAttributeT>());
  options.attributes[0]->name = "factor";
  options.attributes[0]->floats = {factor};
  return options;
}

ModelFile OneNode(schema::CustomOptionsT options, std::vector<int32_t> shape = {-1}) {
  ModelBuilder b;
  b.model.schema_version = 7;
  const int x = b.Input("x", kF32, shape);
  const int y = b.Tensor("y", kF32, {-1});
  b.Node(std::move(options), {x}, {y}, "node");
  b.Output(y);
  return b.Finish();
}

OpResolver With(const micrort_custom_op& op) {
  OpResolver resolver = AllOps();
  return resolver.AddCustom(op);
}

Result<Interpreter> CreateFor(const Model& model, const OpResolver& resolver, int64_t size = 4) {
  InterpreterOptions options;
  options.resolver = &resolver;
  options.threads = 2;
  const Shape shape = Shape::Of(size);
  options.input_shapes = {&shape, 1};
  return Interpreter::Create(model, options);
}

std::vector<float> RunOn(Interpreter& interpreter, const std::vector<float>& x) {
  std::memcpy(interpreter.input(0).data, x.data(), x.size() * sizeof(float));
  EXPECT_THAT(interpreter.Run(), IsOk());
  const TensorView y = interpreter.output(0);
  return {y.as<float>(), y.as<float>() + y.elements()};
}

TEST(Custom, ReadsAttributesAndHasScratchAndThreads) {
  const ModelFile file = OneNode(ScaleBy(2));
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model.status(), IsOk());
  Result<Interpreter> interpreter = CreateFor(*model, With(kScaleOp));
  ASSERT_THAT(interpreter.status(), IsOk());
  EXPECT_THAT(RunOn(*interpreter, {1, 2, 3, 4}), ElementsAre(2, 4, 6, 8));
  const Shape two = Shape::Of(2);
  ASSERT_THAT(interpreter->Resize({&two, 1}), IsOk());
  EXPECT_THAT(RunOn(*interpreter, {5, 6}), ElementsAre(10, 12));
}

TEST(Custom, DataDecideTheSizeOfAnOutput) {
  const ModelFile file = OneNode(Options("Positive"));
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  Result<Interpreter> interpreter = CreateFor(*model, With(kPositive));
  ASSERT_THAT(interpreter.status(), IsOk());
  EXPECT_THAT(RunOn(*interpreter, {1, -2, 3, -4}), ElementsAre(1, 3));
  EXPECT_THAT(RunOn(*interpreter, {-1, -2, -3, -4}), ElementsAre());
}

TEST(Custom, OneThatIsNotThereIsNamed) {
  const ModelFile file = OneNode(ScaleBy(2));
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  const Result<Interpreter> interpreter = CreateFor(*model, With(kPositive));
  EXPECT_EQ(interpreter.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(interpreter.status().message(), HasSubstr("custom operator Scale of domain 'test'"));
}

TEST(Custom, WhatItRefusesIsSaidInItsWords) {
  const ModelFile file = OneNode(Options("Scale"));
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  const Result<Interpreter> interpreter = CreateFor(*model, With(kScaleOp));
  EXPECT_EQ(interpreter.status().code(), StatusCode::kInvalidModel);
  EXPECT_THAT(interpreter.status().message(), HasSubstr("Scale: expected a factor"));
}

TEST(Custom, ImpossibleOutputsAreRefused) {
  const ModelFile file = OneNode(ScaleBy(2));
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  const Status status = CreateFor(*model, With(kWrongRank)).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("found type 1 and 9 dimensions"));
}

TEST(Custom, MoreAttributesThanThereIsRoomForAreRefused) {
  schema::CustomOptionsT options = ScaleBy(2);
  while (options.attributes.size() < 17)
    options.attributes.push_back(std::make_unique<schema::CustomAttributeT>());
  const ModelFile file = OneNode(std::move(options));
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  EXPECT_THAT(CreateFor(*model, With(kScaleOp)).status().message(),
              HasSubstr("expected at most 16 attributes, found more"));
}

TEST(Custom, MoreInputsThanThereIsRoomForAreRefused) {
  ModelBuilder b;
  b.model.schema_version = 7;
  const int x = b.Input("x", kF32, {-1}), y = b.Tensor("y", kF32, {-1});
  b.Node(ScaleBy(2), std::vector<int32_t>(17, x), {y}, "node");
  b.Output(y);
  const ModelFile file = b.Finish();
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  EXPECT_THAT(CreateFor(*model, With(kScaleOp)).status().message(),
              HasSubstr("expected at most 16 inputs and 1 to 16 outputs, found 17 and 1"));
}

TEST(Custom, AnErrorOfRunIsAnErrorOfTheRun) {
  const ModelFile file = OneNode(ScaleBy(2));
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  Result<Interpreter> interpreter = CreateFor(*model, With(kFailing));
  ASSERT_THAT(interpreter.status(), IsOk());
  EXPECT_EQ(interpreter->Run().code(), StatusCode::kOutOfRange);
}

TEST(Custom, ARequestForAnotherVersionOfTheStructureIsRefused) {
  micrort_custom_op old = kScaleOp;
  old.struct_bytes = 8;
  const ModelFile file = OneNode(ScaleBy(2));
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  EXPECT_EQ(CreateFor(*model, With(old)).status().code(), StatusCode::kInvalidArgument);
}

TEST(Custom, TheLastOneOfANameCountsAndTooManyAreRefused) {
  const ModelFile file = OneNode(ScaleBy(2));
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  OpResolver resolver = With(kFailing);
  resolver.AddCustom(kScaleOp);
  Result<Interpreter> interpreter = CreateFor(*model, resolver);
  ASSERT_THAT(interpreter.status(), IsOk());
  EXPECT_THAT(RunOn(*interpreter, {1, 2, 3, 4}), ElementsAre(2, 4, 6, 8));
  for (size_t i = 0; i < OpResolver::kMaxCustomOps; ++i) resolver.AddCustom(kScaleOp);
  EXPECT_EQ(CreateFor(*model, resolver).status().code(), StatusCode::kUnsupported);
}

TEST(Custom, UnknownOnesHaveTheOutputsThatTheModelStates) {
  schema::CustomOptionsT options = Options("Elsewhere");
  options.outputs.push_back(std::make_unique<schema::CustomOutputT>());
  options.outputs[0]->dtype = schema::DType::Float32;
  options.outputs[0]->shape = {-2};  // dimension 0 of input 0
  const ModelFile file = OneNode(std::move(options));
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  OpResolver resolver = AllOps();
  resolver.TakeUnknownCustom();
  Result<Interpreter> interpreter = CreateFor(*model, resolver, 3);
  ASSERT_THAT(interpreter.status(), IsOk());
  EXPECT_EQ(interpreter->output(0).shape, Shape::Of(3));
  EXPECT_EQ(interpreter->Run().code(), StatusCode::kUnsupported);
}

TEST(Custom, WhereTheModelStatesNothingUnknownOnesAreRefused) {
  for (const int32_t code : {-1, -3, -2 - 8}) {
    schema::CustomOptionsT options = Options("Elsewhere");
    options.outputs.push_back(std::make_unique<schema::CustomOutputT>());
    options.outputs[0]->dtype = schema::DType::Float32;
    options.outputs[0]->shape = {code};
    const ModelFile file = OneNode(std::move(options));
    Result<Model> model = Model::FromBuffer(file.data(), file.size());
    OpResolver resolver = AllOps();
    resolver.TakeUnknownCustom();
    EXPECT_EQ(CreateFor(*model, resolver).status().code(), StatusCode::kUnsupported) << code;
  }
}

TEST(Custom, UnknownOnesNeedATypeAndNoMoreThanEightDimensions) {
  const auto refused = [](schema::CustomOptionsT options) {
    const ModelFile file = OneNode(std::move(options));
    Result<Model> model = Model::FromBuffer(file.data(), file.size());
    OpResolver resolver = AllOps();
    resolver.TakeUnknownCustom();
    return CreateFor(*model, resolver).status();
  };
  EXPECT_THAT(refused(Options("Elsewhere")).message(),
              HasSubstr("does not state type and shape of output 0"));
  schema::CustomOptionsT options = Options("Elsewhere");
  options.outputs.push_back(std::make_unique<schema::CustomOutputT>());
  options.outputs[0]->dtype = schema::DType::Float32;
  options.outputs[0]->shape = std::vector<int32_t>(9, 1);
  EXPECT_THAT(refused(std::move(options)).message(),
              HasSubstr("output 0: expected at most 8 dimensions, found 9"));
}

TEST(Custom, CCallersHandOverTheirOperators) {
  const ModelFile file = OneNode(ScaleBy(3), {2});
  micrort_model* model = nullptr;
  char message[MICRORT_MESSAGE_BYTES];
  ASSERT_EQ(micrort_model_from_buffer(file.data(), file.size(), &model, message, sizeof message), MICRORT_OK);
  micrort_options options;
  micrort_options_init(&options);
  const micrort_custom_op* ops[] = {&kScaleOp};
  options.custom_ops = ops;
  options.custom_op_count = 1;
  micrort_interpreter* interpreter = nullptr;
  ASSERT_EQ(micrort_interpreter_create(model, &options, &interpreter, message, sizeof message), MICRORT_OK)
      << message;
  micrort_tensor x, y;
  ASSERT_EQ(micrort_interpreter_input(interpreter, 0, &x), MICRORT_OK);
  static_cast<float*>(x.data)[0] = 1;
  static_cast<float*>(x.data)[1] = 2;
  ASSERT_EQ(micrort_interpreter_run(interpreter, message, sizeof message), MICRORT_OK) << message;
  ASSERT_EQ(micrort_interpreter_output(interpreter, 0, &y), MICRORT_OK);
  EXPECT_EQ(static_cast<float*>(y.data)[1], 6);
  micrort_interpreter_destroy(interpreter);
  options.custom_op_count = OpResolver::kMaxCustomOps + 1;
  EXPECT_EQ(micrort_interpreter_create(model, &options, &interpreter, message, sizeof message),
            MICRORT_INVALID_ARGUMENT);
  micrort_model_destroy(model);
}

}  // namespace
}  // namespace micrort::testing
