#include "converter/frontend/onnx/external_data.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/external_file.h"
#include "converter/frontend/onnx/names.h"
#include "converter/frontend/onnx/tensor_reader.h"
#include "tools/io/heap_use.h"
#include "tools/io/platform/process.h"

namespace micrort::frontend::onnx {

namespace {

using ::onnx::TensorProto;

// A number as writers spell it: decimal digits.
Status ReadNumber(const std::string& key, const std::string& text, uint64_t* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  if (error == std::errc() && end == text.data() + text.size()) return Status();
  return Invalid("'{}' of its external data is no number of bytes", key);
}

struct Entry {
  std::string location;
  uint64_t offset = 0;
  bool has_length = false;
  uint64_t length = 0;
};

// Other keys (a checksum, or what an exporter adds) do not change what the elements are.
Status ReadEntry(const TensorProto& tensor, Entry* entry) {
  std::map<std::string, std::string> values;
  for (const auto& pair : tensor.external_data()) {
    if (values.emplace(pair.key(), pair.value()).second) continue;
    return Invalid("its external data has an entry twice");
  }
  entry->location = values["location"];
  entry->has_length = values.count("length") != 0;
  if (entry->has_length) MICRORT_RETURN_IF_ERROR(ReadNumber("length", values["length"], &entry->length));
  return values.count("offset") == 0 ? Status() : ReadNumber("offset", values["offset"], &entry->offset);
}

// A file with holes may claim more than there is memory, and taking that ends the program.
uint64_t Limit() {
  const uint64_t bytes = io::PhysicalMemoryBytes();
  return bytes == 0 ? kMaxExternalBytes : std::min(kMaxExternalBytes, bytes / 2);
}

class Loader {
 public:
  Loader(const std::string& folder, MappedTensors* mapped, std::vector<std::string>* files)
      : folder_(folder), mapped_(*mapped), files_(*files) {}

  Status Load(::onnx::ModelProto* model) {
    MICRORT_RETURN_IF_ERROR(VisitGraph(model->mutable_graph()));
    for (auto& function : *model->mutable_functions())
      MICRORT_RETURN_IF_ERROR(VisitNodes(function.mutable_node()));
    return Status();
  }

 private:
  Status VisitGraph(::onnx::GraphProto* graph) {
    for (auto& tensor : *graph->mutable_initializer()) MICRORT_RETURN_IF_ERROR(Visit(&tensor));
    for (auto& sparse : *graph->mutable_sparse_initializer()) MICRORT_RETURN_IF_ERROR(VisitSparse(&sparse));
    return VisitNodes(graph->mutable_node());
  }

  Status VisitNodes(::google::protobuf::RepeatedPtrField<::onnx::NodeProto>* nodes) {
    for (auto& node : *nodes) {
      for (auto& a : *node.mutable_attribute()) MICRORT_RETURN_IF_ERROR(VisitAttribute(&a));
    }
    return Status();
  }

  Status VisitAttribute(::onnx::AttributeProto* a) {
    if (a->has_t()) MICRORT_RETURN_IF_ERROR(Visit(a->mutable_t()));
    if (a->has_sparse_tensor()) MICRORT_RETURN_IF_ERROR(VisitSparse(a->mutable_sparse_tensor()));
    if (a->has_g()) MICRORT_RETURN_IF_ERROR(VisitGraph(a->mutable_g()));
    for (auto& tensor : *a->mutable_tensors()) MICRORT_RETURN_IF_ERROR(Visit(&tensor));
    for (auto& graph : *a->mutable_graphs()) MICRORT_RETURN_IF_ERROR(VisitGraph(&graph));
    return Status();
  }

  Status VisitSparse(::onnx::SparseTensorProto* sparse) {
    if (sparse->has_values()) MICRORT_RETURN_IF_ERROR(Visit(sparse->mutable_values()));
    return sparse->has_indices() ? Visit(sparse->mutable_indices()) : Status();
  }

  Status Visit(TensorProto* tensor) {
    if (tensor->data_location() != TensorProto::EXTERNAL) return Status();
    return LoadTensor(tensor).WithPrefix("tensor '%s'", Shown(tensor->name()).c_str());
  }

