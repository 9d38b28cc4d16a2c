#include "converter/frontend/tensorflow/checkpoint.h"

#include <climits>
#include <cstdio>

#include "converter/frontend/tensorflow/crc32c.h"
#include "converter/frontend/tensorflow/node_attributes.h"
#include "converter/frontend/tensorflow/sorted_table.h"
#include "converter/frontend/tensorflow/tensor_types.h"
#include "tools/io/wrong_download.h"

namespace micrort::frontend::tensorflow {

namespace {

constexpr char kObjectGraphKey[] = "_CHECKPOINTABLE_OBJECT_GRAPH";
constexpr int32_t kMaxShards = 100000;
constexpr size_t kChecksumBytes = 4;

// 0: the file states none.
Status CheckSum(uint32_t stated, const Crc32c& found) {
  if (stated == 0 || stated == found.Masked()) return Status();
  return MICRORT_ERROR(kInvalidModel, "its data are damaged: checksum %08x, expected %08x", found.Masked(),
                       stated);
}

// A tensor of one string: its length as a varint, a checksum of the lengths, its bytes. `checksum`: of all,
// with lengths of 32 bits.
Result<Span<const uint8_t>> OnlyString(Span<const uint8_t> bytes, uint32_t checksum) {
  uint64_t length = 0;
  size_t at = 0;
  for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    length |= uint64_t{bytes[at] & 0x7fu} << shift;
    if ((bytes[at++] & 0x80) == 0) break;
  }
  if (bytes.size() < at + kChecksumBytes || bytes.size() - at - kChecksumBytes != length)
    return Invalid("the checkpoint's object graph is not one string");
  const auto n = static_cast<uint32_t>(length);
  const uint8_t little[] = {static_cast<uint8_t>(n), static_cast<uint8_t>(n >> 8),
                            static_cast<uint8_t>(n >> 16), static_cast<uint8_t>(n >> 24)};
  Crc32c crc;
  crc.Add(little, sizeof little).Add(bytes.data() + at, bytes.size() - at);
  MICRORT_RETURN_IF_ERROR(CheckSum(checksum, crc).WithPrefix("the checkpoint's object graph"));
  return Span<const uint8_t>{bytes.data() + at + kChecksumBytes, static_cast<size_t>(length)};
}

// K of "name_K", 0 of "name" itself: names of nodes that are to have one name are made different so. -1:
// another.
int64_t NumberAfter(const std::string& node, const std::string& name) {
  if (node == name) return 0;
  if (node.compare(0, name.size() + 1, name + "_") != 0) return -1;
  const std::string digits = node.substr(name.size() + 1);
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos)
    return -1;
  return std::stoll(digits);
}

// Where the handle leaves a dimension open, any is one of its shape. Graphs of the first TensorFlow write a
// shape that is not known as one without dimensions.
bool DeclaresShape(const ::tensorflow::NodeDef& handle, const ::tensorflow::TensorShapeProto& stored) {
  const ::tensorflow::AttrValue* attribute = NodeAttributes(handle, nullptr).Find("shape");
  if (attribute == nullptr || attribute->shape().unknown_rank()) return true;
  const ::tensorflow::TensorShapeProto& declared = attribute->shape();
  if (handle.op() == "Variable" && declared.dim_size() == 0) return true;
  bool same = declared.dim_size() == stored.dim_size();
  for (int i = 0; same && i < declared.dim_size(); ++i)
    same = declared.dim(i).size() < 0 || declared.dim(i).size() == stored.dim(i).size();
  return same;
}

std::string Described(::tensorflow::DataType type, const ::tensorflow::TensorShapeProto& shape) {
  std::string text = TypeName(type) + " of shape [";
  for (int i = 0; i < shape.dim_size(); ++i)
    text += (i == 0 ? "" : ",") + (shape.dim(i).size() < 0 ? "?" : std::to_string(shape.dim(i).size()));
  return text + "]";
}

}  // namespace

