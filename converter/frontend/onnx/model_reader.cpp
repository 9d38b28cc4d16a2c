#include "converter/frontend/onnx/model_reader.h"

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <limits>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/names.h"

namespace micrort::frontend::onnx {

namespace {

Status CheckOpset(int64_t opset) {
  if (opset < kMinOnnxOpset)
    return Unsupported("opset {}: expected {} to {}; onnx.version_converter changes it", opset, kMinOnnxOpset,
                       kMaxOnnxOpset);
  return Status();
}

}  // namespace

std::string CanonicalDomain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

int OnnxModel::OpsetOf(const std::string& domain) const {
  const auto found = opsets.find(CanonicalDomain(domain));
  return found == opsets.end() ? 0 : found->second;
}

int OnnxModel::OpsetOf(const ::onnx::NodeProto& node) const {
  const auto found = node_opsets.find(&node);
  return found == node_opsets.end() ? OpsetOf(node.domain()) : found->second;
}

Status ReadOpsets(const OpsetImports& imports, std::map<std::string, int>* opsets) {
  for (const auto& entry : imports) {
    const std::string domain = CanonicalDomain(entry.domain());
    MICRORT_RETURN_IF_ERROR(CheckText(domain, "the domain of an opset"));
    if (domain.empty()) MICRORT_RETURN_IF_ERROR(CheckOpset(entry.version()));
    if (entry.version() < 1 || entry.version() > std::numeric_limits<int>::max())
      return Invalid("opset {} of domain '{}'", entry.version(), domain);
    int& opset = (*opsets)[domain];
    opset = std::max(opset, static_cast<int>(entry.version()));
  }
  return Status();
}

Result<OnnxModel> ReadModel(Span<const uint8_t> bytes) {
  OnnxModel out;
  if (bytes.empty()) return Invalid("the file is empty: copy or download it again");
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max()))
    return Invalid(
        "{} bytes, but a protobuf message has at most 2 GiB; save the model with external data "
        "(onnx.save_model(model, path, save_as_external_data=True))",
        bytes.size());
  const google::protobuf::LogSilencer our_own_messages_are_enough;
  if (!out.proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return Invalid(
        "not an ONNX model, or cut short: protobuf cannot parse its {} bytes; if it was downloaded or "
        "copied, do that again",
        bytes.size());
  if (!out.proto.has_ir_version() || out.proto.ir_version() < 1)
    return Invalid("not an ONNX model: it has no ir_version");
  if (!out.proto.has_graph()) return Invalid("the model has no graph");
  if (out.proto.graph().output_size() == 0) return Invalid("the graph has no outputs");
  MICRORT_RETURN_IF_ERROR(CheckNames(out.proto.graph()));
  MICRORT_RETURN_IF_ERROR(ReadOpsets(out.proto.opset_import(), &out.opsets));
  // Before ir_version 3 a model had no opset_import and meant opset 1.
  if (out.opsets.empty() && out.proto.ir_version() >= 3)
    return Invalid("the model does not say which opset it imports");
  if (out.opsets.empty()) out.opsets[""] = 1;
  return out;
}

}  // namespace micrort::frontend::onnx
