#include "runtime/model/model_impl.h"

#include <cstring>

#include "runtime/memory/device_sizes.h"
#include "runtime/model/packed_in_file.h"
#include "runtime/model/verify.h"

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
  for (uint32_t i = 0; i < Count(model.buffers()); ++i) bytes += Count(model.buffers()->Get(i)->data());
  return bytes;
}

}  // namespace

Status ModelImpl::LoadFile(const char* path) {
  if (Status s = mapping_.Open(path); !s.ok()) return s.WithPrefix("%s", path);
  MICRORT_RETURN_IF_ERROR(LoadBuffer(mapping_.bytes(), path));
#if !defined(MICRORT_NO_HEAP)
  MICRORT_RETURN_IF_ERROR(constants_.Allocate(root_->buffers()->size()));
  for (uint32_t i = 0; i < constants_.size(); ++i) constants_[i] = BufferData(*root_, i);
#endif
  return Status();
}

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
