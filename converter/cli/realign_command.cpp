#include "converter/cli/realign_command.h"

#include <memory>

#include "converter/emit/serialize.h"
#include "micrort/model.h"
#include "runtime/model/mapped_file.h"

namespace micrort::cli {
namespace {

// Depth and number of tables that a valid file stays below by far.
constexpr uint32_t kMaxDepth = 64, kMaxTables = 1000000;

Status Unpack(Span<const uint8_t> bytes, std::unique_ptr<schema::ModelT>* model) {
  // Alignment is what such a file lacks.
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), kMaxDepth, kMaxTables, false);
  if (!schema::VerifyModelBuffer(verifier)) {
    return MICRORT_ERROR(kInvalidModel, "not a MicroRT model, or a broken one");
  }
  *model = schema::UnPackModel(bytes.data());
  return Status();
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
