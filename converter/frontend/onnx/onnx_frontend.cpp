#include "converter/frontend/onnx/onnx_frontend.h"

#include "converter/frontend/onnx/graph_importer.h"

namespace micrort::frontend {

namespace {

void ReadMetadata(const ::onnx::ModelProto& proto, ir::Module* out) {
  out->source_format = FormatName(SourceFormat::kOnnx);
  if (!proto.producer_name().empty()) out->metadata.emplace_back("onnx.producer", proto.producer_name());
  if (!proto.producer_version().empty()) {
    out->metadata.emplace_back("onnx.producer_version", proto.producer_version());
  }
  for (const auto& entry : proto.metadata_props()) out->metadata.emplace_back(entry.key(), entry.value());
}

Status Unsupported(const ImportDiagnostics& diagnostics) {
  size_t nodes = 0;
  for (const UnsupportedOp& u : diagnostics.unsupported) nodes += u.nodes.size();
  const UnsupportedOp& first = diagnostics.unsupported.front();
  return MICRORT_ERROR(kUnsupported, "%zu nodes cannot be converted, the first is '%s' (%s, opset %d): %s",
                       nodes, first.nodes.front().c_str(), first.op.c_str(), first.opset,
                       first.reason.c_str());
}

Status Import(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
              ImportDiagnostics* diagnostics) {
  OnnxModel model;
  MICRORT_RETURN_IF_ERROR(ReadModel(bytes, &model));
  ReadMetadata(model.proto, out);
  out->graphs.push_back(std::make_unique<ir::Graph>());
  GraphImporter importer(model, options, out->graphs.back().get(), diagnostics);
  MICRORT_RETURN_IF_ERROR(importer.Import());
  return diagnostics->unsupported.empty() ? Status() : Unsupported(*diagnostics);
}

}  // namespace

Status ImportOnnx(const std::string& path, Span<const uint8_t> bytes, const ImportOptions& options,
                  ir::Module* out, ImportDiagnostics* diagnostics) {
  *out = ir::Module();
  *diagnostics = ImportDiagnostics();
  return Import(bytes, options, out, diagnostics).WithPrefix("%s", path.c_str());
}

}  // namespace micrort::frontend
