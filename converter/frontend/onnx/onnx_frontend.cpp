#include "converter/frontend/onnx/onnx_frontend.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "converter/frontend/onnx/external_data.h"
#include "converter/frontend/onnx/graph_importer.h"
#include "converter/frontend/onnx/keep_outputs.h"
#include "converter/frontend/onnx/local_functions.h"
#include "converter/frontend/onnx/mapped_tensors.h"
#include "converter/frontend/onnx/names.h"
#include "converter/frontend/onnx/tensor_types.h"
#include "converter/frontend/onnx/widen_halves.h"

namespace micrort::frontend::onnx {

namespace {

// Entries that are not text are left out.
void AddMetadata(const std::string& key, const std::string& value, ir::Module* out) {
  if (!value.empty() && IsText(key) && IsText(value)) out->metadata.emplace_back(key, value);
}

void ReadMetadata(const ::onnx::ModelProto& proto, ir::Module* out) {
  AddMetadata("onnx.producer", proto.producer_name(), out);
  AddMetadata("onnx.producer_version", proto.producer_version(), out);
  for (const auto& entry : proto.metadata_props()) AddMetadata(entry.key(), entry.value(), out);
}

OfferedTensor Offered(const ::onnx::ValueInfoProto& info) {
  OfferedTensor out;
  out.name = info.name();
  const auto& type = info.type().tensor_type();
  out.dtype = DTypeOfOnnx(type.elem_type());
  out.has_shape = type.has_shape();
  for (const auto& dim : type.shape().dim()) out.shape.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
  return out;
}

}  // namespace

// Its first field is ir_version (1) in every exporter's order, producer_name (2), domain (4), model_version
// (5), doc_string (6), graph (7) or opset_import (8) where tools changed it.
bool LooksLikeModelProto(Span<const uint8_t> bytes) {
  constexpr uint8_t kTags[] = {0x08, 0x12, 0x22, 0x28, 0x32, 0x3a, 0x42};
  return !bytes.empty() && std::find(std::begin(kTags), std::end(kTags), bytes[0]) != std::end(kTags);
}

Status ImportOnnx(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                  ImportDiagnostics* diagnostics) {
  MICRORT_ASSIGN_OR_RETURN(OnnxModel model, ReadModel(bytes));
  if (const int opset = model.OpsetOf(""); opset > kMaxOnnxOpset) {
    diagnostics->warnings.push_back("opset " + std::to_string(opset) + " is newer than " +
                                    std::to_string(kMaxOnnxOpset) +
                                    ", the latest one known here: operators are read as of that one");
  }
  MICRORT_RETURN_IF_ERROR(KeepOutputs(options.outputs, model.proto.mutable_graph()));
  MappedTensors mapped;
  if (options.folder)
    MICRORT_RETURN_IF_ERROR(LoadExternalData(*options.folder, &model.proto, &mapped, &diagnostics->files));
  MICRORT_RETURN_IF_ERROR(InlineFunctions(&model));
  ReadMetadata(model.proto, out);
  if (WidenHalves(&model.proto)) {
    diagnostics->notes.push_back(
        "the model is of float16; it computes in float32, and its inputs and outputs keep their types; "
        "--quant "
        "fp16 stores its weights as float16");
  }
  out->graphs.push_back(std::make_unique<ir::Graph>());
  GraphImporter importer(&model, options, out->graphs.back().get(), diagnostics);
  MICRORT_RETURN_IF_ERROR(importer.Import());
  return UnsupportedNodes(*diagnostics);
}

Status ListOnnx(Span<const uint8_t> bytes, const ImportOptions& /*options*/, std::vector<Offer>* out) {
  MICRORT_ASSIGN_OR_RETURN(OnnxModel model, ReadModel(bytes));
  const ::onnx::GraphProto& graph = model.proto.graph();
  // Up to opset 8 initializers are inputs, too.
  std::set<std::string> constants;
  for (const auto& tensor : graph.initializer()) constants.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) constants.insert(tensor.values().name());
  out->emplace_back();
  for (const auto& info : graph.input()) {
    if (constants.count(info.name()) == 0) out->back().inputs.push_back(Offered(info));
  }
  for (const auto& info : graph.output()) out->back().outputs.push_back(Offered(info));
  return Status();
}

}  // namespace micrort::frontend::onnx
