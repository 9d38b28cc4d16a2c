#include "converter/frontend/tensorflow/checkpoint.h"

#include <climits>
#include <cstdio>

#include "converter/frontend/tensorflow/sorted_table.h"
#include "converter/frontend/tensorflow/tensor_types.h"

namespace micrort::frontend::tensorflow {

namespace {

constexpr char kObjectGraphKey[] = "_CHECKPOINTABLE_OBJECT_GRAPH";
constexpr int32_t kMaxShards = 100000;
constexpr size_t kChecksumBytes = 4;

// A tensor of one string: its length as a varint, a checksum of the lengths, its bytes.
Status OnlyString(Span<const uint8_t> bytes, Span<const uint8_t>* out) {
  uint64_t length = 0;
  size_t at = 0;
  for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    length |= uint64_t{bytes[at] & 0x7fu} << shift;
    if ((bytes[at++] & 0x80) == 0) break;
  }
  if (bytes.size() < at + kChecksumBytes || bytes.size() - at - kChecksumBytes != length) {
    return MICRORT_ERROR(kInvalidModel, "the checkpoint's object graph is not one string");
  }
  *out = {bytes.data() + at + kChecksumBytes, static_cast<size_t>(length)};
  return Status();
}

}  // namespace

Status Checkpoint::Open(const std::string& prefix) {
  MappedFile index;
  const std::string path = prefix + ".index";
  Status status = index.Open(path.c_str());
  if (status.ok()) status = ReadSortedTable(index.bytes(), &entries_);
  MICRORT_RETURN_IF_ERROR(status.WithPrefix("%s", path.c_str()));
  ::tensorflow::BundleHeaderProto header;
  const auto found = entries_.find("");
  if (found == entries_.end() || !header.ParseFromString(found->second) || header.num_shards() < 1 ||
      header.num_shards() > kMaxShards) {
    return MICRORT_ERROR(kInvalidModel, "%s: the header is missing or broken", path.c_str());
  }
  if (header.endianness() != ::tensorflow::BundleHeaderProto::LITTLE) {
    return MICRORT_ERROR(kUnsupported, "%s: written on a big-endian machine", path.c_str());
  }
  prefix_ = prefix;
  shards_ = header.num_shards();
  const auto objects = entries_.find(kObjectGraphKey);
  return objects == entries_.end() ? Status()
                                   : ReadObjectGraph(objects->second).WithPrefix("%s", path.c_str());
}

// TensorFlow 2 stores variables by their place among objects, and says here how the graph calls them.
Status Checkpoint::ReadObjectGraph(const std::string& entry) {
  ::tensorflow::BundleEntryProto location;
  if (!location.ParseFromString(entry)) {
    return MICRORT_ERROR(kInvalidModel, "the entry of the checkpoint's object graph is broken");
  }
  Span<const uint8_t> bytes, text;
  MICRORT_RETURN_IF_ERROR(BytesAt(location, &bytes));
  MICRORT_RETURN_IF_ERROR(OnlyString(bytes, &text));
  ::tensorflow::TrackableObjectGraph graph;
  if (text.size() > INT_MAX || !graph.ParseFromArray(text.data(), static_cast<int>(text.size()))) {
    return MICRORT_ERROR(kInvalidModel, "the checkpoint's object graph is broken");
  }
  for (const auto& node : graph.nodes()) {
    for (const auto& attribute : node.attributes()) {
      if (!attribute.full_name().empty()) keys_[attribute.full_name()] = attribute.checkpoint_key();
    }
  }
  return Status();
}

Status Checkpoint::OpenShard(int32_t shard, const MappedFile** file) {
  std::unique_ptr<MappedFile>& opened = files_[shard];
  if (opened == nullptr) {
    char suffix[48];
    std::snprintf(suffix, sizeof suffix, ".data-%05d-of-%05d", static_cast<int>(shard),
                  static_cast<int>(shards_));
    const std::string path = prefix_ + suffix;
    auto mapped = std::make_unique<MappedFile>();
    MICRORT_RETURN_IF_ERROR(mapped->Open(path.c_str()).WithPrefix("%s", path.c_str()));
    opened = std::move(mapped);
  }
  *file = opened.get();
  return Status();
}

Status Checkpoint::BytesAt(const ::tensorflow::BundleEntryProto& entry, Span<const uint8_t>* bytes) {
  if (entry.shard_id() < 0 || entry.shard_id() >= shards_) {
    return MICRORT_ERROR(kInvalidModel, "shard %d of %d", static_cast<int>(entry.shard_id()),
                         static_cast<int>(shards_));
  }
  const MappedFile* file = nullptr;
  MICRORT_RETURN_IF_ERROR(OpenShard(entry.shard_id(), &file));
  const auto size = static_cast<int64_t>(file->bytes().size());
  if (entry.offset() < 0 || entry.size() < 0 || entry.offset() > size ||
      entry.size() > size - entry.offset()) {
    return MICRORT_ERROR(kInvalidModel, "its data reach over the end of shard %d",
                         static_cast<int>(entry.shard_id()));
  }
  *bytes = {file->bytes().data() + entry.offset(), static_cast<size_t>(entry.size())};
  return Status();
}

Status Checkpoint::Read(const std::string& variable, ConstantTensor* out) {
  const auto key = keys_.find(variable);
  const auto found = entries_.find(key == keys_.end() ? variable : key->second);
  if (found == entries_.end()) return MICRORT_ERROR(kInvalidModel, "the checkpoint has no value for it");
  ::tensorflow::BundleEntryProto entry;
  if (!entry.ParseFromString(found->second)) return MICRORT_ERROR(kInvalidModel, "its entry is broken");
  if (entry.slices_size() > 0) return MICRORT_ERROR(kUnsupported, "it is partitioned");
  out->dtype = DTypeOfTensorflow(entry.dtype());
  if (out->dtype == DType::kUnknown) {
    return MICRORT_ERROR(kUnsupported, "it is of type %s", TypeName(entry.dtype()).c_str());
  }
  MICRORT_RETURN_IF_ERROR(ReadStaticShape(entry.shape(), &out->shape));
  size_t expected = 0;
  MICRORT_RETURN_IF_ERROR(BytesOf(out->dtype, out->shape, &expected));
  Span<const uint8_t> bytes;
  MICRORT_RETURN_IF_ERROR(BytesAt(entry, &bytes));
  if (bytes.size() != expected) {
    return MICRORT_ERROR(kInvalidModel, "expected %zu bytes, found %zu", expected, bytes.size());
  }
  out->data.assign(bytes.begin(), bytes.end());
  return Status();
}

}  // namespace micrort::frontend::tensorflow
