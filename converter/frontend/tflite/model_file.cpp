#include "converter/frontend/tflite/model_file.h"

#include <flatbuffers/minireflect.h>

#include <algorithm>

#include "converter/frontend/common/text.h"
#include "converter/frontend/tflite/operator_names.h"
#include "converter/frontend/tflite/tflite_schema.h"

namespace micrort::frontend::tflite {

namespace {

using flatbuffers::Table;
using flatbuffers::TypeTable;
using Offsets = flatbuffers::Vector<flatbuffers::Offset<Table>>;

const char* MisalignedList(const Table& table, const TypeTable& type);

// The type of a table in a field of `type`, which may be a union: `of_union` is what its type field states.
// nullptr for a member that this schema does not know.
const TypeTable* MemberType(const TypeTable& type, uint8_t of_union) {
  if (type.st == flatbuffers::ST_TABLE) return &type;
  const int64_t index = flatbuffers::LookupEnum(of_union, type.values, type.num_elems);
  if (index < 0 || index >= static_cast<int64_t>(type.num_elems)) return nullptr;
  const int member = type.type_codes[index].sequence_ref;
  return member < 0 ? nullptr : type.type_refs[member]();
}

const char* MisalignedInTables(const Offsets& tables, const TypeTable& type) {
  for (const Table* table : tables) {
    if (const char* found = MisalignedList(*table, type)) return found;
  }
  return nullptr;
}

// Structs, and lists of unions, which this schema has none of, are not looked into.
const char* MisalignedField(const Table& table, const TypeTable& type, size_t i) {
  const flatbuffers::TypeCode code = type.type_codes[i];
  const flatbuffers::voffset_t field =
      flatbuffers::FieldIndexToOffset(static_cast<flatbuffers::voffset_t>(i));
  const bool has_tables = code.base_type == flatbuffers::ET_SEQUENCE;
  if ((!has_tables && !code.is_repeating) || !table.CheckField(field)) return nullptr;
  if (!has_tables) {
    const size_t bytes =
        flatbuffers::InlineSize(static_cast<flatbuffers::ElementaryType>(code.base_type), nullptr);
    const auto* list = table.GetPointer<const flatbuffers::Vector<uint8_t>*>(field);
    const bool is_aligned = list->size() == 0 || reinterpret_cast<uintptr_t>(list->data()) % bytes == 0;
    return is_aligned ? nullptr : type.names[i];
  }
  const TypeTable& stated = *type.type_refs[code.sequence_ref]();
  if (code.is_repeating) return MisalignedInTables(*table.GetPointer<const Offsets*>(field), stated);
  const auto before = static_cast<flatbuffers::voffset_t>(field - sizeof(flatbuffers::voffset_t));
  const TypeTable* member =
      MemberType(stated, stated.st == flatbuffers::ST_UNION ? table.GetField<uint8_t>(before, 0) : 0);
  return member == nullptr ? nullptr : MisalignedList(*table.GetPointer<const Table*>(field), *member);
}

const char* MisalignedList(const Table& table, const TypeTable& type) {
  for (size_t i = 0; i < type.num_elems; ++i) {
    if (const char* found = MisalignedField(table, type, i)) return found;
  }
  return nullptr;
}

// The verifier of flatbuffers lets lists of 64-bit numbers lie at any multiple of 4, where reading one is
// undefined; writers put them at multiples of 8. Gives the name of the first field that has such a list,
// nullptr if none has. `model` is verified; takes as long as that.
const char* MisalignedList(const fb::Model& model) {
  return MisalignedList(reinterpret_cast<const Table&>(model), *fb::ModelTypeTable());
}

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
  return index >= 0 && index < count ? Status() : Invalid("{}: tensor {} of {}", what, index, count);
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
  if (!Verifies(bytes))
    return Invalid(
        "not a TFLite model, or damaged or cut short; if it was downloaded or copied, do that again");
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
  for (uint32_t i = 0; i < graph.operators()->size(); ++i)
    MICRORT_RETURN_IF_ERROR(CheckOperator(graph, *graph.operators()->Get(i)).WithPrefix("operator %u", i));
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
  if (buffer.offset() > 1)
    return {bytes_.data() + static_cast<size_t>(buffer.offset()), static_cast<size_t>(buffer.size())};
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
