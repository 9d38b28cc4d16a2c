#include "tests/converter/tflite_builder.h"

#include <gtest/gtest.h>

#include "converter/frontend/tflite/operator_names.h"
#include "tests/kept_seeds.h"

namespace micrort::testing {

namespace {

// Codes that do not fit into the field of older files.
constexpr int kLastOldCode = 127;

int CodeOf(const std::string& name) {
  constexpr int kCodes = 210;
  for (int code = 0; code < kCodes; ++code) {
    if (frontend::tflite::OperatorName(code) == name) return code;
  }
  return frontend::tflite::kCustomOperator;
}

}  // namespace

TfliteBuilder::TfliteBuilder() {
  model.version = 3;
  model.buffers.push_back(std::make_unique<fb::BufferT>());
  model.subgraphs.push_back(std::make_unique<fb::SubGraphT>());
  model.subgraphs[0]->name = "main";
}

int TfliteBuilder::AddSubgraph() {
  current_ = model.subgraphs.size();
  model.subgraphs.push_back(std::make_unique<fb::SubGraphT>());
  model.subgraphs.back()->name = "graph" + std::to_string(current_);
  return static_cast<int>(current_);
}

uint32_t TfliteBuilder::AddBuffer(std::vector<uint8_t> bytes) {
  model.buffers.push_back(std::make_unique<fb::BufferT>());
  model.buffers.back()->data = std::move(bytes);
  return static_cast<uint32_t>(model.buffers.size() - 1);
}

int TfliteBuilder::Tensor(const std::string& name, std::vector<int32_t> shape, fb::TensorType type,
                          const Quantized& q) {
  auto tensor = std::make_unique<fb::TensorT>();
  tensor->name = name;
  tensor->shape = std::move(shape);
  tensor->type = type;
  if (!q.scales.empty()) {
    tensor->quantization = std::make_unique<fb::QuantizationParametersT>();
    tensor->quantization->scale = q.scales;
    tensor->quantization->zero_point = q.zero_points;
    tensor->quantization->quantized_dimension = q.axis;
  }
  graph().tensors.push_back(std::move(tensor));
  return static_cast<int>(graph().tensors.size() - 1);
}

int TfliteBuilder::Input(const std::string& name, std::vector<int32_t> shape, fb::TensorType type,
                         const Quantized& q) {
  const std::vector<int32_t> signature = shape;
  for (int32_t& dim : shape) dim = dim < 0 ? 1 : dim;
  const int index = Tensor(name, shape, type, q);
  if (shape != signature) tensor(index).shape_signature = signature;
  graph().inputs.push_back(index);
  return index;
}

fb::OperatorT& TfliteBuilder::Op(const std::string& name, std::vector<int32_t> inputs,
                                 std::vector<int32_t> outputs) {
  const int number = CodeOf(name);
  auto code = std::make_unique<fb::OperatorCodeT>();
  code->builtin_code = number;
  code->deprecated_builtin_code = static_cast<int8_t>(std::min(number, kLastOldCode));
  if (number == frontend::tflite::kCustomOperator) code->custom_code = name;
  model.operator_codes.push_back(std::move(code));
  auto op = std::make_unique<fb::OperatorT>();
  op->opcode_index = static_cast<uint32_t>(model.operator_codes.size() - 1);
  op->inputs = std::move(inputs);
  op->outputs = std::move(outputs);
  graph().operators.push_back(std::move(op));
  return *graph().operators.back();
}

TfliteBuilder& TfliteBuilder::Output(int tensor) {
  graph().outputs.push_back(tensor);
  return *this;
}

std::string TfliteBuilder::Bytes(bool with_identifier) const {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(fb::Model::Pack(builder, &model), with_identifier ? fb::ModelIdentifier() : nullptr);
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

ImportedTflite ImportTflite(const std::string& bytes, const frontend::ImportOptions& options) {
  KeepSeed("tflite", bytes);
  ImportedTflite result;
  const Span<const uint8_t> span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  result.status = frontend::ImportModel("model.tflite", span, frontend::SourceFormat::kTflite, options,
                                        &result.module, &result.diagnostics);
  return result;
}

std::map<std::string, Floats> RunTflite(const TfliteBuilder& builder,
                                        const std::map<std::string, Floats>& inputs) {
  ImportedTflite imported = ImportTflite(builder.Bytes());
  EXPECT_TRUE(imported.status.ok()) << imported.status.message();
  std::map<std::string, Floats> outputs;
  if (!imported.status.ok()) return outputs;
  const Status status = Evaluate(imported.graph(), inputs, &outputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

}  // namespace micrort::testing
