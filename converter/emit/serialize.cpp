#include "converter/emit/serialize.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "converter/emit/build_model.h"

namespace micrort::emit {
namespace {

bool IsShared(const FileModel& model, size_t buffer) {
  return buffer < model.shared.size() && model.shared[buffer] != nullptr;
}

// In the flatbuffer, with or without shared ones.
uint64_t ConstantBytes(const FileModel& model, bool with_shared) {
  uint64_t bytes = 0;
  for (size_t b = 0; b < model.buffers.size(); ++b) {
    if (with_shared || !IsShared(model, b))
      bytes += AlignUp(model.BytesOf(b).size(), kAlignment) + kAlignment;
  }
  return bytes;
}

// A builder that has to grow has twice its bytes for a moment, three times while it copies them.
size_t QuantizationBytes(const FileModel& model) {
  size_t bytes = 0;
  for (const auto& subgraph : model.subgraphs) {
    for (const auto& tensor : subgraph->tensors) {
      const schema::QuantizationT* const q = tensor->quantization.get();
      if (q == nullptr) continue;
      bytes += sizeof(float) * (q->scales.size() + q->zero_points.size()) +
               sizeof(uint16_t) * q->half_scales.size() + q->int4_zero_points.size();
    }
  }
  return bytes;
}

// Gives the builder memory that becomes the file, so that a large one exists only once.
class FileMemory : public flatbuffers::Allocator {
 public:
  uint8_t* allocate(size_t size) override {
    blocks_.emplace_back(size);
    return blocks_.back().data();
  }
  void deallocate(uint8_t* p, size_t) override {
    const auto is_p = [p](const AlignedBytes& block) { return block.data() == p; };
    blocks_.erase(std::remove_if(blocks_.begin(), blocks_.end(), is_p), blocks_.end());
  }

  // The block that holds [begin, begin + size), cut to these bytes. The builder is not usable afterwards.
  AlignedBytes Take(const uint8_t* begin, size_t size) {
    AlignedBytes file = std::move(blocks_.back());
    blocks_.clear();
    std::memmove(file.data(), begin, size);
    file.Truncate(size);
    return file;
  }

 private:
  std::vector<AlignedBytes> blocks_;  // the builder frees the old one when it needs a larger one
};

using flatbuffers::Offset;
using Integers = flatbuffers::Vector<int32_t>;

// The object form as a flatbuffer. Equal names, lists of integers and quantizations are stored once, for all
// tensors and operators that have them: steps of an unrolled recurrence differ in little. Objects are created
// in the order in which flatc's own functions create them.
class Packer {
 public:
  Packer(const FileModel& model, bool has_outer, flatbuffers::FlatBufferBuilder* builder)
      : model_(model), has_outer_(has_outer), builder_(*builder) {}

  Offset<schema::Model> Pack() {
    const FileModel& model = model_;
    PackScalesOfInt4(model);
    const auto producer = Name(model.producer), producer_version = Name(model.producer_version),
               source_format = Name(model.source_format);
    const auto metadata = All<schema::Metadata>(
        model.metadata, [&](const schema::MetadataT& m) { return schema::CreateMetadata(builder_, &m); });
    const auto subgraphs =
        All<schema::Subgraph>(model.subgraphs, [&](const schema::SubgraphT& s) { return PackSubgraph(s); });
    const auto buffers = PackBuffers();
    const uint32_t version =
        has_outer_ ? std::max(model.schema_version, kSchemaVersionOfOuterBuffers) : model.schema_version;
    return schema::CreateModel(builder_, version, producer, producer_version, source_format, metadata,
                               subgraphs, buffers, Name(model.target), model.packed_revision);
  }

 private:
  Offset<flatbuffers::String> Name(const std::string& text) {
    return text.empty() ? 0 : builder_.CreateSharedString(text);
  }

  template <typename Table, typename Object, typename F>
  Offset<flatbuffers::Vector<Offset<Table>>> All(const std::vector<std::unique_ptr<Object>>& objects,
                                                 F pack) {
    if (objects.empty()) return 0;
    std::vector<Offset<Table>> offsets;
    for (const auto& object : objects) offsets.push_back(pack(*object));
    return builder_.CreateVector(offsets);
  }

