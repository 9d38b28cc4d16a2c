#include "converter/cli/realign_command.h"

#include <algorithm>
#include <memory>

#include "converter/emit/file_bytes.h"
#include "converter/emit/serialize.h"
#include "kernels/base/platform/mapped_file.h"
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

bool IsOuterInside(const schema::Buffer& buffer, Span<const uint8_t> file) {
  const auto table = static_cast<uint64_t>(reinterpret_cast<const uint8_t*>(&buffer) - file.data());
  return buffer.offset() <= file.size() - table && buffer.size() <= file.size() - table - buffer.offset();
}

// Each may be copied, and many may be one.
Status CheckBuffers(const schema::Model& model, Span<const uint8_t> file) {
  uint64_t left = file.size();
  for (uint32_t i = 0; i < Count(model.buffers()); ++i) {
    const schema::Buffer& buffer = *model.buffers()->Get(i);
    const bool is_outer = buffer.offset() != 0;
    if (is_outer && !IsOuterInside(buffer, file))
      return MICRORT_ERROR(kInvalidModel, "broken model: buffer %u lies outside the file, or it is cut off",
                           i);
    const uint64_t bytes = (is_outer ? buffer.size() : 0) + Count(buffer.data());
    if (bytes > left) return MICRORT_ERROR(kInvalidModel, "broken model: buffers that share their bytes");
    left -= bytes;
  }
  return Status();
}

// Buffers behind the flatbuffer stay in the file.
void ShareOuter(const schema::Model& source, const std::shared_ptr<const MappedFile>& file,
                emit::FileModel* model) {
  model->shared.resize(model->buffers.size());
  for (uint32_t i = 0; i < Count(source.buffers()); ++i) {
    if (source.buffers()->Get(i)->offset() == 0) continue;
    model->shared[i] = std::make_shared<const ir::Bytes>(BytesOfBuffer(source, i), file);
    model->buffers[i]->data.clear();
    model->buffers[i]->offset = model->buffers[i]->size = 0;
  }
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

Status Unpack(const std::shared_ptr<const MappedFile>& file, emit::FileModel* model) {
  const Span<const uint8_t> bytes = file->bytes();
  // Numbers are aligned in it; weights, which is what it lacks, are not examined.
  const size_t most = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
  flatbuffers::Verifier verifier(bytes.data(), std::min(bytes.size(), most), kMaxDepth, kMaxTables);
  if (!schema::VerifyModelBuffer(verifier)) {
    return MICRORT_ERROR(kInvalidModel, "not a MicroRT model, or a broken one");
  }
  const schema::Model& source = *schema::GetModel(bytes.data());
  MICRORT_RETURN_IF_ERROR(CheckBuffers(source, bytes));
  MICRORT_RETURN_IF_ERROR(CheckLists(source));
  source.UnPackTo(model);
  ShareOuter(source, file, model);
  return CheckOptions(*model);
}

}  // namespace

Status Realign(const std::string& path, AlignedBytes* file) {
  const auto source = std::make_shared<MappedFile>();
  MICRORT_RETURN_IF_ERROR(source->Open(path.c_str()).WithPrefix("%s", path.c_str()));
  emit::FileModel model;
  MICRORT_RETURN_IF_ERROR(Unpack(source, &model).WithPrefix("%s", path.c_str()));
  MICRORT_RETURN_IF_ERROR(emit::Serialize(model, file).WithPrefix("%s", path.c_str()));
  return emit::LoadEmitted(*file).status().WithPrefix("%s", path.c_str());
}

}  // namespace micrort::cli
