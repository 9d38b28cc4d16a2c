#include "runtime/interpreter/kept_state.h"

#include <algorithm>
#include <cstring>

#include "kernels/attention/cache_rows.h"
#include "kernels/base/checked_math.h"
#include "kernels/base/part.h"

namespace micrort {

MICRORT_PART(RingOf);
MICRORT_PART(CheckRing);
MICRORT_PART(SaveRing);
MICRORT_PART(RestoreRing);

namespace {

bool IsRing(const KeptRing& ring) { return kHasRings && ring.exists(); }

// The size of the caller's input dimension with this name, which files that are verified have.
int64_t SizeOfDim(const schema::Subgraph& graph, Span<const Shape> caller_shapes, const char* name) {
  for (size_t i = 0; i < caller_shapes.size(); ++i) {
    for (int d = 0; d < caller_shapes[i].rank; ++d) {
      if (std::strcmp(DimName(InputTensor(graph, i), d), name) == 0) return caller_shapes[i][d];
    }
  }
  return 1;
}

Status AddToArena(const char* name, const Shape& shape, size_t element_bytes, size_t* arena_bytes) {
  constexpr uint64_t kMax = PTRDIFF_MAX / 2;  // of all together, so that the entry's own arena can be added
  int64_t elements = 0;
  uint64_t bytes = kMax;
  if (shape.CheckedElements(element_bytes, &elements))
    bytes = static_cast<uint64_t>(elements) * element_bytes + kAlignment;
  if (bytes < kMax - *arena_bytes) {
    *arena_bytes += AlignUp(static_cast<size_t>(bytes) - kAlignment, kAlignment);
    return Status();
  }
  return MICRORT_ERROR(kInvalidArgument, "state '%.100s': shape %s is too large", name,
                       ShapeString(shape).c_str());
}

// The integer that stands for 0.
int64_t ZeroOf(const Tensor& tensor) {
  return tensor.quantization.count == 1 ? tensor.quantization.zero_point() : 0;
}

void FillZeros(const Tensor& tensor) {
  const int64_t zero = ZeroOf(tensor);
  if (zero == 0) {
    std::memset(tensor.data, 0, tensor.bytes());
    return;
  }
  const size_t size = SizeOf(tensor.dtype);
  auto* data = static_cast<uint8_t*>(tensor.data);
  for (size_t at = 0; at < tensor.bytes(); at += size) std::memcpy(data + at, &zero, size);
}

}  // namespace

Status WithStateShapes(const schema::Subgraph& graph, Span<const Shape> caller_shapes,
                       FixedArray<Shape>* shapes) {
  MICRORT_RETURN_IF_ERROR(shapes->Allocate(Ints(graph.inputs()).size()));
  for (size_t i = 0; i < shapes->size(); ++i) {
    if (i < caller_shapes.size()) {
      (*shapes)[i] = caller_shapes[i];
      continue;
    }
    const schema::Tensor& tensor = InputTensor(graph, i);
    Shape& shape = (*shapes)[i];
    shape = ShapeOf(tensor);
    for (int d = 0; d < shape.rank; ++d) {
      if (shape[d] < 0) shape[d] = SizeOfDim(graph, caller_shapes, DimName(tensor, d));
    }
  }
  return Status();
}

Status StateArenaBytes(const schema::Subgraph& graph, size_t* bytes) {
  *bytes = 0;
  for (size_t i = CallerInputs(graph).size(); i < Ints(graph.inputs()).size(); ++i) {
    const schema::Tensor& tensor = InputTensor(graph, i);
    MICRORT_RETURN_IF_ERROR(AddToArena(Text(tensor.name()), ShapeOf(tensor), SizeOf(TypeOf(tensor)), bytes));
  }
  return Status();
}

Status KeptState::Init(const schema::Model& model, Subgraph& graph) {
  graph_ = &graph;
  const schema::Subgraph& source = graph.source();
  MICRORT_RETURN_IF_ERROR(entries_.Allocate(StateCount(source)));
  const size_t first_input = CallerInputs(source).size(), first_output = CallerOutputs(source).size();
  for (size_t k = 0; k < entries_.size(); ++k) {
    Entry& entry = entries_[k];
    entry.value = &graph.body().input(static_cast<int>(first_input + k));
    entry.computed = &graph.body().output(static_cast<int>(first_output + k));
    const schema::State& state = *source.states()->Get(static_cast<uint32_t>(k));
    if (state.initial() != 0) entry.initial = BytesOfBuffer(model, state.initial()).data();
    MICRORT_RETURN_IF_ERROR(
        AddToArena(entry.value->name, entry.value->shape, SizeOf(entry.value->dtype), &arena_bytes_));
    if (state.kind() == schema::StateKind::Length) length_ = entry.value;
    if (state.kind() == schema::StateKind::Cache) InitCache(Ints(source.inputs())[first_input + k], &entry);
  }
  // What data decide is known after a run only.
  for (const Entry& entry : entries_) {
    if (entry.computed->extents.all_fixed() && !entry.fits()) {
      return MICRORT_ERROR(kInvalidModel, "state '%.80s' of shape %s: its next value '%.80s' has shape %s",
                           entry.value->name, ShapeString(entry.value->shape).c_str(), entry.computed->name,
                           ShapeString(entry.computed->shape).c_str());
    }
  }
  return Status();
}

// Files that are verified have no empty caches.
void KeptState::InitCache(int32_t input, Entry* entry) {
  const int64_t rows = entry->value->shape[1];
  entry->row_bytes = entry->value->bytes() / static_cast<size_t>(rows);
  if (kHasRings && MICRORT_HAS_PART(RingOf)) entry->ring = RingOf(graph_->source(), input, rows);
  if (!IsRing(entry->ring)) capacity_ = std::min(capacity_, rows);
}

// Callers may write anything into a state.
size_t KeptState::length() const {
  const int64_t rows = length_ == nullptr ? 0 : *length_->as<int64_t>();
  return static_cast<size_t>(std::clamp<int64_t>(rows, 0, capacity_));
}

Status KeptState::CheckLength(int64_t length) const {
  if (length >= 0 && length <= capacity_) return Status();
  return MICRORT_ERROR(kOutOfRange, "state '%.80s': %lld rows of caches that have %lld", length_->name,
                       static_cast<long long>(length), static_cast<long long>(capacity_));
}

size_t KeptState::BytesOf(const Entry& entry, size_t length) {
  if (!entry.is_cache()) return entry.value->bytes();
  const auto rows = static_cast<int64_t>(length);
  return static_cast<size_t>(IsRing(entry.ring) ? entry.ring.seen(rows) : rows) * entry.row_bytes;
}

size_t KeptState::BytesOf(size_t length) const {
  size_t bytes = 0;
  for (const Entry& entry : entries_) bytes += BytesOf(entry, length);
  return bytes;
}

bool KeptState::HasShapesOf(const KeptState& o) const {
  if (entries_.size() != o.entries_.size()) return false;
  for (size_t k = 0; k < entries_.size(); ++k) {
    if (entries_[k].value->shape != o.entries_[k].value->shape) return false;
  }
  return true;
}

void KeptState::Bind(void* arena, const KeptState& former) {
  const bool keeps = !entries_.empty() && HasShapesOf(former);
  if (keeps && arena_bytes_ != 0) {
    const void* place = nullptr;
    for (const Entry& entry : former.entries_) {
      if (place == nullptr && entry.value->bytes() != 0) place = entry.value->data;
    }
    std::memmove(arena, place, arena_bytes_);
  }
  auto* next = static_cast<uint8_t*>(arena);
  const size_t first_input = CallerInputs(graph_->source()).size();
  const int32_t* const outputs =
      Ints(graph_->source().outputs()).data() + CallerOutputs(graph_->source()).size();
  for (size_t k = 0; k < entries_.size(); ++k) {
    const size_t size = entries_[k].value->bytes();
    graph_->body().LendInput(static_cast<int>(first_input + k), size == 0 ? EmptyTensorData() : next,
                             nullptr);
    // Callers may look at an output before the first run.
    if (entries_[k].is_cache()) graph_->graph().tensors[static_cast<size_t>(outputs[k])].data = next;
    next += AlignUp(size, kAlignment);
    if (keeps) entries_[k].ring.oldest = former.entries_[k].ring.oldest;
  }
  if (!keeps) Reset();
}

void KeptState::Reset() {
  for (Entry& entry : entries_) {
    entry.ring.oldest = 0;
    if (entry.is_cache()) continue;
    if (entry.initial == nullptr) {
      FillZeros(*entry.value);
    } else {
      std::memcpy(entry.value->data, entry.initial, entry.value->bytes());
    }
  }
}

Status KeptState::CheckRings(size_t length) const {
  for (const Entry& entry : entries_) {
    if (IsRing(entry.ring))
      MICRORT_RETURN_IF_ERROR(CheckRing(entry.ring, entry.value->name, static_cast<int64_t>(length)));
  }
  return Status();
}

Status KeptState::CheckRings() const { return CheckRings(length()); }

// It may have appended as many rows as a ring takes.
void KeptState::Lose() {
  const auto rows = static_cast<int64_t>(length());
  for (Entry& entry : entries_) {
    if (IsRing(entry.ring)) entry.ring.oldest = std::max(entry.ring.oldest, rows - entry.ring.seen(rows));
  }
}

Status KeptState::Keep() {
  for (const Entry& entry : entries_) {
    if (entry.fits()) continue;
    return MICRORT_ERROR(kOutOfRange, "state '%.80s' of shape %s: its next value '%.80s' came to %s",
                         entry.value->name, ShapeString(entry.value->shape).c_str(), entry.computed->name,
                         ShapeString(entry.computed->shape).c_str());
  }
  if (length_ != nullptr) MICRORT_RETURN_IF_ERROR(CheckLength(*entries_[0].computed->as<int64_t>()));
  for (const Entry& entry : entries_) {
    if (!entry.is_cache() && entry.value->bytes() != 0)
      std::memcpy(entry.value->data, entry.computed->data, entry.value->bytes());
  }
  for (Entry& entry : entries_) {
    if (IsRing(entry.ring))
      entry.ring.oldest = std::max(entry.ring.oldest, static_cast<int64_t>(length()) - entry.ring.rows);
  }
  return Status();
}

Status KeptState::Truncate(size_t rows) {
  if (length_ == nullptr) return MICRORT_ERROR(kInvalidArgument, "the model has no caches");
  if (rows > length())
    return MICRORT_ERROR(kInvalidArgument, "expected at most %zu rows to keep, found %zu", length(), rows);
  MICRORT_RETURN_IF_ERROR(CheckRings(rows));
  *length_->as<int64_t>() = static_cast<int64_t>(rows);
  for (Entry& entry : entries_) entry.ring.oldest = std::min(entry.ring.oldest, static_cast<int64_t>(rows));
  return Status();
}

void KeptState::Save(void* to) const {
  auto* next = static_cast<uint8_t*>(to);
  const size_t rows = length();
  for (const Entry& entry : entries_) {
    const size_t size = BytesOf(entry, rows);
    if (IsRing(entry.ring)) {
      SaveRing(entry.ring, static_cast<int64_t>(rows), entry.row_bytes, entry.value->data, next);
    } else if (size != 0) {
      std::memcpy(next, entry.value->data, size);
    }
    next += size;
  }
  const auto saved = static_cast<int64_t>(rows);
  if (length_ != nullptr) std::memcpy(to, &saved, sizeof saved);
}

Status KeptState::Restore(const void* from, size_t bytes) {
  int64_t rows = 0;
  if (length_ != nullptr && bytes >= sizeof rows) {
    std::memcpy(&rows, from, sizeof rows);
    if (Status s = CheckLength(rows); !s.ok()) return MICRORT_ERROR(kInvalidArgument, "%s", s.message());
  }
  const size_t expected = BytesOf(static_cast<size_t>(rows));
  if (bytes != expected) {
    return MICRORT_ERROR(kInvalidArgument, "expected a state of %zu bytes, found %zu", expected, bytes);
  }
  const auto* next = static_cast<const uint8_t*>(from);
  for (Entry& entry : entries_) {
    const size_t size = BytesOf(entry, static_cast<size_t>(rows));
    if (IsRing(entry.ring)) {
      RestoreRing(entry.ring, rows, entry.row_bytes, next, entry.value->data);
      entry.ring.oldest = rows - entry.ring.seen(rows);
    } else if (size != 0) {
      std::memcpy(entry.value->data, next, size);
    }
    next += size;
  }
  return Status();
}

}  // namespace micrort