Status Checkpoint::Open(const std::string& prefix) {
  MappedFile index;
  const std::string path = prefix + ".index";
  Status status = index.Open(path.c_str());
  if (status.ok()) status = io::CheckDownload(index.bytes());
  if (status.ok()) status = ReadSortedTable(index.bytes(), &entries_);
  MICRORT_RETURN_IF_ERROR(status.WithPrefix("%s", path.c_str()));
  ::tensorflow::BundleHeaderProto header;
  const auto found = entries_.find("");
  if (found == entries_.end() || !header.ParseFromString(found->second) || header.num_shards() < 1 ||
      header.num_shards() > kMaxShards)
    return Invalid("{}: the header is missing or broken", path);
  if (header.endianness() != ::tensorflow::BundleHeaderProto::LITTLE)
    return Unsupported("{}: written on a big-endian machine", path);
  prefix_ = prefix;
  shards_ = header.num_shards();
  const auto objects = entries_.find(kObjectGraphKey);
  return objects == entries_.end() ? Status()
                                   : ReadObjectGraph(objects->second).WithPrefix("%s", path.c_str());
}

// TensorFlow 2 stores variables by their place among objects, and says here how the graph calls them.
Status Checkpoint::ReadObjectGraph(const std::string& entry) {
  ::tensorflow::BundleEntryProto location;
  if (!location.ParseFromString(entry))
    return Invalid("the entry of the checkpoint's object graph is broken");
  Span<const uint8_t> bytes, text;
  MICRORT_RETURN_IF_ERROR(BytesAt(location, &bytes));
  MICRORT_ASSIGN_OR_RETURN(text, OnlyString(bytes, location.crc32c()));
  ::tensorflow::TrackableObjectGraph graph;
  if (text.size() > INT_MAX || !graph.ParseFromArray(text.data(), static_cast<int>(text.size())))
    return Invalid("the checkpoint's object graph is broken");
  for (const auto& node : graph.nodes()) {
    for (const auto& attribute : node.attributes()) {
      if (!attribute.full_name().empty()) keys_[attribute.full_name()].push_back(attribute.checkpoint_key());
    }
  }
  return Status();
}

Result<const MappedFile*> Checkpoint::OpenShard(int32_t shard) {
  std::unique_ptr<MappedFile>& opened = files_[shard];
  if (opened == nullptr) {
    char suffix[48];
    std::snprintf(suffix, sizeof suffix, ".data-%05d-of-%05d", static_cast<int>(shard),
                  static_cast<int>(shards_));
    const std::string path = prefix_ + suffix;
    auto mapped = std::make_unique<MappedFile>();
    Status status = mapped->Open(path.c_str());
    if (status.ok()) status = io::CheckDownload(mapped->bytes());
    MICRORT_RETURN_IF_ERROR(status.WithPrefix("%s", path.c_str()));
    opened = std::move(mapped);
  }
  return opened.get();
}

Status Checkpoint::BytesAt(const ::tensorflow::BundleEntryProto& entry, Span<const uint8_t>* bytes) {
  if (entry.shard_id() < 0 || entry.shard_id() >= shards_)
    return Invalid("shard {} of {}", static_cast<int>(entry.shard_id()), static_cast<int>(shards_));
  MICRORT_ASSIGN_OR_RETURN(const MappedFile* file, OpenShard(entry.shard_id()));
  const auto size = static_cast<int64_t>(file->bytes().size());
  if (entry.offset() < 0 || entry.size() < 0 || entry.offset() > size || entry.size() > size - entry.offset())
    return Invalid("its data reach over the end of shard {}", static_cast<int>(entry.shard_id()));
  *bytes = {file->bytes().data() + entry.offset(), static_cast<size_t>(entry.size())};
  return Status();
}

