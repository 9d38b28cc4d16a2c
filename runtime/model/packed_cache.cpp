#include "runtime/model/packed_cache.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "kernels/base/checked_math.h"
#include "runtime/memory/objects.h"

namespace micrort {

namespace {

bool Before(const PackKey& a, const PackKey& b) {
  if (a.subgraph != b.subgraph) return a.subgraph < b.subgraph;
  return a.op != b.op ? a.op < b.op : a.slot < b.slot;
}

// So many earlier requests may be alike, which are more than a step of a loop makes.
constexpr size_t kMaxLookedAt = 256;

bool MayBeAlike(const PackRequest& a, const PackRequest& b) {
  return a.source != nullptr && a.source == b.source && a.pack == b.pack && a.key.slot == b.key.slot &&
         a.key.layout == b.key.layout && a.key.bytes == b.key.bytes;
}

// Requests without a result yet: those that are packed in any case, and those that may be packed like one of
// them, as the same kernel packs the same constant. The bytes tell whether they are.
struct Groups {
  FixedArray<PackRequest*> alone, like, likened_to;
  size_t own = 0, likened = 0;

  Status Find(Span<PackRequest> requests) {
    MICRORT_RETURN_IF_ERROR(alone.Allocate(requests.size()));
    MICRORT_RETURN_IF_ERROR(like.Allocate(requests.size()));
    MICRORT_RETURN_IF_ERROR(likened_to.Allocate(requests.size()));
    for (PackRequest& request : requests) {
      if (*request.result != nullptr) continue;
      PackRequest* const earlier = FindAlike(request);
      if (earlier == nullptr) {
        alone[own++] = &request;
      } else {
        request.is_compared = earlier->is_compared = true;
        likened_to[likened] = earlier;
        like[likened++] = &request;
      }
    }
    return Status();
  }

