#include "tools/io/file_texts.h"

#include "runtime/model/schema_text.h"

namespace micrort::io {
namespace {

// Of all texts beyond the size of the file.
constexpr uint64_t kMostShared = 16 << 20;

uint64_t TextsOf(const schema::Operator& op) {
  uint64_t bytes = Count(op.name());
  for (uint32_t i = 0; i < Count(op.packed()); ++i) bytes += Count(op.packed()->Get(i)->layout());
  if (const auto* custom = op.options_as_CustomOptions(); custom != nullptr)
    bytes += uint64_t{Count(custom->domain())} + Count(custom->name());
  return bytes;
}

uint64_t TextsOf(const schema::Subgraph& graph) {
  uint64_t bytes = Count(graph.name());
  for (uint32_t i = 0; i < Count(graph.tensors()); ++i) {
    const auto* names = graph.tensors()->Get(i)->dim_names();
    for (uint32_t d = 0; d < Count(names); ++d) bytes += Count(names->Get(d));
  }
  for (uint32_t i = 0; i < Count(graph.operators()); ++i) bytes += TextsOf(*graph.operators()->Get(i));
  return bytes;
}

uint64_t TextsOf(const schema::Model& model) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < Count(model.metadata()); ++i)
    bytes += uint64_t{Count(model.metadata()->Get(i)->key())} + Count(model.metadata()->Get(i)->value());
  for (const schema::Subgraph* graph : *model.subgraphs()) bytes += TextsOf(*graph);
  return bytes;
}

}  // namespace

Status CheckTexts(const Model& model) {
  const uint64_t bytes = TextsOf(*schema::GetModel(model.file().data()));
  if (bytes <= model.file_bytes() + kMostShared) return Status();
  return MICRORT_ERROR(kInvalidModel, "names and metadata of %llu bytes together, in a file of %zu bytes",
                       static_cast<unsigned long long>(bytes), model.file_bytes());
}

}  // namespace micrort::io
