#pragma once
// Weights in the layouts that kernels want, made once a model and shared by its interpreters.

#include <cstddef>
#include <cstdint>

#include "kernels/base/fixed_array.h"
#include "kernels/base/platform/mapped_file.h"
#include "kernels/base/platform/threads.h"
#include "runtime/memory/aligned_memory.h"
#include "runtime/ops/op.h"

namespace micrort {

// Two requests with equal keys get the same memory, whichever interpreter makes them.
struct PackKey {
  int32_t subgraph = 0;
  int32_t op = 0;
  int32_t slot = 0;
  AlgorithmVariant layout = 0;
  size_t bytes = 0;
};

struct PackRequest {
  PackKey key;
  const char* layout_name = "";  // for files and people
  Status (*pack)(const PackContext& context) = nullptr;
  PackContext context{};          // destination is set by the cache
  const void* source = nullptr;   // elements of the constant that is packed
  bool is_compared = false;       // is set by the cache: other requests may be packed into the same bytes
  const void** result = nullptr;  // is set to the packed weights, which live as long as the cache
};

// The bytes that a cache would take for these, which are new to it. Packs what may be there once for several.
Status PlanPackedBytes(Span<PackRequest> requests, size_t* bytes);

// Thread-safe.
class PackedCache {
 public:
  // Constants that lie in `file` are let go once they are packed.
  explicit PackedCache(const MappedFile& file) : file_(file) {}
  ~PackedCache();
  PackedCache(const PackedCache&) = delete;
  PackedCache& operator=(const PackedCache&) = delete;

  // Serves all requests, sorted by subgraph, op and slot: those not there yet are packed into one new block,
  // by all workers. What is packed into the same bytes, as by the steps of an unrolled loop, is there once.
  // On error the cache stays as it was, and *failed is the request whose pack failed, or the number of
  // requests.
  Status Acquire(Span<PackRequest> requests, const Parallel& parallel, size_t* failed);
  size_t bytes();

 private:
  struct Entry {
    PackKey key;
    void* data = nullptr;
  };
  struct Block {
    FixedArray<Entry> entries;   // sorted by subgraph, op and slot
    AlignedMemory memory, more;  // `more` of those that are not packed like another one after all
    Block* next = nullptr;
  };
  const void* Find(const PackKey& key) const;
  Status PackMissing(Span<PackRequest> requests, size_t missing, const Parallel& parallel, Block* block,
                     size_t* failed);

  const MappedFile& file_;
  Mutex mutex_;
  Block* blocks_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace micrort
