#include "converter/frontend/tflite/model_file.h"

#include <algorithm>

#include "converter/frontend/common/text.h"
#include "converter/frontend/tflite/alignment.h"
#include "converter/frontend/tflite/operator_names.h"

namespace micrort::frontend::tflite {

namespace {

constexpr uint32_t kSchemaVersion = 3;
constexpr uint32_t kMaxDepth = 64;
constexpr uint32_t kMaxTables = 4u << 20;

// What lies behind the flatbuffer is data of buffers; a flatbuffer itself is smaller.
size_t VerifiedSize(Span<const uint8_t> bytes) {
  return std::min<size_t>(bytes.size(), FLATBUFFERS_MAX_BUFFER_SIZE - 1);
}

bool Verifies(Span<const uint8_t> bytes) {
  constexpr size_t kSmallest = 8;
  if (bytes.size() < kSmallest) return false;
  flatbuffers::Verifier verifier(bytes.data(), VerifiedSize(bytes), kMaxDepth, kMaxTables);
  return verifier.VerifyBuffer<fb::Model>(nullptr);
}

std::string TextOf(const flatbuffers::String* s) { return s == nullptr ? "" : s->str(); }

Status CheckTensorIndex(const fb::SubGraph& graph, int64_t index, const char* what) {
  const int64_t count = graph.tensors() == nullptr ? 0 : graph.tensors()->size();
  if (index >= 0 && index < count) return Status();
  return Invalid("{}: tensor {} of {}", what, index, count);
}

Status CheckTensorIndices(const fb::SubGraph& graph, const flatbuffers::Vector<int32_t>* indices,
                          const char* what, bool may_be_absent) {
  if (indices == nullptr) return Status();
  for (const int32_t index : *indices) {
    if (may_be_absent && index == -1) continue;
    MICRORT_RETURN_IF_ERROR(CheckTensorIndex(graph, index, what));
  }
  return Status();
}

}  // namespace

std::vector<int32_t> Indices(const flatbuffers::Vector<int32_t>* list) {
  return list == nullptr ? std::vector<int32_t>() : std::vector<int32_t>(list->begin(), list->end());
}

bool LooksLikeTflite(Span<const uint8_t> bytes) {
  if (bytes.size() < 8) return false;
  if (fb::ModelBufferHasIdentifier(bytes.data())) return true;
  if (!Verifies(bytes)) return false;
  const fb::Model* model = fb::GetModel(bytes.data());
  return model->version() == kSchemaVersion && model->subgraphs() != nullptr && model->buffers() != nullptr;
}

Status ModelFile::Open(Span<const uint8_t> bytes, ModelFile* out) {
  if (!Verifies(bytes)) return Invalid("not a TFLite model, or damaged or cut short");
  out->bytes_ = bytes;
  out->model_ = fb::GetModel(bytes.data());
  if (const char* field = MisalignedList(*out->model_)) return Invalid("the list '{}' is not aligned", field);
  if (out->model_->version() != kSchemaVersion)
    return Unsupported("version {} of the TFLite format: expected {}", out->model_->version(),
                       kSchemaVersion);
  if (out->model_->subgraphs() == nullptr || out->subgraph_count() == 0)
    return Invalid("it has no subgraphs");
  MICRORT_RETURN_IF_ERROR(out->CheckBuffers());
  for (const fb::SubGraph* graph : *out->model_->subgraphs()) {
    MICRORT_RETURN_IF_ERROR(
        out->CheckSubgraph(*graph).WithPrefix("subgraph '%s'", Shown(TextOf(graph->name())).c_str()));
  }
  return out->CheckSignatures();
}

Status ModelFile::CheckRange(uint64_t offset, uint64_t size) const {
  if (offset <= bytes_.size() && size <= bytes_.size() - offset) return Status();
  return Invalid("{} bytes at {} lie outside the file of {} bytes", size, offset, bytes_.size());
}

Status ModelFile::CheckBuffers() const {
  if (model_->buffers() == nullptr) return Status();
  for (uint32_t i = 0; i < model_->buffers()->size(); ++i) {
    const fb::Buffer& buffer = *model_->buffers()->Get(i);
    MICRORT_RETURN_IF_ERROR(CheckRange(buffer.offset(), buffer.size()).WithPrefix("buffer %u", i));
  }
  return Status();
}

Status ModelFile::CheckSubgraph(const fb::SubGraph& graph) const {
  const uint32_t buffers = model_->buffers() == nullptr ? 0 : model_->buffers()->size();
  MICRORT_RETURN_IF_ERROR(CheckText(TextOf(graph.name()), "its name"));
  if (graph.tensors() != nullptr) {
    for (uint32_t i = 0; i < graph.tensors()->size(); ++i) {
      const fb::Tensor& tensor = *graph.tensors()->Get(i);
      MICRORT_RETURN_IF_ERROR(CheckText(TextOf(tensor.name()), "its name").WithPrefix("tensor %u", i));
      if (tensor.buffer() >= buffers && tensor.buffer() != 0)
        return Invalid("tensor {}: buffer {} of {}", i, tensor.buffer(), buffers);
    }
  }
  MICRORT_RETURN_IF_ERROR(CheckTensorIndices(graph, graph.inputs(), "inputs", false));
  MICRORT_RETURN_IF_ERROR(CheckTensorIndices(graph, graph.outputs(), "outputs", false));
  if (graph.operators() == nullptr) return Status();
  for (uint32_t i = 0; i < graph.operators()->size(); ++i) {
    MICRORT_RETURN_IF_ERROR(CheckOperator(graph, *graph.operators()->Get(i)).WithPrefix("operator %u", i));
  }
  return Status();
}

Status ModelFile::CheckOperator(const fb::SubGraph& graph, const fb::Operator& op) const {
  const auto* codes = model_->operator_codes();
  const uint32_t count = codes == nullptr ? 0 : codes->size();
  if (op.opcode_index() >= count) return Invalid("operator code {} of {}", op.opcode_index(), count);
  const fb::OperatorCode& code = *codes->Get(op.opcode_index());
  MICRORT_RETURN_IF_ERROR(CheckText(TextOf(code.custom_code()), "the name of its operator"));
  MICRORT_RETURN_IF_ERROR(CheckTensorIndices(graph, op.inputs(), "inputs", true));
  MICRORT_RETURN_IF_ERROR(CheckTensorIndices(graph, op.outputs(), "outputs", true));
  MICRORT_RETURN_IF_ERROR(CheckTensorIndices(graph, op.intermediates(), "intermediates", true));
  return CheckRange(op.large_custom_options_offset(), op.large_custom_options_size())
      .WithPrefix("custom options");
}

Status ModelFile::CheckSignatures() const {
  if (model_->signature_defs() == nullptr) return Status();
  for (const fb::SignatureDef* signature : *model_->signature_defs()) {
    const std::string key = TextOf(signature->signature_key());
    MICRORT_RETURN_IF_ERROR(CheckText(key, "the name of a signature"));
    if (signature->subgraph_index() >= subgraph_count())
      return Invalid("signature '{}': subgraph {} of {}", key, signature->subgraph_index(), subgraph_count());
    for (const auto* list : {signature->inputs(), signature->outputs()}) {
      if (list == nullptr) continue;
      for (const fb::TensorMap* entry : *list) {
        MICRORT_RETURN_IF_ERROR(
            CheckText(TextOf(entry->name()), "a name").WithPrefix("signature '%s'", key.c_str()));
        MICRORT_RETURN_IF_ERROR(
            CheckTensorIndex(subgraph(signature->subgraph_index()), entry->tensor_index(), "signature")
                .WithPrefix("signature '%s'", key.c_str()));
      }
    }
  }
  return Status();
}

std::string ModelFile::OpName(const fb::Operator& op) const {
  const fb::OperatorCode& code = *model_->operator_codes()->Get(op.opcode_index());
  // Codes that do not fit into the old field have 127 there.
  const int number = std::max<int>(code.deprecated_builtin_code(), code.builtin_code());
  return number == kCustomOperator ? TextOf(code.custom_code()) : OperatorName(number);
}

int ModelFile::OpVersion(const fb::Operator& op) const {
  return model_->operator_codes()->Get(op.opcode_index())->version();
}

Span<const uint8_t> ModelFile::BufferBytes(uint32_t index) const {
  if (index == 0 || model_->buffers() == nullptr || index >= model_->buffers()->size()) return {};
  const fb::Buffer& buffer = *model_->buffers()->Get(index);
  // Writers put 1 at places that a second pass fills in.
  if (buffer.offset() > 1) {
    return {bytes_.data() + static_cast<size_t>(buffer.offset()), static_cast<size_t>(buffer.size())};
  }
  if (buffer.data() == nullptr) return {};
  return {buffer.data()->data(), buffer.data()->size()};
}

Span<const uint8_t> ModelFile::CustomOptions(const fb::Operator& op) const {
  if (op.large_custom_options_offset() > 1) {
    return {bytes_.data() + static_cast<size_t>(op.large_custom_options_offset()),
            static_cast<size_t>(op.large_custom_options_size())};
  }
  if (op.custom_options() == nullptr) return {};
  return {op.custom_options()->data(), op.custom_options()->size()};
}

}  // namespace micrort::frontend::tflite
