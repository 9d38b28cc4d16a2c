#include "tests/conformance/test_case.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <filesystem>

#include "converter/convert.h"
#include "micrort/micrort.h"
#include "tests/conformance/compare.h"
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

Status RunDataSet(const fs::path& folder, Interpreter* interpreter) {
  std::vector<io::NamedArray> inputs, expected;
  MICRORT_RETURN_IF_ERROR(ReadTensors(folder, "input_", &inputs));
  MICRORT_RETURN_IF_ERROR(ReadTensors(folder, "output_", &expected));
  if (inputs.size() != interpreter->input_count() || expected.size() != interpreter->output_count()) {
    return MICRORT_ERROR(kInternal, "expected %zu inputs and %zu outputs, found %zu and %zu", inputs.size(),
                         expected.size(), interpreter->input_count(), interpreter->output_count());
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    AsStored(interpreter->input(i).dtype, &inputs[i]);
    if (inputs[i].dtype != interpreter->input(i).dtype) return MICRORT_ERROR(kInternal, "input type differs");
  }
  MICRORT_RETURN_IF_ERROR(io::ResizeToInputs(inputs, interpreter));
  io::FillInputs(inputs, interpreter);
  MICRORT_RETURN_IF_ERROR(interpreter->Run());
  for (size_t i = 0; i < expected.size(); ++i) {
    AsStored(interpreter->output(i).dtype, &expected[i]);
    MICRORT_RETURN_IF_ERROR(Compare(expected[i], interpreter->output(i)).WithPrefix("output %zu", i));
  }
  return Status();
}

Status ConvertAndRun(const fs::path& folder, const std::vector<uint8_t>& source) {
  ConvertResult converted;
  MICRORT_RETURN_IF_ERROR(
      ConvertBytes("model.onnx", {source.data(), source.size()}, ConvertOptions(), &converted));
  MICRORT_ASSIGN_OR_RETURN(Model model, Model::FromBuffer(converted.file.data(), converted.file.size()));
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, Interpreter::Create(model));
  for (int i = 0; fs::exists(folder / ("test_data_set_" + std::to_string(i))); ++i) {
    MICRORT_RETURN_IF_ERROR(RunDataSet(folder / ("test_data_set_" + std::to_string(i)), &interpreter));
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
