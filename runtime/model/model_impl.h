#pragma once

#include "kernels/base/fixed_array.h"
#include "kernels/base/platform/mapped_file.h"
#include "micrort/model.h"
#include "runtime/memory/objects.h"
#include "runtime/model/packed_cache.h"
#include "runtime/model/schema_text.h"

namespace micrort {

class ModelImpl {
 public:
  // Each once. The label begins every message about this model.
  Status LoadFile(const char* path);
  Status LoadBuffer(Span<const uint8_t> file, const char* label);
  Status LoadTrusted(Span<const uint8_t> file, const char* label);

  const schema::Model& root() const { return *root_; }
  const schema::Subgraph& entry() const { return *root_->subgraphs()->Get(0); }
  Span<const uint8_t> file() const { return file_; }
  const char* label() const { return label_.data(); }
  size_t weight_bytes() const { return weight_bytes_; }
  size_t packed_file_bytes() const { return packed_file_bytes_; }
  bool has_packed_only() const { return has_packed_only_; }
  PackedCache& packed() { return packed_; }
  // Where the constants of a mapped file lie, by buffer; empty: the file says it. To read it there would map
  // the pages beside each constant again, which packing has let go.
#if !defined(MICRORT_NO_HEAP)
  Span<void* const> constants() const { return {constants_.data(), constants_.size()}; }
#endif
  // Where the model and its interpreters have their memory from.
  const MemorySource& memory() const { return memory_; }

 private:
  Status SetLabel(const char* label);
  Status Take(Span<const uint8_t> file, Result<const schema::Model*> root);
#if !defined(MICRORT_NO_HEAP)
  Status PlaceConstants();
  void ReadSparsely();
#endif

  MemorySource memory_;
  FixedArray<char> label_;
  MappedFile mapping_;  // empty for a caller's buffer
  Span<const uint8_t> file_;
  const schema::Model* root_ = nullptr;
#if !defined(MICRORT_NO_HEAP)
  FixedArray<void*> constants_;
#endif
  size_t weight_bytes_ = 0, packed_file_bytes_ = 0;
  bool has_packed_only_ = false;
  PackedCache packed_{mapping_};
};

}  // namespace micrort
