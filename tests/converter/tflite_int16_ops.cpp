#include "tests/converter/tflite_int16_ops.h"

#include <type_traits>

#include "tests/converter/tflite_int16.h"

namespace micrort::testing::tflite_int16 {
namespace {

constexpr float kY = 0.02f, kWeights = 0.03f, kGate = 1.0f / 4096;

OneOp Unary(const std::string& op, float from = kInputScale, float to = kY) {
  OneOp one(op);
  one.In({2, 8}, Type::Int16, Scale(from)).Out({2, 8}, Type::Int16, Scale(to));
  return one;
}

template <typename OptionsT>
OneOp UnaryWith(const std::string& op, OptionsT options, float to = kY) {
  OneOp one = Unary(op, kInputScale, to);
  one.With(std::move(options));
  return one;
}

OneOp Pair(const std::string& op, Type type = Type::Int16) {
  OneOp one(op);
  one.In({2, 8}, Type::Int16, Scale(kInputScale)).In({2, 8}, Type::Int16, Scale(kInputScale));
  one.Out({2, 8}, type, type == Type::Int16 ? Scale(kInputScale) : Quantized());
  return one;
}

template <typename OptionsT>
OneOp PairWith(const std::string& op, OptionsT options) {
  OneOp one = Pair(op);
  one.With(std::move(options));
  return one;
}

void Bytes(OneOp* one, const TfliteDims& shape) { AddOnes<int8_t>(one, shape, Type::Int8, Scale(kWeights)); }

void State(OneOp* one, const TfliteDims& shape, Type type, const Quantized& q) {
  const std::string name = "s" + std::to_string(one->op().inputs.size());
  one->op().inputs.push_back(one->builder().Tensor(name, shape, type, q));
  one->builder().tensor(one->op().inputs.back()).is_variable = true;
}

template <typename OptionsT>
OneOp Conv(const std::string& op, const TfliteDims& weights) {
  OneOp one(op);
  OptionsT options;
  options.padding = fb::Padding::Same;
  options.stride_h = options.stride_w = 1;
  if constexpr (std::is_same_v<OptionsT, fb::DepthwiseConv2DOptionsT>) options.depth_multiplier = 1;
  if (op == "TRANSPOSE_CONV") one.Ints({1, 4, 4, 3});
  const auto image = [&] { one.In({1, 4, 4, 3}, Type::Int16, Scale(kInputScale)); };
  if (op != "TRANSPOSE_CONV") image();
  Bytes(&one, weights);
  if (op == "TRANSPOSE_CONV") image();
  AddOnes<int64_t>(&one, {3}, Type::Int64, Scale(kInputScale * kWeights));
  one.With(options).Out({1, 4, 4, 3}, Type::Int16, Scale(kY));
  return one;
}

OneOp FullyConnected() {
  OneOp one("FULLY_CONNECTED");
  one.In({2, 8}, Type::Int16, Scale(kInputScale));
  Bytes(&one, {3, 8});
  one.With(fb::FullyConnectedOptionsT()).Out({2, 3}, Type::Int16, Scale(kY));
  return one;
}

OneOp Pool(const std::string& op) {
  fb::Pool2DOptionsT options;
  options.filter_width = options.filter_height = options.stride_w = options.stride_h = 2;
  options.padding = fb::Padding::Valid;
  OneOp one = MoveOp(op, {1, 4, 4, 3}, {}, {1, 2, 2, 3});
  one.With(options);
  return one;
}

OneOp Reduce(const std::string& op) {
  OneOp one = MoveOp(op, {2, 8}, {{1}}, {2});
  one.With(fb::ReducerOptionsT());
  return one;
}

OneOp Extreme(const std::string& op) {
  OneOp one(op);
  one.In({2, 8}, Type::Int16, Scale(kInputScale)).Ints({1}).Out({2}, Type::Int32);
  return one;
}

OneOp BatchMatMul() {
  OneOp one("BATCH_MATMUL");
  one.In({2, 8}, Type::Int16, Scale(kInputScale)).In({8, 3}, Type::Int16, Scale(kInputScale));
  one.With(fb::BatchMatMulOptionsT()).Out({2, 3}, Type::Int16, Scale(kY));
  return one;
}

OneOp PRelu() {
  OneOp one("PRELU");
  one.In({1, 2, 2, 3}, Type::Int16, Scale(kInputScale));
  Bytes(&one, {1, 1, 3});
  one.Out({1, 2, 2, 3}, Type::Int16, Scale(kY));
  return one;
}

OneOp Svdf(Type state) {
  OneOp one("SVDF");
  one.In({1, 8}, Type::Int8, Scale(kInputScale, 3));
  Bytes(&one, {4, 8});
  if (state == Type::Int16) AddOnes<int16_t>(&one, {4, 5}, Type::Int16, Scale(kWeights));
  if (state == Type::Int8) Bytes(&one, {4, 5});
  AddOnes<int32_t>(&one, {2}, Type::Int32, Scale(kInputScale * kWeights));
  State(&one, {1, 20}, state, Scale(kInputScale));
  fb::SVDFOptionsT options;
  options.rank = 2;
  options.fused_activation_function = fb::ActivationFunctionType::Relu;
  one.With(options).Out({1, 2}, Type::Int8, Scale(kY, -128));
  return one;
}

OneOp Lstm(Type type) {
  OneOp one("UNIDIRECTIONAL_SEQUENCE_LSTM");
  const Quantized hidden = Scale(kInputScale, type == Type::Int8 ? 5 : 0);
  one.In({1, 3, 4}, type, hidden);
  for (int i = 0; i < 8; ++i) Bytes(&one, {2, 4 - i / 4 * 2});
  one.Absent(3);
  for (int i = 0; i < 4; ++i) {
    if (type == Type::Int8) AddOnes<int32_t>(&one, {2}, Type::Int32, Scale(kInputScale * kWeights));
    if (type == Type::Int16) AddOnes<int64_t>(&one, {2}, Type::Int64, Scale(kInputScale * kWeights));
  }
  one.Absent(2);
  State(&one, {1, 2}, type, hidden);
  State(&one, {1, 2}, Type::Int16, Scale(1.0f / 32768));
  one.Absent(4);
  fb::UnidirectionalSequenceLSTMOptionsT options;
  options.fused_activation_function = fb::ActivationFunctionType::Tanh;
  one.With(options).Out({1, 3, 2}, type, hidden);
  return one;
}

OneOp Softmax(float beta) {
  fb::SoftmaxOptionsT options;
  options.beta = beta;
  return UnaryWith("SOFTMAX", options, kTable);
}

OneOp LeakyRelu() {
  fb::LeakyReluOptionsT options;
  options.alpha = 0.1f;
  return UnaryWith("LEAKY_RELU", options);
}

OneOp Conversion(Type from, Type to) {
  const auto q = [](Type type, float scale) {
    return type == Type::Float32 ? Quantized() : Scale(scale, type == Type::UInt8 ? 128 : 0);
  };
  OneOp one("QUANTIZE");
  one.In({2, 8}, from, q(from, kInputScale)).Out({2, 8}, to, q(to, kY));
  return one;
}

}  // namespace

OneOp MoveOp(const std::string& op, const TfliteDims& x, const std::vector<TfliteDims>& constants,
             const TfliteDims& y) {
  OneOp one(op);
  one.In(x, Type::Int16, Scale(kInputScale));
  for (const TfliteDims& numbers : constants) one.Ints(numbers);
  one.Out(y, Type::Int16, Scale(kInputScale));
  return one;
}

std::vector<Int16Op> Int16Functions() {
  std::vector<Int16Op> all = {
      {"LOGISTIC", [] { return Unary("LOGISTIC", kGate, kTable); }},
      {"TANH", [] { return Unary("TANH", kGate, kTable); }},
      {"LOGISTIC of another scale", [] { return Unary("LOGISTIC", kY / 64, kTable); }},
      {"TANH of another scale", [] { return Unary("TANH", kY / 64, kTable); }},
      {"SOFTMAX", [] { return Softmax(1); }},
      {"SOFTMAX with_beta", [] { return Softmax(0.3f); }},
      {"LEAKY_RELU", LeakyRelu},
      {"PRELU", PRelu},
      {"ADD", [] { return PairWith("ADD", fb::AddOptionsT()); }},
      {"SUB", [] { return PairWith("SUB", fb::SubOptionsT()); }},
      {"MUL", [] { return PairWith("MUL", fb::MulOptionsT()); }},
      {"DIV", [] { return PairWith("DIV", fb::DivOptionsT()); }},
      {"ADD_N", [] { return Pair("ADD_N"); }},
      {"CUMSUM",
       [] {
         return MoveOp("CUMSUM", {2, 8}, {{1}}, {2, 8});
       }},
      {"SQUARED_DIFFERENCE", [] { return Pair("SQUARED_DIFFERENCE"); }},
      {"SQUARED_DIFFERENCE of_bytes", [] {
         OneOp one("SQUARED_DIFFERENCE");
         one.In({2, 8}, Type::Int8, Scale(kInputScale, 3)).In({2, 8}, Type::Int8, Scale(kY, -5));
         one.Out({2, 8}, Type::Int8, Scale(kInputScale, -128));
         return one;
       }}};
  for (const char* op : {"ABS", "RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1", "HARD_SWISH", "ELU", "GELU",
                         "EXP", "LOG", "SQRT", "RSQRT", "SQUARE", "NEG", "LOG_SOFTMAX", "L2_NORMALIZATION"})
    all.push_back({op, [op] { return Unary(op); }});
  return all;
}

std::vector<Int16Op> Int16Layers() {
  std::vector<Int16Op> all = {{"CONV_2D",
                               [] {
                                 return Conv<fb::Conv2DOptionsT>("CONV_2D", {3, 3, 3, 3});
                               }},
                              {"DEPTHWISE_CONV_2D",
                               [] {
                                 return Conv<fb::DepthwiseConv2DOptionsT>("DEPTHWISE_CONV_2D", {1, 3, 3, 3});
                               }},
                              {"TRANSPOSE_CONV",
                               [] {
                                 return Conv<fb::TransposeConvOptionsT>("TRANSPOSE_CONV", {3, 3, 3, 3});
                               }},
                              {"FULLY_CONNECTED", FullyConnected},
                              {"BATCH_MATMUL", BatchMatMul},
                              {"SVDF of_int16_states", [] { return Svdf(Type::Int16); }},
                              {"SVDF of_int8_states", [] { return Svdf(Type::Int8); }},
                              {"UNIDIRECTIONAL_SEQUENCE_LSTM of_16x8", [] { return Lstm(Type::Int16); }},
                              {"UNIDIRECTIONAL_SEQUENCE_LSTM of_8x8_16", [] { return Lstm(Type::Int8); }}};
  for (const char* op : {"AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"})
    all.push_back({op, [op] { return Pool(op); }});
  for (const char* op : {"MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD"})
    all.push_back({op, [op] { return Reduce(op); }});
  for (const char* op : {"ARG_MAX", "ARG_MIN"}) all.push_back({op, [op] { return Extreme(op); }});
  return all;
}

std::vector<Int16Op> Int16Conversions() {
  std::vector<Int16Op> all;
  const std::pair<Type, const char*> types[] = {
      {Type::UInt8, "uint8"}, {Type::Int8, "int8"}, {Type::Int16, "int16"}, {Type::Int32, "int32"}};
  for (const auto& [from, from_name] : types) {
    for (const auto& [to, to_name] : types) {
      all.push_back({std::string("QUANTIZE ") + from_name + "_to_" + to_name,
                     [from = from, to = to] { return Conversion(from, to); }});
    }
  }
  return all;
}

}  // namespace micrort::testing::tflite_int16