void Checkpoint::TellApart(::tensorflow::GraphDef* graph) {
  std::map<std::string, std::vector<::tensorflow::NodeDef*>> handles;  // in the order of the graph
  for (auto& node : *graph->mutable_node()) {
    const auto shared = node.attr().find("shared_name");
    if (node.op() == "VarHandleOp" && shared != node.attr().end())
      handles[shared->second.s()].push_back(&node);
  }
  const std::map<std::string, Keys> named = keys_;
  for (const auto& [variable, keys] : named) {
    if (keys.size() > 1) NameHandles(variable, keys, handles[variable]);
  }
}

// Handles are made in the order of the objects. Where some are gone, the numbers in their nodes' names tell
// which are left.
void Checkpoint::NameHandles(const std::string& variable, const Keys& keys,
                             const std::vector<::tensorflow::NodeDef*>& handles) {
  const auto number = [&](size_t i) {
    return handles.size() == keys.size() ? static_cast<int64_t>(i)
                                         : NumberAfter(handles[i]->name(), variable);
  };
  const auto count = static_cast<int64_t>(keys.size());
  bool all_told = true;
  for (size_t i = 0; i < handles.size(); ++i) all_told &= number(i) >= 0 && number(i) < count;
  for (size_t i = 0; i < handles.size(); ++i) {
    if (number(i) < 0 || number(i) >= count) continue;
    const std::string &node = handles[i]->name(), &key = keys[static_cast<size_t>(number(i))];
    // The node's name, unless it stands for another variable.
    const bool is_free = keys_.count(node) == 0 || (all_told && node == variable);
    const std::string name = is_free ? node : key;
    keys_[name] = {key};
    (*handles[i]->mutable_attr())["shared_name"].set_s(name);
  }
}

Status Checkpoint::EntryOf(const std::string& variable, ::tensorflow::BundleEntryProto* entry) const {
  const auto keys = keys_.find(variable);
  if (keys != keys_.end() && keys->second.size() > 1)
    return Unsupported("{} variables of the checkpoint have this name", keys->second.size());
  const auto found = entries_.find(keys == keys_.end() ? variable : keys->second[0]);
  if (found == entries_.end()) return Invalid("the checkpoint has no value for it");
  return entry->ParseFromString(found->second) ? Status() : Invalid("its entry is broken");
}

Status Checkpoint::CheckHandle(const std::string& variable, const ::tensorflow::NodeDef& handle) const {
  ::tensorflow::BundleEntryProto entry;
  const NodeAttributes attributes(handle, nullptr);
  const ::tensorflow::AttrValue *type = attributes.Find("dtype"), *shape = attributes.Find("shape");
  if (type == nullptr || !EntryOf(variable, &entry).ok()) return Status();
  if (entry.dtype() == type->type() && DeclaresShape(handle, entry.shape())) return Status();
  return Invalid("variable '{}': the graph declares {}, the checkpoint has {}", variable,
                 Described(type->type(), shape == nullptr ? entry.shape() : shape->shape()).c_str(),
                 Described(entry.dtype(), entry.shape()));
}

Status Checkpoint::Read(const std::string& variable, ConstantTensor* out) {
  ::tensorflow::BundleEntryProto entry;
  MICRORT_RETURN_IF_ERROR(EntryOf(variable, &entry));
  if (entry.slices_size() > 0) return Unsupported("it is partitioned");
  out->dtype = DTypeOfTensorflow(entry.dtype());
  if (out->dtype == DType::kUnknown) return Unsupported("it is of type {}", TypeName(entry.dtype()));
  MICRORT_RETURN_IF_ERROR(ReadStaticShape(entry.shape(), &out->shape));
  MICRORT_ASSIGN_OR_RETURN(const size_t expected, BytesOf(out->dtype, out->shape));
  Span<const uint8_t> bytes;
  MICRORT_RETURN_IF_ERROR(BytesAt(entry, &bytes));
  if (bytes.size() != expected) return Invalid("expected {} bytes, found {}", expected, bytes.size());
  MICRORT_RETURN_IF_ERROR(CheckSum(entry.crc32c(), Crc32c().Add(bytes.data(), bytes.size())));
  out->data.assign(bytes.begin(), bytes.end());
  return Status();
}

}  // namespace micrort::frontend::tensorflow
