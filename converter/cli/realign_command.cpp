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

Status Unpack(Span<const uint8_t> bytes, std::unique_ptr<schema::ModelT>* model) {
  // Alignment is what such a file lacks.
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, kMaxTables, false);
  if (!schema::VerifyModelBuffer(verifier)) {
    return MICRORT_ERROR(kInvalidModel, "not a MicroRT model, or a broken one");
  }
  MICRORT_RETURN_IF_ERROR(CheckBuffers(*schema::GetModel(bytes.data()), bytes.size()));
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