  Offset<flatbuffers::Vector<Offset<schema::Buffer>>> PackBuffers() {
    if (model_.buffers.empty()) return 0;
    std::vector<Offset<schema::Buffer>> buffers;
    for (size_t b = 0; b < model_.buffers.size(); ++b) buffers.push_back(PackBuffer(b));
    return builder_.CreateVector(buffers);
  }

  Offset<schema::Buffer> PackBuffer(size_t b) {
    constexpr uint64_t kNotYetKnown = 1;
    if (!IsShared(model_, b)) return schema::CreateBuffer(builder_, model_.buffers[b].get());
    const Span<const uint8_t> bytes = model_.BytesOf(b);
    if (has_outer_) return schema::CreateBuffer(builder_, 0, kNotYetKnown, bytes.size());
    builder_.ForceVectorAlignment(bytes.size(), sizeof(uint8_t), kAlignment);
    return schema::CreateBuffer(builder_, builder_.CreateVector(bytes.data(), bytes.size()));
  }

  Offset<Integers> List(const std::vector<int32_t>& integers) {
    if (integers.empty()) return 0;
    Offset<Integers>& stored = lists_[integers];
    if (stored.IsNull()) stored = builder_.CreateVector(integers);
    return stored;
  }

  Offset<flatbuffers::Vector<Offset<flatbuffers::String>>> Names(const std::vector<std::string>& texts) {
    if (texts.empty()) return 0;
    std::vector<Offset<flatbuffers::String>> names;
    for (const std::string& text : texts) names.push_back(builder_.CreateSharedString(text));
    return builder_.CreateVector(names);
  }

  // Apart from everything else: nobody reads them again once the weights are packed, and their pages are let
  // go.
  void PackScalesOfInt4(const schema::ModelT& model) {
    for (const auto& subgraph : model.subgraphs) {
      for (const auto& tensor : subgraph->tensors) {
        if (tensor->quantization != nullptr) Halves(tensor->quantization->half_scales);
      }
    }
  }

  Offset<flatbuffers::Vector<uint16_t>> Halves(const std::vector<uint16_t>& halves) {
    if (halves.empty()) return 0;
    Offset<flatbuffers::Vector<uint16_t>>& stored = halves_[halves];
    if (stored.IsNull()) stored = builder_.CreateVector(halves);
    return stored;
  }

  Offset<schema::Quantization> PackQuantization(const schema::QuantizationT* q) {
    if (q == nullptr) return 0;
    Offset<schema::Quantization>& stored =
        quantizations_[{q->scales, q->half_scales, q->zero_points, q->int4_zero_points, q->axis, q->group}];
    if (!stored.IsNull()) return stored;
    if (q->half_scales.empty()) return stored = schema::CreateQuantization(builder_, q);
    const auto zero_points = q->zero_points.empty() ? 0 : builder_.CreateVector(q->zero_points);
    const auto int4_zero_points =
        q->int4_zero_points.empty() ? 0 : builder_.CreateVector(q->int4_zero_points);
    return stored = schema::CreateQuantization(builder_, 0, zero_points, q->axis, q->group,
                                               Halves(q->half_scales), int4_zero_points);
  }

  Offset<schema::Tensor> PackTensor(const schema::TensorT& t) {
    const auto name = Name(t.name);
    const auto shape = List(t.shape);
    const auto dim_names = Names(t.dim_names);
    const auto quantization = PackQuantization(t.quantization.get());
    return schema::CreateTensor(builder_, name, t.dtype, shape, dim_names, quantization, t.buffer,
                                t.decides_shapes, t.packed_only, List(t.max_shape));
  }

  Offset<schema::Operator> PackOperator(const schema::OperatorT& op) {
    const auto options = op.options.Pack(builder_);
    const auto inputs = List(op.inputs), outputs = List(op.outputs);
    const auto name = Name(op.name);
    const auto packed = All<schema::PackedWeights>(op.packed, [&](const schema::PackedWeightsT& p) {
      return schema::CreatePackedWeights(builder_, &p);
    });
    return schema::CreateOperator(builder_, op.code, op.options.type, options, inputs, outputs, name,
                                  op.max_scratch, packed, op.rounding);
  }

