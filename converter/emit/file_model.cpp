#include "converter/emit/file_model.h"

#include <atomic>
#include <utility>

namespace micrort::emit {
namespace {

std::atomic<int> small_limits{0};

}  // namespace

SmallFileLimits::SmallFileLimits() { ++small_limits; }
SmallFileLimits::~SmallFileLimits() { --small_limits; }

FileLimits CurrentFileLimits() {
  if (small_limits != 0) return {0, 1};
  return {kMostInFlatbuffer, size_t{64} << 10};
}

uint32_t FileModel::AddBuffer(SharedBytes bytes) {
  buffers.push_back(std::make_unique<schema::BufferT>());
  if (bytes->size() < CurrentFileLimits().least_shared) {
    buffers.back()->data.assign(bytes->begin(), bytes->end());
  } else {
    shared.resize(buffers.size());
    shared.back() = std::move(bytes);
  }
  return static_cast<uint32_t>(buffers.size() - 1);
}

Span<const uint8_t> FileModel::BytesOf(size_t buffer) const {
  if (buffer < shared.size() && shared[buffer] != nullptr) return *shared[buffer];
  return {buffers[buffer]->data.data(), buffers[buffer]->data.size()};
}

void FileModel::Clear(size_t buffer) {
  buffers[buffer]->data.clear();
  if (buffer < shared.size()) shared[buffer] = nullptr;
}

void Unpack(const AlignedBytes& file, FileModel* model) {
  schema::GetModel(file.data())->UnPackTo(model);
  model->shared.assign(model->buffers.size(), nullptr);
  auto outer = file.outer().begin();
  for (size_t b = 0; b < model->buffers.size(); ++b) {
    schema::BufferT& buffer = *model->buffers[b];
    if (buffer.offset != 0) {
      model->shared[b] = (outer++)->bytes;
      buffer.offset = buffer.size = 0;
    } else if (buffer.data.size() >= CurrentFileLimits().least_shared) {
      model->shared[b] = std::make_shared<const ir::Bytes>(std::exchange(buffer.data, {}));
    }
  }
}

}  // namespace micrort::emit
