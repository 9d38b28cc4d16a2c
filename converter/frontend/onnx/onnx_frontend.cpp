#include "converter/frontend/onnx/onnx_frontend.h"

#include "converter/frontend/onnx/external_data.h"
#include "converter/frontend/onnx/graph_importer.h"
#include "converter/frontend/onnx/keep_outputs.h"
#include "converter/frontend/onnx/local_functions.h"
#include "converter/frontend/onnx/names.h"

namespace micrort::frontend {

namespace {

// Entries that are not text are left out.
void AddMetadata(const std::string& key, const std::string& value, ir::Module* out) {
  if (!value.empty() && IsText(key) && IsText(value)) out->metadata.emplace_back(key, value);
}

void ReadMetadata(const ::onnx::ModelProto& proto, ir::Module* out) {
  out->source_format = FormatName(SourceFormat::kOnnx);
  AddMetadata("onnx.producer", proto.producer_name(), out);
  AddMetadata("onnx.producer_version", proto.producer_version(), out);
  for (const auto& entry : proto.metadata_props()) AddMetadata(entry.key(), entry.value(), out);
}

Status Unsupported(const ImportDiagnostics& diagnostics) {
  size_t nodes = 0;
  for (const UnsupportedOp& u : diagnostics.unsupported) nodes += u.nodes.size();
  const UnsupportedOp& first = diagnostics.unsupported.front();
  return MICRORT_ERROR(kUnsupported, "%zu node%s cannot be converted, the first is '%s' (%s, opset %d): %s",
                       nodes, nodes == 1 ? "" : "s", first.nodes.front().c_str(), first.op.c_str(),
                       first.opset, first.reason.c_str());
}

Status Import(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
              ImportDiagnostics* diagnostics) {
  OnnxModel model;
  MICRORT_RETURN_IF_ERROR(ReadModel(bytes, &model));
  MICRORT_RETURN_IF_ERROR(KeepOutputs(options.outputs, model.proto.mutable_graph()));
  if (options.folder) MICRORT_RETURN_IF_ERROR(LoadExternalData(*options.folder, &model.proto));
  MICRORT_RETURN_IF_ERROR(InlineFunctions(&model));
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