  Offset<schema::Subgraph> PackSubgraph(const schema::SubgraphT& s) {
    const auto name = Name(s.name);
    const auto tensors =
        All<schema::Tensor>(s.tensors, [&](const schema::TensorT& t) { return PackTensor(t); });
    const auto inputs = List(s.inputs), outputs = List(s.outputs);
    const auto operators =
        All<schema::Operator>(s.operators, [&](const schema::OperatorT& op) { return PackOperator(op); });
    const auto plan = s.plan == nullptr ? 0 : schema::CreateMemoryPlan(builder_, s.plan.get());
    const auto states = All<schema::State>(
        s.states, [&](const schema::StateT& state) { return schema::CreateState(builder_, &state); });
    const auto programs = All<schema::Program>(
        s.programs, [&](const schema::ProgramT& p) { return schema::CreateProgram(builder_, &p); });
    Offset<flatbuffers::Vector<uint8_t>> size_rules = 0;
    if (!s.size_rules.empty()) {
      builder_.ForceVectorAlignment(s.size_rules.size(), sizeof(uint8_t), 8);
      size_rules = builder_.CreateVector(s.size_rules);
    }
    return schema::CreateSubgraph(builder_, name, tensors, inputs, outputs, operators, plan, states, programs,
                                  size_rules);
  }

  const FileModel& model_;
  const bool has_outer_;
  flatbuffers::FlatBufferBuilder& builder_;
  std::map<std::vector<int32_t>, Offset<Integers>> lists_;
  std::map<std::tuple<std::vector<float>, std::vector<uint16_t>, std::vector<int32_t>, std::vector<uint8_t>,
                      int32_t, int32_t>,
           Offset<schema::Quantization>>
      quantizations_;
  std::map<std::vector<uint16_t>, Offset<flatbuffers::Vector<uint16_t>>> halves_;
};

// Where the flatbuffer has the tables of buffers that lie behind it.
std::vector<OuterBuffer> OuterBuffersOf(const FileModel& model, const AlignedBytes& file) {
  std::vector<OuterBuffer> outer;
  const auto& buffers = *schema::GetModel(file.data())->buffers();
  for (uint32_t b = 0; b < buffers.size(); ++b) {
    if (buffers.Get(b)->offset() == 0) continue;
    const void* const table = buffers.Get(b);
    const uint8_t* const field =
        static_cast<const flatbuffers::Table*>(table)->GetAddressOf(schema::Buffer::VT_OFFSET);
    outer.push_back({static_cast<size_t>(static_cast<const uint8_t*>(table) - file.data()),
                     static_cast<size_t>(field - file.data()), model.shared[b]});
  }
  return outer;
}

}  // namespace

Status Serialize(const FileModel& model, AlignedBytes* file) {
  const bool has_outer = ConstantBytes(model, true) > CurrentFileLimits().most_in_flatbuffer;
  const uint64_t inside = ConstantBytes(model, !has_outer);
  if (inside > kMostInFlatbuffer) {
    return MICRORT_ERROR(
        kUnsupported,
        "the model's constants of less than 64 KiB take %llu bytes, over the format's limit of 2 "
        "GiB; --feeds and --fetches cut the model in parts",
        static_cast<unsigned long long>(inside));
  }
  FileMemory memory;
  const size_t expected = static_cast<size_t>(inside) + QuantizationBytes(model);
  flatbuffers::FlatBufferBuilder builder(std::min<size_t>(expected, kMostInFlatbuffer) + (size_t{1} << 16),
                                         &memory);
  schema::FinishModelBuffer(builder, Packer(model, has_outer, &builder).Pack());
  *file = memory.Take(builder.GetBufferPointer(), builder.GetSize());
  if (has_outer) file->SetOuter(OuterBuffersOf(model, *file));
  return Status();
}

Status EmitModule(const ir::Module& module, AlignedBytes* file) {
  FileModel model;
  MICRORT_RETURN_IF_ERROR(BuildModel(module, &model));
  return Serialize(model, file);
}

}  // namespace micrort::emit
