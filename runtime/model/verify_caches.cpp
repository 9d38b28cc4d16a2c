#include "kernels/attention/cache_rows.h"
#include "kernels/base/fixed_array.h"
#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

using schema::StateKind;

Status CheckLength(const schema::Tensor& value) {
  const Shape shape = ShapeOf(value);
  if (TypeOf(value) == DType::kInt64 && shape.rank == 1 && shape[0] == 1) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected int64 of shape 1 for a length, found %s of shape %s",
                       Name(TypeOf(value)), ShapeString(shape).c_str());
}

Status CheckCache(const schema::Tensor& value) {
  const Shape shape = ShapeOf(value);
  const int64_t scale = kHasNarrowCaches ? CacheScaleElements(TypeOf(value)) : 0;
  const bool has_type = kHasNarrowCaches ? IsCacheType(TypeOf(value)) : TypeOf(value) == DType::kFloat32;
  bool is_cache = has_type && shape.rank >= (scale == 0 ? 2 : 3) && shape[0] == 1;
  for (int d = 0; d < shape.rank; ++d) is_cache = is_cache && shape[d] >= 1;
  if (is_cache && (!kHasNarrowCaches || shape[shape.rank - 1] > scale)) return Status();
  return MICRORT_ERROR(kInvalidModel,
                       kHasNarrowCaches
                           ? "expected a cache of float32, float16 or int8 with scales, and shape "
                             "1xROWSx..., found %s of shape %s"
                           : "expected a cache of float32 and shape 1xROWSx..., found %s of shape %s",
                       Name(TypeOf(value)), ShapeString(shape).c_str());
}

// Attention that looks back as far as the ring keeps rows.
bool ReadsRing(const schema::Operator& op, size_t input, int32_t window) {
  constexpr size_t kKeys = 1, kValues = 2, kPositions = 4;
  const schema::AttentionOptions* const options = op.options_as_AttentionOptions();
  const Span<const int32_t> inputs = Ints(op.inputs());
  return options != nullptr && (input == kKeys || input == kValues) && inputs.size() > kPositions &&
         inputs[kPositions] >= 0 && options->window() <= window;
}

// The caches of the entry, and who may touch them.
class Caches {
 public:
  Caches(VerifyContext& context, const schema::Subgraph& graph) : context_(context), graph_(graph) {}

  Status Verify() {
    MICRORT_RETURN_IF_ERROR(FindStates());
    MICRORT_RETURN_IF_ERROR(context_.Spend(Ints(graph_.outputs()).size()));
    for (const int32_t output : Ints(graph_.outputs())) {
      if (IsCache(output)) return Touched(output, "an output of the model");
    }
    for (uint32_t i = 0; i < Count(graph_.operators()); ++i)
      MICRORT_RETURN_IF_ERROR(VerifyUses(*graph_.operators()->Get(i)));
    for (size_t t = 0; t < next_.size(); ++t) {
      if (next_[t] != kNone)
        return MICRORT_ERROR(kInvalidModel, "'%.100s': expected an Append that writes the cache", NameOf(t));
    }
    return Status();
  }

 private:
  static constexpr int32_t kNone = 0;  // in next_

  Status FindStates() {
    MICRORT_RETURN_IF_ERROR(is_cache_.Allocate(Count(graph_.tensors())));
    MICRORT_RETURN_IF_ERROR(next_.Allocate(Count(graph_.tensors())));
    if (kHasRings) MICRORT_RETURN_IF_ERROR(ring_.Allocate(Count(graph_.tensors())));
    const uint32_t states = Count(graph_.states());
    const Span<const int32_t> inputs = Ints(graph_.inputs()), outputs = Ints(graph_.outputs());
    for (uint32_t k = 0; k < states; ++k) {
      const int32_t input = inputs[inputs.size() - states + k], output = outputs[outputs.size() - states + k];
      const schema::State& state = *graph_.states()->Get(k);
      if (Status s = AddState(k, state, input, output); !s.ok())
        return s.WithPrefix("state %u ('%.100s')", k, NameOf(static_cast<size_t>(input)));
    }
    if (length_ >= 0 && caches_ == 0) return MICRORT_ERROR(kInvalidModel, "state 0 counts rows of no caches");
    return Status();
  }

