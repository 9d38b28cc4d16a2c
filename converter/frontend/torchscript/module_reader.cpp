#include "converter/frontend/torchscript/module_reader.h"

#include <set>

#include "converter/frontend/torchscript/pickle.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr size_t kMaxPickleBytes = size_t{64} << 20;
constexpr char kWhatToCall[] =
    "build the model in Python, then torch.jit.trace(model.eval(), example).save(\"model.pt\"), and convert "
    "that file";

// Names of tensors and paths of modules, by the attributes that hold them.
Status NameParts(const std::string& path, WorkMeter* meter, Value* value, std::set<const void*>* seen) {
  constexpr size_t kMaxPath = 1024;
  if (path.size() > kMaxPath)
    return Unsupported("an attribute whose path has more than {} characters", kMaxPath);
  MICRORT_RETURN_IF_ERROR(meter->Spend(WorkMeter::kElement * WorkOfText(path)));
  const std::string prefix = path.empty() ? "" : path + ".";
  if (value->tensor != nullptr) {
    if (value->tensor->name.empty()) value->tensor->name = path;
    return Status();
  }
  if (value->Is(Kind::kObject)) {
    Object& object = *value->object;
    if (!seen->insert(&object).second) return Status();
    object.path = path;
    for (auto& [name, attribute] : object.attributes)
      MICRORT_RETURN_IF_ERROR(NameParts(prefix + name, meter, &attribute, seen));
    if (object.state != nullptr) return NameParts(path, meter, object.state.get(), seen);
  } else if (value->items != nullptr && seen->insert(value->items.get()).second) {
    for (size_t i = 0; i < value->items->size(); ++i)
      MICRORT_RETURN_IF_ERROR(NameParts(prefix + std::to_string(i), meter, &(*value->items)[i], seen));
  }
  return Status();
}

Status ReadPickleEntry(const ZipArchive& archive, const std::string& entry, const std::string& folder,
                       WorkMeter* meter, Value* out) {
  std::string bytes;
  MICRORT_RETURN_IF_ERROR(archive.Read(entry, kMaxPickleBytes, &bytes));
  return ReadPickle(bytes, folder, meter, out).WithPrefix("%s", entry.c_str());
}

Status WhyNoCode(const ZipArchive& archive, WorkMeter* meter) {
  if (archive.Has("archive_format") || archive.FirstBelow("models/") != nullptr ||
      archive.Has("serialized_exported_program.json"))
    return Unsupported("this is a program of torch.export, not TorchScript; {}", kWhatToCall);
  if (archive.Has("model.json")) {
    return Unsupported("this is TorchScript of PyTorch 1.1 or before; load and save it with a newer one");
  }
  if (!archive.Has("data.pkl"))
    return Unsupported(
        "this archive holds no model of PyTorch: it has no data.pkl; if a model lies in it, unpack it");
  Value root;
  const Status status = ReadPickleEntry(archive, "data.pkl", "data/", meter, &root);
  if (status.ok() && root.Is(Kind::kDict))
    return Unsupported("this file holds weights (a state_dict) without the network; {}", kWhatToCall);
  if (!status.ok() && status.code() != StatusCode::kUnsupported) return status;
  return Unsupported("this file was written by torch.save, without the network's code; {}", kWhatToCall);
}

}  // namespace

Status ReadModule(const ZipArchive& archive, WorkMeter* meter, Value* root, Value* constants) {
  if (!archive.Has("data.pkl") || archive.FirstBelow("code/") == nullptr) return WhyNoCode(archive, meter);
  MICRORT_RETURN_IF_ERROR(ReadPickleEntry(archive, "data.pkl", "data/", meter, root));
  if (!root->Is(Kind::kObject)) return Invalid("data.pkl: expected a module, found {}", KindName(root->kind));
  *constants = Value::Sequence(Kind::kTuple);
  if (archive.Has("constants.pkl"))
    MICRORT_RETURN_IF_ERROR(ReadPickleEntry(archive, "constants.pkl", "constants/", meter, constants));
  std::set<const void*> seen;
  MICRORT_RETURN_IF_ERROR(NameParts("", meter, root, &seen));
  return NameParts("CONSTANTS", meter, constants, &seen);
}

}  // namespace micrort::frontend::torchscript
