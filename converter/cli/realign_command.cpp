#include "converter/cli/realign_command.h"

#include <memory>

#include "converter/emit/serialize.h"
#include "kernels/base/platform/mapped_file.h"
#include "micrort/model.h"
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

Status Unpack(Span<const uint8_t> bytes, std::unique_ptr<schema::ModelT>* model) {
  // Alignment is what such a file lacks.
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, kMaxTables, false);
  if (!schema::VerifyModelBuffer(verifier)) {
    return MICRORT_ERROR(kInvalidModel, "not a MicroRT model, or a broken one");
  }
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