  Status AddState(uint32_t k, const schema::State& state, int32_t input, int32_t output) {
    const schema::Tensor& value = *graph_.tensors()->Get(static_cast<uint32_t>(input));
    if (state.kind() == StateKind::Value) return Status();
    if (state.initial() != 0) return MICRORT_ERROR(kInvalidModel, "expected no initial value");
    if (state.kind() == StateKind::Length) {
      if (k != 0) return MICRORT_ERROR(kInvalidModel, "expected the length as the first state");
      length_ = input;
      return CheckLength(value);
    }
    if (state.kind() != StateKind::Cache)
      return MICRORT_ERROR(kInvalidModel, "kind %d", static_cast<int>(state.kind()));
    if (length_ < 0) return MICRORT_ERROR(kInvalidModel, "expected a length as the first state");
    ++caches_;
    is_cache_[static_cast<size_t>(input)] = true;
    next_[static_cast<size_t>(input)] = output + 1;
    return CheckCache(value);
  }

  Status VerifyUses(const schema::Operator& op) {
    const Span<const int32_t> inputs = Ints(op.inputs()), outputs = Ints(op.outputs());
    MICRORT_RETURN_IF_ERROR(context_.Spend(inputs.size()));
    const bool appends = op.code() == schema::OpCode::Append;
    for (size_t i = appends ? 1 : 0; i < inputs.size(); ++i) {
      if (inputs[i] >= 0 && IsCache(inputs[i])) return Touched(inputs[i], Text(op.name()));
      if (kHasRings && inputs[i] >= 0) MICRORT_RETURN_IF_ERROR(VerifyRing(op, i, inputs[i]));
    }
    if (!appends) return Status();
    if (inputs.size() < 2 || outputs.size() != 1 || inputs[0] < 0 || !IsCache(inputs[0]) ||
        inputs[1] != length_) {
      return MICRORT_ERROR(kInvalidModel, "node '%.100s': expected a cache and the length of the states",
                           Text(op.name()));
    }
    int32_t& next = next_[static_cast<size_t>(inputs[0])];
    if (next != outputs[0] + 1) return Touched(inputs[0], Text(op.name()));
    next = kNone;
    const schema::AppendOptions* const options = op.options_as_AppendOptions();
    if (kHasRings && options != nullptr) ring_[static_cast<size_t>(outputs[0])] = options->window();
    return Status();
  }

  Status VerifyRing(const schema::Operator& op, size_t input, int32_t tensor) const {
    const int32_t window = ring_[static_cast<size_t>(tensor)];
    if (window == 0 || ReadsRing(op, input, window)) return Status();
    return MICRORT_ERROR(kInvalidModel,
                         "'%.100s' has the rows of a ring with a window of %d, which only an Attention with "
                         "positions and a window that is no larger may read; found '%.100s'",
                         NameOf(static_cast<size_t>(tensor)), window, Text(op.name()));
  }

  bool IsCache(int32_t tensor) const { return is_cache_[static_cast<size_t>(tensor)]; }
  const char* NameOf(size_t tensor) const {
    return Text(graph_.tensors()->Get(static_cast<uint32_t>(tensor))->name());
  }
  Status Touched(int32_t cache, const char* by) const {
    return MICRORT_ERROR(kInvalidModel,
                         "'%.100s' is a cache, which only the Append that gives its next value "
                         "may read; found '%.100s'",
                         NameOf(static_cast<size_t>(cache)), by);
  }

  VerifyContext& context_;
  const schema::Subgraph& graph_;
  FixedArray<bool> is_cache_;  // by tensor
  FixedArray<int32_t> next_;   // by tensor: of a cache that nothing has written yet, 1 + its next value
  FixedArray<int32_t> ring_;   // by tensor: of what an Append gave of a ring, its window; else 0
  int32_t length_ = -1;
  uint32_t caches_ = 0;
};

}  // namespace

// Other graphs than the first have no states, so that no Append of theirs has a cache.
Status VerifyCaches(VerifyContext& context, const schema::Subgraph& subgraph) {
  return Caches(context, subgraph).Verify();
}

}  // namespace micrort
