#include "runtime/model/model_impl.h"

#include <cstring>

#include "runtime/memory/device_sizes.h"
#include "runtime/model/packed_in_file.h"
#include "runtime/model/verify.h"
#include "runtime/ops/op_traits.h"

namespace micrort {

namespace {

// If a path is longer, messages show its end.
constexpr size_t kMaxLabel = 120;

#if defined(MICRORT_NO_HEAP)
static_assert(sizeof(void*) != device_sizes::kPointer || sizeof(ModelImpl) == device_sizes::kModel,
              "what mnnconvert counts for a device");
#endif

size_t BufferBytes(const schema::Model& model) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < Count(model.buffers()); ++i) bytes += BytesOfBuffer(model, i).size();
  return bytes;
}

}  // namespace

Status ModelImpl::LoadFile(const char* path) {
  if (Status s = mapping_.Open(path); !s.ok()) return s.WithPrefix("%s", path);
  MICRORT_RETURN_IF_ERROR(LoadBuffer(mapping_.bytes(), path));
#if !defined(MICRORT_NO_HEAP)
  return PlaceConstants();
#else
  return Status();
#endif
}

#if !defined(MICRORT_NO_HEAP)
Status ModelImpl::PlaceConstants() {
  MICRORT_RETURN_IF_ERROR(constants_.Allocate(root_->buffers()->size()));
  for (uint32_t i = 0; i < constants_.size(); ++i) constants_[i] = BufferData(*root_, i);
  if (packed_file_bytes_ == 0) ReadSparsely();
  return Status();
}

// Without packed weights in the file, runs read little of it. Weights of layers are read once, to be packed,
// and stay where they are if nothing else reads them.
void ModelImpl::ReadSparsely() {
  const Span<const uint8_t> sparse = mapping_.sparse_bytes();
  const ptrdiff_t apart = sparse.data() - file_.data();
  const auto move = [&](uint32_t buffer, ptrdiff_t by) {
    auto* const data = static_cast<uint8_t*>(BufferData(*root_, buffer));
    constants_[buffer] = data == nullptr ? nullptr : data + by;
  };
  for (uint32_t i = 0; i < constants_.size(); ++i) move(i, apart);
  for (const bool are_weights : {true, false}) {
    for (const schema::Subgraph* graph : *root_->subgraphs()) {
      for (uint32_t i = 0; i < Count(graph->operators()); ++i) {
        const schema::Operator& op = *graph->operators()->Get(i);
        for (uint32_t k = 0; k < Count(op.inputs()); ++k) {
          const int32_t input = op.inputs()->Get(k);
          if (input < 0 || are_weights != (IsLayer(op.code()) && k == kLayerWeights)) continue;
          move(graph->tensors()->Get(static_cast<uint32_t>(input))->buffer(), are_weights ? 0 : apart);
        }
      }
    }
  }
  mapping_.Release(file_.data(), file_.size());
  file_ = sparse;
  root_ = schema::GetModel(file_.data());
}
#endif

Status ModelImpl::LoadBuffer(Span<const uint8_t> file, const char* label) {
  MICRORT_RETURN_IF_ERROR(SetLabel(label));
  return Take(file, VerifyModel(file));
}

Status ModelImpl::LoadTrusted(Span<const uint8_t> file, const char* label) {
  MICRORT_RETURN_IF_ERROR(SetLabel(label));
  return Take(file, TrustModel(file));
}

Status ModelImpl::Take(Span<const uint8_t> file, Result<const schema::Model*> root) {
  file_ = file;
  if (!root.ok()) return root.status().WithPrefix("%s", label_.data());
  root_ = *root;
  has_packed_only_ = HasPackedOnly(*root_);
  MICRORT_RETURN_IF_ERROR(CountPackedBytes(*root_, &packed_file_bytes_));
  const size_t all = BufferBytes(*root_);
  weight_bytes_ = all - packed_file_bytes_;
  return Status();
}

Status ModelImpl::SetLabel(const char* label) {
  const size_t length = std::strlen(label);
  const char* shown = length > kMaxLabel ? label + length - kMaxLabel : label;
  const size_t bytes = std::strlen(shown) + 1;
  MICRORT_RETURN_IF_ERROR(label_.Allocate(bytes));
  std::memcpy(label_.data(), shown, bytes);
  return Status();
}

}  // namespace micrort
