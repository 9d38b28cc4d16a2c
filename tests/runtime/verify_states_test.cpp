// Files whose states are broken by hand.

#include <gmock/gmock.h>

#include <functional>

#include "micrort/model.h"
#include "tests/runtime/state_models.h"

namespace micrort::testing::verify_states {
namespace {

using ::testing::HasSubstr;

constexpr int kX = 0, kTotal = 1, kNext = 2;

struct BrokenState {
  const char* name;
  std::function<void(ModelBuilder&)> change;
  const char* message;
};

void Quantize(ModelBuilder& b, int tensor, float scale) {
  b.tensor(tensor).dtype = schema::DType::Int8;
  b.tensor(tensor).quantization = std::make_unique<schema::QuantizationT>();
  b.tensor(tensor).quantization->scales = {scale};
}

const BrokenState kFiles[] = {
    {"MoreThanInputs",
     [](ModelBuilder& b) {
       for (int i = 0; i < 2; ++i) b.graph().states.push_back(std::make_unique<schema::StateT>());
     },
     "3 states: expected as many inputs and outputs, found 2 and 2"},
    {"OtherType", [](ModelBuilder& b) { b.tensor(kTotal).dtype = schema::DType::Int32; },
     "state 0 ('total'): expected int32 of 'next', found float32"},
    {"OtherSize", [](ModelBuilder& b) { b.tensor(kTotal).shape = {4}; },
     "expected shape 4 of 'next', found 3"},
    {"OtherRank",
     [](ModelBuilder& b) {
       b.tensor(kTotal).shape = {1, 3};
     },
     "expected shape 1x3 of 'next', found 3"},
    {"OtherQuantization",
     [](ModelBuilder& b) {
       Quantize(b, kTotal, 1);
       Quantize(b, kNext, 2);
     },
     "expected 'next' to be quantized alike"},
    {"NamelessSize",
     [](ModelBuilder& b) { b.tensor(kTotal).shape = b.tensor(kNext).shape = b.tensor(kX).shape = {-1}; },
     "dimension 0: expected a size, or the name of a caller's, found ''"},
    {"NameOfNoCaller",
     [](ModelBuilder& b) {
       b.tensor(kTotal).shape = b.tensor(kNext).shape = b.tensor(kX).shape = {-1};
       b.tensor(kTotal).dim_names = {"n"};
       b.tensor(kX).dim_names = {"m"};
     },
     "dimension 0: expected a size, or the name of a caller's, found 'n'"},
    {"DecidesShapes", [](ModelBuilder& b) { b.tensor(kTotal).decides_shapes = true; },
     "expected a value that decides no shapes"},
    {"BecomesItself", [](ModelBuilder& b) { b.graph().outputs.back() = kTotal; },
     "'total' is a state, and cannot become the value of one"},
    {"InitialNowhere", [](ModelBuilder& b) { b.graph().states[0]->initial = 9; },
     "expected an initial value in a buffer below 1, found 9"},
    {"InitialTooShort",
     [](ModelBuilder& b) {
       b.graph().states[0]->initial = AddBuffer<float>(b, {1, 2});
     },
     "expected an initial value of 12 bytes, found 8 in buffer 1"},
    {"InitialEmpty", [](ModelBuilder& b) { b.graph().states[0]->initial = AddBuffer<float>(b, {}); },
     "expected an initial value of 12 bytes, found 0 in buffer 1"},
    {"InitialNoBool",
     [](ModelBuilder& b) {
       for (const int tensor : {kX, kTotal, kNext}) b.tensor(tensor).dtype = schema::DType::Bool;
       b.graph().states[0]->initial = AddBuffer<uint8_t>(b, {0, 1, 2});
     },
     "initial value: expected a bool of 0 or 1, found 2"},
    {"InitialOfDynamicShape",
     [](ModelBuilder& b) {
       for (const int tensor : {kX, kTotal, kNext}) {
         b.tensor(tensor).shape = {-1};
         b.tensor(tensor).dim_names = {"n"};
       }
       b.graph().states[0]->initial = AddBuffer<float>(b, {1, 2, 3});
     },
     "expected no initial value, as a dimension is dynamic"},
    {"OfABody",
     [](ModelBuilder& b) {
       b.Use(b.AddGraph("body"));
       const int x = b.Input("x", kF32, {1});
       b.Output(x);
       b.graph().states.push_back(std::make_unique<schema::StateT>());
     },
     "expected states of the first subgraph only"},
};

class VerifyStates : public ::testing::TestWithParam<BrokenState> {};

Status Load(const ModelBuilder& b) {
  const ModelFile file = b.Finish();
  return Model::FromBuffer(file.data(), file.size()).status();
}

TEST_P(VerifyStates, Refuses) {
  ModelBuilder b = Accumulator({3});
  EXPECT_TRUE(Load(b).ok()) << Load(b).message();
  GetParam().change(b);
  const Status status = Load(b);
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(Files, VerifyStates, ::testing::ValuesIn(kFiles),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace micrort::testing::verify_states
