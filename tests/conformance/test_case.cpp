#include "tests/conformance/test_case.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "converter/convert.h"
#include "micrort/micrort.h"
#include "tests/conformance/compare.h"
#include "tests/kept_seeds.h"
#include "tools/io/file.h"
#include "tools/io/session.h"
#include "tools/io/tensor_proto.h"

namespace micrort::conformance {
namespace {

namespace fs = std::filesystem;

bool IsTensor(const onnx::ValueInfoProto& value) {
  return value.type().has_tensor_type() &&
         value.type().tensor_type().elem_type() != onnx::TensorProto::STRING;
}

bool TensorsOnly(const onnx::GraphProto& graph) {
  return std::all_of(graph.input().begin(), graph.input().end(), IsTensor) &&
         std::all_of(graph.output().begin(), graph.output().end(), IsTensor);
}

Status ReadTensors(const fs::path& folder, const std::string& prefix, std::vector<io::NamedArray>* out) {
  for (int i = 0;; ++i) {
    const fs::path path = folder / (prefix + std::to_string(i) + ".pb");
    if (!fs::exists(path)) return Status();
    std::vector<uint8_t> bytes;
    MICRORT_RETURN_IF_ERROR(io::ReadFile(path.string(), &bytes));
    io::NamedArray array;
    MICRORT_RETURN_IF_ERROR(
        io::ParseTensorProto(path.filename().string(), {bytes.data(), bytes.size()}, &array));
    out->push_back(std::move(array));
  }
}

// The suites store bfloat16 tensors as their bit patterns, typed uint16.
void AsStored(DType model_type, io::NamedArray* array) {
  if (model_type == DType::kBFloat16 && array->dtype == DType::kUInt16) array->dtype = DType::kBFloat16;
}

// Made by the first data set, planned again where another one needs it.
Status PlanFor(const Model& model, const std::vector<io::NamedArray>& inputs,
               std::unique_ptr<Interpreter>* interpreter) {
  if (*interpreter != nullptr) return io::ResizeToInputs(model, inputs, interpreter->get());
  MICRORT_ASSIGN_OR_RETURN(Interpreter created, io::CreateFor(model, inputs, InterpreterOptions()));
  *interpreter = std::make_unique<Interpreter>(std::move(created));
  return Status();
}

Status ReadInputs(const fs::path& folder, const Model& model, std::vector<io::NamedArray>* inputs) {
  MICRORT_RETURN_IF_ERROR(ReadTensors(folder, "input_", inputs));
  if (inputs->size() != model.input_count()) {
    return MICRORT_ERROR(kInternal, "expected %zu inputs, found %zu", inputs->size(), model.input_count());
  }
  for (size_t i = 0; i < inputs->size(); ++i) {
    io::NamedArray& input = (*inputs)[i];
    AsStored(model.input(i).dtype, &input);
    if (input.dtype != model.input(i).dtype) return MICRORT_ERROR(kInternal, "input type differs");
  }
  return Status();
}

Status RunDataSet(const fs::path& folder, const Model& model, std::unique_ptr<Interpreter>* interpreter) {
  std::vector<io::NamedArray> inputs, expected;
  MICRORT_RETURN_IF_ERROR(ReadInputs(folder, model, &inputs));
  MICRORT_RETURN_IF_ERROR(ReadTensors(folder, "output_", &expected));
  MICRORT_RETURN_IF_ERROR(PlanFor(model, inputs, interpreter));
  io::FillInputs(inputs, interpreter->get());
  MICRORT_RETURN_IF_ERROR((*interpreter)->Run());
  if (expected.size() != (*interpreter)->output_count()) {
    return MICRORT_ERROR(kInternal, "expected %zu outputs, found %zu", expected.size(),
                         (*interpreter)->output_count());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    const TensorView output = (*interpreter)->output(i);
    AsStored(output.dtype, &expected[i]);
    MICRORT_RETURN_IF_ERROR(Compare(expected[i], output).WithPrefix("output %zu", i));
  }
  return Status();
}

Status ConvertAndRun(const fs::path& folder, const std::vector<uint8_t>& source) {
  ConvertResult converted;
  MICRORT_RETURN_IF_ERROR(
      ConvertBytes("model.onnx", {source.data(), source.size()}, ConvertOptions(), &converted));
  testing::KeepSeed("onnx", {source.begin(), source.end()});
  testing::KeepSeed("model", {converted.file.begin(), converted.file.end()});
  MICRORT_ASSIGN_OR_RETURN(Model model, Model::FromBuffer(converted.file.data(), converted.file.size()));
  std::unique_ptr<Interpreter> interpreter;
  for (int i = 0; fs::exists(folder / ("test_data_set_" + std::to_string(i))); ++i) {
    MICRORT_RETURN_IF_ERROR(RunDataSet(folder / ("test_data_set_" + std::to_string(i)), model, &interpreter));
  }
  return Status();
}

}  // namespace

Status ListCases(const std::string& suite_folder, std::vector<std::string>* folders) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(suite_folder, error)) {
    if (fs::exists(entry.path() / "model.onnx")) folders->push_back(entry.path().string());
  }
  if (error) return MICRORT_ERROR(kIo, "%s: cannot list: %s", suite_folder.c_str(), error.message().c_str());
  std::sort(folders->begin(), folders->end());
  return Status();
}

CaseResult RunCase(const std::string& folder_name) {
  const fs::path folder(folder_name);
  CaseResult result;
  result.name = (folder.parent_path().filename() / folder.filename()).string();
  std::vector<uint8_t> source;
  Status status = io::ReadFile((folder / "model.onnx").string(), &source);
  onnx::ModelProto proto;
  if (status.ok() && proto.ParseFromArray(source.data(), static_cast<int>(source.size())) &&
      !TensorsOnly(proto.graph())) {
    result.outcome = Outcome::kNotTensors;
    return result;
  }
  if (status.ok()) status = ConvertAndRun(folder, source);
  result.outcome = status.ok() ? Outcome::kPassed : Outcome::kFailed;
  result.reason = status.message();
  return result;
}

}  // namespace micrort::conformance
