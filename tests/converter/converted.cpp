#include "tests/converter/converted.h"

#include <cstdio>

#include "tests/converter/torch_archive.h"
#include "tests/converter/whole_file.h"
#include "tests/kept_seeds.h"

namespace micrort::testing {

namespace {

double ElementOf(const TensorView& view, size_t i) {
  if (view.dtype == DType::kFloat32) return static_cast<double>(view.as<float>()[i]);
  if (view.dtype == DType::kBool) return view.as<uint8_t>()[i];
  if (view.dtype == DType::kInt8) return view.as<int8_t>()[i];
  if (view.dtype == DType::kInt32) return view.as<int32_t>()[i];
  return static_cast<double>(view.as<int64_t>()[i]);
}

std::string Text(const TensorView& view) {
  std::string text = ShapeString(view.shape).c_str() + std::string(":");
  for (size_t i = 0; i < view.elements(); ++i) {
    char number[32];
    std::snprintf(number, sizeof number, " %g", ElementOf(view, i));
    text += number;
  }
  return text;
}

void KeepAsSeed(const std::string& bytes, const ConvertOptions& options) {
  using frontend::SourceFormat;
  SourceFormat format = SourceFormat::kUnknown;
  const Status status =
      frontend::DetectFormat({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &format);
  if (!status.ok()) return;
  if (format == SourceFormat::kTensorflow) return KeepSeed("graphdef", bytes);
  if (format != SourceFormat::kTorchscript) return KeepSeed(frontend::FormatName(format), bytes);
  InputShapes shapes;
  for (const auto& given : options.input_shapes) shapes.push_back({given.name, given.dims});
  KeepSeed("torchscript", WithInputShapes(bytes, shapes));
}

}  // namespace

io::NamedArray Integers(const std::vector<int64_t>& elements) {
  return Array<int64_t>({static_cast<int64_t>(elements.size())}, elements);
}

io::NamedArray Counting(std::vector<int64_t> shape) {
  io::NamedArray array{"", DType::kFloat32, std::move(shape), {}};
  std::vector<float> elements(array.elements());
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i + 1);
  return Array<float>(array.shape, elements);
}

io::NamedArray Bool(bool value) { return {"", DType::kBool, {}, {static_cast<uint8_t>(value ? 1 : 0)}}; }

Converted::Converted(OnnxBuilder& builder, const std::vector<std::string>& outputs,
                     const ConvertOptions& options) {
  for (const std::string& output : outputs) builder.Output(output);
  Convert("model.onnx", builder.Bytes(), options);
}

Converted::Converted(const std::string& name, const std::string& bytes, const ConvertOptions& options) {
  Convert(name, bytes, options);
}

void Converted::Convert(const std::string& name, const std::string& bytes, const ConvertOptions& options) {
  KeepAsSeed(bytes, options);
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  status_ = ConvertBytes(name, {data, bytes.size()}, options, &result_);
  Load();
}

Converted Converted::FromFile(const std::string& path, const ConvertOptions& options) {
  Converted converted;
  converted.status_ = micrort::Convert(path, options, &converted.result_);
  converted.Load();
  return converted;
}

void Converted::Load() {
  if (!status_.ok()) return;
  if (!result_.file.outer().empty()) whole_ = WholeFile(result_.file);
  const AlignedBytes& file = whole_.empty() ? result_.file : whole_;
  KeepSeed("model", {file.begin(), file.end()});
  Result<Model> model = Model::FromBuffer(file.data(), file.size());
  status_ = model.status();
  if (model.ok()) model_ = std::make_unique<Model>(std::move(*model));
}

std::string Converted::Run(const std::vector<io::NamedArray>& inputs) {
  Status status = status_;
  if (status.ok()) status = RunOnce(inputs);
  ran_ = status.ok();
  if (!ran_) return status.message();
  std::string text;
  for (size_t i = 0; i < interpreter_->output_count(); ++i) {
    text += (i == 0 ? "" : "; ") + Text(interpreter_->output(i));
  }
  return text;
}

int Converted::Count(schema::OpCode code) const {
  int count = 0;
  for (const schema::Subgraph* graph : *schema::GetModel(result_.file.data())->subgraphs()) {
    if (graph->operators() == nullptr) continue;
    for (const schema::Operator* op : *graph->operators()) count += op->code() == code;
  }
  return count;
}

Status Converted::RunOnce(const std::vector<io::NamedArray>& inputs) {
  if (interpreter_ == nullptr) {
    MICRORT_ASSIGN_OR_RETURN(Interpreter created, io::CreateFor(*model_, inputs, InterpreterOptions()));
    interpreter_ = std::make_unique<Interpreter>(std::move(created));
  }
  MICRORT_RETURN_IF_ERROR(io::ResizeToInputs(*model_, inputs, interpreter_.get()));
  io::FillInputs(inputs, interpreter_.get());
  return interpreter_->Run();
}

}  // namespace micrort::testing
