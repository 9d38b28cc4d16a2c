#include "converter/cli/realign_command.h"

#include <memory>

#include "converter/emit/serialize.h"
#include "kernels/base/platform/mapped_file.h"
#include "micrort/model.h"
#include "runtime/model/schema_text.h"
#include "tools/io/printable.h"

namespace micrort::cli {
namespace {

// Depth and number of tables that a valid file stays below by far.
constexpr uint32_t kMaxDepth = 64, kMaxTables = 1000000;

// The verifier takes a union that has a type and no table, which cannot be written.
bool HasOptions(const schema::OperatorT& op) {
  return op.options.type == schema::Options::NONE || op.options.value != nullptr;
}

Status CheckOptions(const schema::ModelT& model) {
  for (const auto& graph : model.subgraphs) {
    for (const auto& op : graph->operators) {
      if (HasOptions(*op)) continue;
      return MICRORT_ERROR(kInvalidModel, "broken model: the options of operator '%s' are missing",
                           io::Printable(op->name).c_str());
    }
  }
  return Status();
}

// Each is copied, and many may be one.
Status CheckBuffers(const schema::Model& model, size_t file_bytes) {
  size_t left = file_bytes;
  for (uint32_t i = 0; i < Count(model.buffers()); ++i) {
    const size_t bytes = Count(model.buffers()->Get(i)->data());
    if (bytes > left) return MICRORT_ERROR(kInvalidModel, "broken model: buffers that share their bytes");
    left -= bytes;
  }
  return Status();
}

// The flatbuffers verifier lets lists of 64-bit numbers lie at any multiple of 4.
bool IsAligned(const flatbuffers::Vector<int64_t>* list) {
  return list == nullptr || reinterpret_cast<uintptr_t>(list->data()) % alignof(int64_t) == 0;
}

bool IsAligned(const schema::Operator& op) {
  if (const auto* slice = op.options_as_SliceOptions()) {
    return IsAligned(slice->starts()) && IsAligned(slice->ends()) && IsAligned(slice->steps());
  }
  if (const auto* pad = op.options_as_PadOptions()) return IsAligned(pad->pads());
  const auto* custom = op.options_as_CustomOptions();
  for (uint32_t i = 0; custom != nullptr && i < Count(custom->attributes()); ++i) {
    if (!IsAligned(custom->attributes()->Get(i)->ints())) return false;
  }
  return true;
}

bool IsAligned(const schema::Subgraph& graph) {
  if (graph.plan() != nullptr && !IsAligned(graph.plan()->offsets())) return false;
  for (uint32_t i = 0; i < Count(graph.operators()); ++i) {
    if (!IsAligned(*graph.operators()->Get(i))) return false;
  }
  return true;
}

Status CheckLists(const schema::Model& model) {
  for (uint32_t i = 0; i < Count(model.subgraphs()); ++i) {
    if (IsAligned(*model.subgraphs()->Get(i))) continue;
    return MICRORT_ERROR(kInvalidModel, "broken model: a list of numbers that is not aligned");
  }
  return Status();
}

Status Unpack(Span<const uint8_t> bytes, std::unique_ptr<schema::ModelT>* model) {
  // Numbers are aligned in it; weights, which is what it lacks, are not examined.
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, kMaxTables);
  if (!schema::VerifyModelBuffer(verifier)) {
    return MICRORT_ERROR(kInvalidModel, "not a MicroRT model, or a broken one");
  }
  MICRORT_RETURN_IF_ERROR(CheckBuffers(*schema::GetModel(bytes.data()), bytes.size()));
  MICRORT_RETURN_IF_ERROR(CheckLists(*schema::GetModel(bytes.data())));
  *model = schema::UnPackModel(bytes.data());
  return CheckOptions(**model);
}

}  // namespace

Status Realign(const std::string& path, AlignedBytes* file) {
  MappedFile source;
  MICRORT_RETURN_IF_ERROR(source.Open(path.c_str()).WithPrefix("%s", path.c_str()));
  std::unique_ptr<schema::ModelT> model;
  MICRORT_RETURN_IF_ERROR(Unpack(source.bytes(), &model).WithPrefix("%s", path.c_str()));
  MICRORT_RETURN_IF_ERROR(emit::Serialize(*model, file));
  return Model::FromBuffer(file->data(), file->size()).status().WithPrefix("%s", path.c_str());
}

}  // namespace micrort::cli