  Status LoadTensor(TensorProto* tensor) {
    if (StoredTypeOfOnnx(tensor->data_type()).dtype == DType::kUnknown) return Status();
    Entry entry;
    MICRORT_RETURN_IF_ERROR(ReadEntry(*tensor, &entry));
    MICRORT_ASSIGN_OR_RETURN(const uint64_t bytes, RawBytesOf(*tensor));
    MICRORT_RETURN_IF_ERROR(
        ReadElements(entry, bytes, tensor).WithPrefix("its data file '%s'", Shown(entry.location).c_str()));
    return Status();
  }

  Status ReadElements(const Entry& entry, uint64_t bytes, TensorProto* tensor) {
    if (file_.location().empty() || file_.location() != entry.location) {
      MICRORT_RETURN_IF_ERROR(file_.Open(folder_, entry.location));
      files_.push_back(
          (std::filesystem::u8path(folder_) / std::filesystem::u8path(entry.location)).u8string());
    }
    MICRORT_RETURN_IF_ERROR(CheckSize(entry, bytes));
    MICRORT_RETURN_IF_ERROR(Count(bytes));
    if (CanMap(entry, bytes, *tensor)) return MapElements(entry, bytes, tensor);
    tensor->clear_external_data();
    tensor->set_data_location(TensorProto::DEFAULT);
    std::string* raw = tensor->mutable_raw_data();
    raw->resize(bytes);
    return file_.Read(entry.offset, bytes, raw->data());
  }

  // Elements as the graph has them, at an address that suits their type.
  static bool CanMap(const Entry& entry, uint64_t bytes, const TensorProto& tensor) {
    constexpr uint64_t kLeast = 64 << 10;
    const StoredType type = StoredTypeOfOnnx(tensor.data_type());
    return bytes >= kLeast && type.bits >= 8 && type.dtype != DType::kBool &&
           entry.offset % SizeOf(type.dtype) == 0;
  }

  Status MapElements(const Entry& entry, uint64_t bytes, TensorProto* tensor) {
    std::shared_ptr<const MappedFile>& file = files_mapped_[file_.path()];
    if (file == nullptr) MICRORT_RETURN_IF_ERROR(file_.Map(&file));
    const Span<const uint8_t> part = {file->bytes().data() + entry.offset, static_cast<size_t>(bytes)};
    mapped_.Add(ir::Bytes(part, file), tensor);
    return Status();
  }

  // Many tensors may be the same bytes of a file, and each gets its own: a limit goes by what there is.
  Status Count(uint64_t bytes) {
    constexpr uint64_t kMostTimes = 8, kAlways = uint64_t{64} << 20;
    const auto [unread, is_new] = unread_.emplace(file_.path(), file_.size());
    if (is_new) present_ += file_.size();
    const uint64_t first_time = std::min(bytes, unread->second);
    unread->second -= first_time;
    loaded_ += bytes;
    if (loaded_ > limit_)
      return Unsupported("the model's external data is over the {} bytes that can be converted here", limit_);
    if (loaded_ / kMostTimes > present_ && loaded_ > kAlways) {
      return Unsupported("tensors share its bytes: they are over {} times as many as their files have",
                         kMostTimes);
    }
    io::AllowHeap(io::HeapFor(first_time));
    return Status();
  }

  Status CheckSize(const Entry& entry, uint64_t bytes) const {
    if (entry.has_length && entry.length != bytes)
      return Invalid("the tensor's shape takes {} bytes, the model states a length of {}", bytes,
                     entry.length);
    if (entry.offset <= file_.size() && bytes <= file_.size() - entry.offset) return Status();
    return Invalid("expected {} bytes at offset {}, the file has {}", bytes, entry.offset, file_.size());
  }

  const std::string folder_;
  MappedTensors& mapped_;
  std::map<std::string, std::shared_ptr<const MappedFile>> files_mapped_;  // by path
  std::vector<std::string>& files_;
  ExternalFile file_;  // the latest one: a model has few, or one a tensor
  const uint64_t limit_ = Limit();
  std::map<std::string, uint64_t> unread_;  // bytes of each file
  uint64_t loaded_ = 0, present_ = 0;       // bytes of tensors, and of all files so far
};

}  // namespace

Status LoadExternalData(const std::string& folder, ::onnx::ModelProto* model, MappedTensors* mapped,
                        std::vector<std::string>* files) {
  return Loader(folder, mapped, files).Load(model);
}

}  // namespace micrort::frontend::onnx
