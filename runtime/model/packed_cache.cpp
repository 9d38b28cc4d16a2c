#include "runtime/model/packed_cache.h"

#include <algorithm>
#include <new>

#include "kernels/base/checked_math.h"

namespace micrort {

namespace {

bool Before(const PackKey& a, const PackKey& b) {
  if (a.subgraph != b.subgraph) return a.subgraph < b.subgraph;
  return a.op != b.op ? a.op < b.op : a.slot < b.slot;
}

}  // namespace

PackedCache::~PackedCache() {
  while (blocks_ != nullptr) {
    Block* const next = blocks_->next;
    delete blocks_;
    blocks_ = next;
  }
}

Status PackedCache::Acquire(Span<PackRequest> requests, size_t* failed) {
  MutexLock lock(mutex_);
  *failed = requests.size();
  size_t missing = 0;
  size_t bytes = 0;
  for (const PackRequest& request : requests) {
    *request.result = Find(request.key);
    if (*request.result != nullptr) continue;
    ++missing;
    if (request.key.bytes > PTRDIFF_MAX ||
        !CheckedAdd(bytes, AlignUp(request.key.bytes, kAlignment), &bytes)) {
      return MICRORT_ERROR(kOutOfMemory, "packed weights are larger than an address space");
    }
  }
  if (missing == 0) return Status();
  Block* const block = new (std::nothrow) Block;
  if (block == nullptr) return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(Block));
  if (Status s = PackMissing(requests, missing, bytes, block, failed); !s.ok()) {
    delete block;
    return s;
  }
  block->next = blocks_;
  blocks_ = block;
  bytes_ += bytes;
  return Status();
}

size_t PackedCache::bytes() {
  MutexLock lock(mutex_);
  return bytes_;
}

const void* PackedCache::Find(const PackKey& key) const {
  for (const Block* block = blocks_; block != nullptr; block = block->next) {
    const Entry* entry = std::lower_bound(block->entries.begin(), block->entries.end(), key,
                                          [](const Entry& e, const PackKey& k) { return Before(e.key, k); });
    if (entry != block->entries.end() && !Before(key, entry->key) && entry->key.layout == key.layout &&
        entry->key.bytes == key.bytes) {
      return entry->data;
    }
  }
  return nullptr;
}

Status PackedCache::PackMissing(Span<PackRequest> requests, size_t missing, size_t bytes, Block* block,
                                size_t* failed) {
  if (Status s = block->memory.Allocate(bytes); !s.ok()) return s.WithPrefix("packed weights");
  MICRORT_RETURN_IF_ERROR(block->entries.Allocate(missing));
  auto* destination = static_cast<uint8_t*>(block->memory.data());
  size_t count = 0;
  for (size_t i = 0; i < requests.size(); ++i) {
    PackRequest& request = requests[i];
    if (*request.result != nullptr) continue;
    request.context.destination = destination;
    if (Status s = request.pack(request.context); !s.ok()) {
      *failed = i;
      return s;
    }
    *request.result = destination;
    block->entries[count++] = {request.key, destination};
    destination += AlignUp(request.key.bytes, kAlignment);
  }
  return Status();
}

}  // namespace micrort
