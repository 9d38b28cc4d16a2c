#pragma once
// The object form of a model file, whose large buffers need not be copied into it.

#include <memory>
#include <vector>

#include "converter/emit/aligned_bytes.h"
#include "converter/ir/bytes.h"
#include "schema/micrort_generated.h"

namespace micrort::emit {

// Bytes of constants, less what is generous for everything else, so that the builder never meets its own
// assertion.
constexpr uint64_t kMostInFlatbuffer = FLATBUFFERS_MAX_BUFFER_SIZE - (uint64_t{64} << 20);

struct FileLimits {
  uint64_t most_in_flatbuffer;  // bytes of constants; more of them, and large ones lie behind the flatbuffer
  size_t least_shared;          // bytes of buffers that are shared with whoever has them, and are large
};
FileLimits CurrentFileLimits();

// For tests, while it lives: small models become files like those over 2 GiB.
class SmallFileLimits {
 public:
  SmallFileLimits();
  ~SmallFileLimits();
  SmallFileLimits(const SmallFileLimits&) = delete;
  SmallFileLimits& operator=(const SmallFileLimits&) = delete;
};

struct FileModel : schema::ModelT {
  using SharedBytes = std::shared_ptr<const ir::Bytes>;
  // By buffer, as far as it goes: what it holds in the place of `data`; null where it holds these.
  std::vector<SharedBytes> shared;

  uint32_t AddBuffer(SharedBytes bytes);
  Span<const uint8_t> BytesOf(size_t buffer) const;
  void Clear(size_t buffer);
};

// A file that is valid, or one that this program has made.
void Unpack(const AlignedBytes& file, FileModel* model);

}  // namespace micrort::emit
