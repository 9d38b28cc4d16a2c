#include "converter/frontend/frontend.h"

#include <algorithm>
#include <cstring>

#include "converter/frontend/onnx/onnx_frontend.h"

namespace micrort::frontend {

namespace {

bool HasAt(Span<const uint8_t> bytes, size_t offset, const char* magic) {
  const size_t n = std::strlen(magic);
  return bytes.size() >= offset + n && std::memcmp(bytes.data() + offset, magic, n) == 0;
}

// What a ModelProto's first field begins with: ir_version (1) in every exporter's order, producer_name (2),
// domain (4), model_version (5), doc_string (6), graph (7) or opset_import (8) where tools changed it.
bool LooksLikeModelProto(Span<const uint8_t> bytes) {
  constexpr uint8_t kTags[] = {0x08, 0x12, 0x22, 0x28, 0x32, 0x3a, 0x42};
  return !bytes.empty() && std::find(std::begin(kTags), std::end(kTags), bytes[0]) != std::end(kTags);
}

}  // namespace

const char* FormatName(SourceFormat format) { return format == SourceFormat::kOnnx ? "onnx" : nullptr; }

SourceFormat ParseFormat(const std::string& name) {
  return name == "onnx" ? SourceFormat::kOnnx : SourceFormat::kUnknown;
}

Status DetectFormat(Span<const uint8_t> bytes, SourceFormat* format) {
  *format = SourceFormat::kUnknown;
  if (bytes.empty()) return MICRORT_ERROR(kInvalidModel, "the file is empty");
  if (HasAt(bytes, 4, "MCRT")) return MICRORT_ERROR(kInvalidModel, "the file is a MicroRT model already");
  if (HasAt(bytes, 4, "TFL3")) return MICRORT_ERROR(kUnsupported, "TFLite models cannot be read");
  if (HasAt(bytes, 0, "PK\x03\x04")) {
    return MICRORT_ERROR(kUnsupported, "PyTorch archives and other zip files cannot be read; export to ONNX");
  }
  if (HasAt(bytes, 0, "\x89HDF")) return MICRORT_ERROR(kUnsupported, "Keras HDF5 models cannot be read");
  if (!LooksLikeModelProto(bytes)) {
    return MICRORT_ERROR(kInvalidModel, "the format is not known; ONNX models can be read");
  }
  *format = SourceFormat::kOnnx;
  return Status();
}

Status ImportModel(const std::string& path, Span<const uint8_t> bytes, SourceFormat format,
                   const ImportOptions& options, ir::Module* out, ImportDiagnostics* diagnostics) {
  if (format == SourceFormat::kUnknown) {
    if (Status s = DetectFormat(bytes, &format); !s.ok()) return s.WithPrefix("%s", path.c_str());
  }
  return ImportOnnx(path, bytes, options, out, diagnostics);
}

}  // namespace micrort::frontend
