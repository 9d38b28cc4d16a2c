#include "converter/emit/serialize.h"

namespace micrort::emit {
namespace {

// Generous for everything that is not constant data, so that the builder never meets its own assertion.
constexpr uint64_t kStructureReserve = uint64_t{64} << 20;

uint64_t ConstantBytes(const schema::ModelT& model) {
  uint64_t bytes = 0;
  for (const auto& buffer : model.buffers) bytes += AlignUp(buffer->data.size(), kAlignment) + kAlignment;
  return bytes;
}

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
  flatbuffers::FlatBufferBuilder builder(static_cast<size_t>(constants) + (size_t{1} << 16));
  schema::FinishModelBuffer(builder, schema::CreateModel(builder, &model));
  file->assign(builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
  return Status();
}

}  // namespace micrort::emit