 private:
  PackRequest* FindAlike(const PackRequest& request) const {
    const size_t first = own > kMaxLookedAt ? own - kMaxLookedAt : 0;
    for (size_t i = own; i-- > first;) {
      if (MayBeAlike(*alone[i], request)) return alone[i];
    }
    return nullptr;
  }
};

void ReleaseConstants(const PackRequest& request, const MappedFile& file) {
  for (const Tensor* input : request.context.inputs) {
    if (input == nullptr || !input->constant) continue;
    file.Release(input->data, input->bytes());
#if !defined(MICRORT_NO_FLOAT_LAYERS)
    file.Release(input->grid.half_scales, input->quantization.count * sizeof(uint16_t));
#endif
  }
}

// Gives all of them memory and packs them; the pages of the file go as soon as nothing needs them any more,
// if there is one. On error *bad is the first one whose pack failed, or stays.
Status PackInto(Span<PackRequest* const> requests, const Parallel& parallel, const MappedFile* file,
                AlignedMemory* memory, const PackRequest** bad) {
  size_t bytes = 0;
  for (const PackRequest* request : requests) {
    if (request->key.bytes > PTRDIFF_MAX ||
        !CheckedAdd(bytes, AlignUp(request->key.bytes, kAlignment), &bytes)) {
      return MICRORT_ERROR(kOutOfMemory, "packed weights are larger than an address space");
    }
  }
  MICRORT_RETURN_IF_ERROR(memory->Allocate(bytes).WithPrefix("packed weights"));
  auto* destination = static_cast<uint8_t*>(memory->data());
  for (PackRequest* request : requests) {
    *request->result = request->context.destination = destination;
    destination += AlignUp(request->key.bytes, kAlignment);
  }
  std::atomic<size_t> first_failed{requests.size()};
  ParallelFor(parallel, requests.size(), [&](size_t i, int) {
    const PackRequest& request = *requests[i];
    // What is packed for nothing is to be equal, too.
    if (request.is_compared) std::memset(request.context.destination, 0, request.key.bytes);
    if (request.pack(request.context).ok()) {
      if (!request.is_compared && file != nullptr) ReleaseConstants(request, *file);
      return;
    }
    size_t first = first_failed.load();
    while (i < first && !first_failed.compare_exchange_weak(first, i)) {
    }
  });
  if (first_failed == requests.size()) return Status();
  // Once more, for the reason.
  *bad = requests[first_failed];
  return (*bad)->pack((*bad)->context);
}

// Those that are packed into the same bytes as the earlier ones get their memory; the others, *others, come
// first.
Status Compare(Groups& groups, size_t* others, const PackRequest** bad) {
  size_t most = 0;
  for (size_t i = 0; i < groups.likened; ++i) most = std::max(most, groups.like[i]->key.bytes);
  AlignedMemory memory;
  MICRORT_RETURN_IF_ERROR(memory.Allocate(most).WithPrefix("packed weights"));
  for (size_t i = 0; i < groups.likened; ++i) {
    PackRequest* const request = groups.like[i];
    std::memset(memory.data(), 0, request->key.bytes);
    request->context.destination = memory.data();
    *bad = request;
    MICRORT_RETURN_IF_ERROR(request->pack(request->context));
    *bad = nullptr;
    const PackRequest& earlier = *groups.likened_to[i];
    if (std::memcmp(memory.data(), earlier.context.destination, request->key.bytes) == 0) {
      *request->result = request->context.destination = earlier.context.destination;
    } else {
      groups.like[(*others)++] = request;
    }
  }
  return Status();
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
  for (const PackRequest& request : requests) {
    *request.result = Find(request.key);
    missing += *request.result == nullptr;
  }
  if (missing == 0) return Status();
  Block* const block = NewObject<Block>();
  if (block == nullptr) return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(Block));
  const Status status = PackMissing(requests, missing, parallel, block, failed);
  if (!status.ok()) {
    DeleteObject(block);
    return status;
  }
  block->next = blocks_;
  blocks_ = block;
  bytes_ += block->memory.size() + block->more.size();
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

Status PackedCache::PackMissing(Span<PackRequest> requests, size_t missing, const Parallel& parallel,
                                Block* block, size_t* failed) {
  MICRORT_RETURN_IF_ERROR(block->entries.Allocate(missing));
  Groups groups;
  MICRORT_RETURN_IF_ERROR(groups.Find(requests));
  const PackRequest* bad = nullptr;
  size_t others = 0;
  Status status = PackInto({groups.alone.data(), groups.own}, parallel, &file_, &block->memory, &bad);
  if (status.ok()) status = Compare(groups, &others, &bad);
  if (status.ok()) status = PackInto({groups.like.data(), others}, parallel, &file_, &block->more, &bad);
  if (bad != nullptr) *failed = static_cast<size_t>(bad - requests.begin());
  MICRORT_RETURN_IF_ERROR(status);
  size_t count = 0;
  for (const PackRequest& request : requests) {
    if (request.context.destination == nullptr) continue;
    block->entries[count++] = {request.key, request.context.destination};
    if (request.is_compared) ReleaseConstants(request, file_);
  }
  return Status();
}

Status PlanPackedBytes(Span<PackRequest> requests, size_t* bytes) {
  Groups groups;
  MICRORT_RETURN_IF_ERROR(groups.Find(requests));
  FixedArray<PackRequest*> needed;
  MICRORT_RETURN_IF_ERROR(needed.Allocate(groups.likened));
  size_t count = 0;
  for (size_t i = 0; i < groups.likened; ++i) {
    PackRequest* const earlier = groups.likened_to[i];
    if (std::exchange(*earlier->result, earlier) == nullptr) needed[count++] = earlier;
  }
  const PackRequest* bad = nullptr;
  AlignedMemory memory;
  size_t others = 0;
  MICRORT_RETURN_IF_ERROR(PackInto({needed.data(), count}, Sequential(), nullptr, &memory, &bad));
  MICRORT_RETURN_IF_ERROR(Compare(groups, &others, &bad));
  for (size_t i = 0; i < groups.own; ++i) *bytes += AlignUp(groups.alone[i]->key.bytes, kAlignment);
  for (size_t i = 0; i < others; ++i) *bytes += AlignUp(groups.like[i]->key.bytes, kAlignment);
  return Status();
}

}  // namespace micrort
