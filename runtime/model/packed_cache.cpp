#include "runtime/model/packed_cache.h"

#include <algorithm>
#include <atomic>

#include "kernels/base/checked_math.h"
#include "runtime/memory/objects.h"

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
    DeleteObject(blocks_);
    blocks_ = next;
  }
}

Status PackedCache::Acquire(Span<PackRequest> requests, const Parallel& parallel, size_t* failed) {
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
  Block* const block = NewObject<Block>();
  if (block == nullptr) return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(Block));
  Status status = block->memory.Allocate(bytes).WithPrefix("packed weights");
  if (status.ok()) status = PackMissing(requests, missing, parallel, block, failed);
  if (!status.ok()) {
    DeleteObject(block);
    return status;
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
    if (entry != block->entries.end() && !Before(key, entry->key) && entry->key.bytes == key.bytes &&
        entry->key.layout == key.layout) {
      return entry->data;
    }
  }
  return nullptr;
}

void PackedCache::ReleaseConstants(const PackRequest& request) const {
  for (const Tensor* input : request.context.inputs) {
    if (input != nullptr && input->constant) file_.Release(input->data, input->bytes());
  }
}

Status PackedCache::PackMissing(Span<PackRequest> requests, size_t missing, const Parallel& parallel,
                                Block* block, size_t* failed) {
  MICRORT_RETURN_IF_ERROR(block->entries.Allocate(missing));
  FixedArray<PackRequest*> work;
  MICRORT_RETURN_IF_ERROR(work.Allocate(missing));
  auto* destination = static_cast<uint8_t*>(block->memory.data());
  size_t count = 0;
  for (PackRequest& request : requests) {
    if (*request.result != nullptr) continue;
    request.context.destination = destination;
    *request.result = destination;
    block->entries[count] = {request.key, destination};
    work[count++] = &request;
    destination += AlignUp(request.key.bytes, kAlignment);
  }
  std::atomic<size_t> first_failed{missing};
  ParallelFor(parallel, missing, [&](size_t i, int) {
    if (work[i]->pack(work[i]->context).ok()) return ReleaseConstants(*work[i]);
    size_t first = first_failed.load();
    while (i < first && !first_failed.compare_exchange_weak(first, i)) {
    }
  });
  if (first_failed == missing) return Status();
  // Once more, for the reason.
  const PackRequest* request = work[first_failed];
  *failed = static_cast<size_t>(request - requests.begin());
  return request->pack(request->context);
}

}  // namespace micrort
