#include "converter/frontend/frontend.h"

#include <cstring>

#include "converter/frontend/caffe/caffe_frontend.h"
#include "converter/frontend/onnx/onnx_frontend.h"
#include "converter/frontend/tensorflow/tensorflow_frontend.h"
#include "converter/frontend/tflite/tflite_frontend.h"
#include "converter/frontend/torchscript/torchscript_frontend.h"

namespace micrort::frontend {

namespace {

bool HasAt(Span<const uint8_t> bytes, size_t offset, const char* magic) {
  const size_t n = std::strlen(magic);
  return bytes.size() >= offset + n && std::memcmp(bytes.data() + offset, magic, n) == 0;
}

// A format that can be read. Files are shown to the formats in the order of the table.
struct Format {
  SourceFormat format;
  const char* name;
  bool has_weights_file;
  // A first look at the content, which the import proves right or wrong.
  bool (*looks_like)(Span<const uint8_t> bytes);
  // Errors do not name the file; *out and *diagnostics are empty before.
  Status (*import)(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                   ImportDiagnostics* diagnostics);
};

constexpr Format kFormats[] = {
    {SourceFormat::kTflite, "tflite", false, tflite::LooksLikeTflite, tflite::ImportTflite},
    {SourceFormat::kCaffe, "caffe", true, caffe::LooksLikeCaffe, caffe::ImportCaffe},
    {SourceFormat::kTensorflow, "tensorflow", false, tensorflow::LooksLikeTensorflow,
     tensorflow::ImportTensorflow},
    {SourceFormat::kTorchscript, "torchscript", false, torchscript::LooksLikeTorchscript,
     torchscript::ImportTorchscript},
    {SourceFormat::kOnnx, "onnx", false, onnx::LooksLikeModelProto, onnx::ImportOnnx},
};

// What users may have in hand and cannot be read; OK if it is none of these.
Status KnownButNotRead(Span<const uint8_t> bytes) {
  if (HasAt(bytes, 4, "MCRT")) return MICRORT_ERROR(kInvalidModel, "the file is a MicroRT model already");
  if (HasAt(bytes, 0, "\x89HDF")) return MICRORT_ERROR(kUnsupported, "Keras HDF5 models cannot be read");
  return Status();
}

const Format* Find(SourceFormat format) {
  for (const Format& f : kFormats) {
    if (f.format == format) return &f;
  }
  return nullptr;
}

Status Import(Span<const uint8_t> bytes, SourceFormat format, const ImportOptions& options, ir::Module* out,
              ImportDiagnostics* diagnostics) {
  if (format == SourceFormat::kUnknown) MICRORT_RETURN_IF_ERROR(DetectFormat(bytes, &format));
  const Format* found = Find(format);
  if (found == nullptr) return MICRORT_ERROR(kInvalidArgument, "the format cannot be read");
  if (options.weights && !found->has_weights_file) {
    return MICRORT_ERROR(kInvalidArgument, "--weights: a model of the format %s is one file", found->name);
  }
  MICRORT_RETURN_IF_ERROR(found->import(bytes, options, out, diagnostics));
  out->source_format = found->name;
  return Status();
}

}  // namespace

const char* FormatName(SourceFormat format) {
  const Format* found = Find(format);
  return found == nullptr ? nullptr : found->name;
}

std::string ReadableNames() {
  std::string names;
  for (const Format& f : kFormats) names += (names.empty() ? "" : ", ") + std::string(f.name);
  return names;
}

std::map<std::string, SourceFormat> ReadableFormats() {
  std::map<std::string, SourceFormat> formats;
  for (const Format& f : kFormats) formats[f.name] = f.format;
  return formats;
}

Status DetectFormat(Span<const uint8_t> bytes, SourceFormat* format) {
  *format = SourceFormat::kUnknown;
  if (bytes.empty()) return MICRORT_ERROR(kInvalidModel, "the file is empty");
  MICRORT_RETURN_IF_ERROR(KnownButNotRead(bytes));
  for (const Format& f : kFormats) {
    if (!f.looks_like(bytes)) continue;
    *format = f.format;
    return Status();
  }
  return MICRORT_ERROR(kInvalidModel, "the format is not known; models of these can be read: %s",
                       ReadableNames().c_str());
}

Status ImportModel(const std::string& path, Span<const uint8_t> bytes, SourceFormat format,
                   const ImportOptions& options, ir::Module* out, ImportDiagnostics* diagnostics) {
  *out = ir::Module();
  *diagnostics = ImportDiagnostics();
  return Import(bytes, format, options, out, diagnostics).WithPrefix("%s", path.c_str());
}

}  // namespace micrort::frontend
