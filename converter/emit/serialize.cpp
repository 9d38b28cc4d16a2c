#include "converter/emit/serialize.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "converter/emit/build_model.h"

namespace micrort::emit {
namespace {

// Generous for everything that is not constant data, so that the builder never meets its own assertion.
constexpr uint64_t kStructureReserve = uint64_t{64} << 20;

uint64_t ConstantBytes(const schema::ModelT& model) {
  uint64_t bytes = 0;
  for (const auto& buffer : model.buffers) bytes += AlignUp(buffer->data.size(), kAlignment) + kAlignment;
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
    file.resize(size);
    return file;
  }

 private:
  std::vector<AlignedBytes> blocks_;  // the builder frees the old one when it needs a larger one
};

}  // namespace

Status Serialize(const schema::ModelT& model, AlignedBytes* file) {
  const uint64_t constants = ConstantBytes(model);
  if (constants + kStructureReserve > FLATBUFFERS_MAX_BUFFER_SIZE) {
    return MICRORT_ERROR(
        kUnsupported,
        "the model's constants take %llu bytes, over the format's limit of 2 GiB; --quant fp16 or "
        "int8-weights makes them smaller, --feeds and --fetches cut the model in parts",
        static_cast<unsigned long long>(constants));
  }
  FileMemory memory;
  flatbuffers::FlatBufferBuilder builder(static_cast<size_t>(constants) + (size_t{1} << 16), &memory);
  schema::FinishModelBuffer(builder, schema::CreateModel(builder, &model));
  *file = memory.Take(builder.GetBufferPointer(), builder.GetSize());
  return Status();
}

Status EmitModule(const ir::Module& module, AlignedBytes* file) {
  schema::ModelT model;
  MICRORT_RETURN_IF_ERROR(BuildModel(module, &model));
  return Serialize(model, file);
}

}  // namespace micrort::emit
