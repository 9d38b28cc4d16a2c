// Attention: softmax(scale * q * k^T + mask) * v, a head at a time.

#include "kernels/attention/attention.h"

#include <cmath>

#include "kernels/attention/cache_rows.h"
#include "kernels/base/checked_math.h"
#include "kernels/base/part.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {

MICRORT_PART(PlanCacheRows);

namespace attention_op {
namespace {

enum Input { kQ, kK, kV, kMask, kPositions, kSinks, kInputs };

struct State {
  bool by_head[3];  // of q, k, v
  bool output_by_head;
  bool causal;
  AttentionParams params;
};

// A tensor [B,T,H,D] or, by head, [B,H,T,D]; rows of a cache may end in a scale.
struct Heads {
  int64_t batch, rows, heads, depth;
  AttentionStrides strides;

  Heads(const Shape& shape, bool by_head, DType type = DType::kFloat32)
      : batch(shape[0]),
        rows(shape[by_head ? 2 : 1]),
        heads(shape[by_head ? 1 : 2]),
        depth(shape[3] - (kHasNarrowCaches ? CacheScaleElements(type) : 0)) {
    const int64_t elements = shape[3];
    strides = {shape.product(1, 4), by_head ? rows * elements : elements,
               by_head ? elements : heads * elements};
  }
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::AttentionOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.by_head[kQ] = options->query_by_head();
  s.by_head[kK] = options->key_by_head();
  s.by_head[kV] = options->value_by_head();
  s.output_by_head = options->output_by_head();
  s.params.scale = options->scale();
  s.causal = options->causal();
  s.params.window = options->window();
  s.params.softcap = options->softcap();
  const bool is_capped = std::isfinite(s.params.softcap) && s.params.softcap >= 0;
  if (!is_capped || (s.params.softcap != 0 && !kHasSoftcaps))
    return MICRORT_ERROR(kInvalidModel, "a softcap that is no positive number, or in a build without a heap");
  if (!std::isfinite(s.params.scale)) return MICRORT_ERROR(kInvalidModel, "the scale is not finite");
  if (s.params.window == 0 || (s.params.window > 0 && s.causal && kHasRings)) return Status();
  return MICRORT_ERROR(kInvalidModel, "a window of %d: expected a positive one, of causal attention",
                       options->window());
}

// kInvalidModel unless a mask and positions are those that a window allows.
Status CheckWindow(const PrepareContext& context, const AttentionParams& p) {
  if (context.has_input(kPositions)) {
    const Tensor& positions = context.input(kPositions);
    if (p.window == 0 || positions.dtype != DType::kInt64 || positions.elements() != 1) {
      return MICRORT_ERROR(
          kInvalidModel,
          "expected a window and one int64 that counts positions, found a window of %d and %s "
          "of shape %s",
          static_cast<int>(p.window), Name(positions.dtype), ShapeString(positions.shape).c_str());
    }
  }
  if (p.window == 0 || !context.has_input(kMask)) return Status();
  return MICRORT_ERROR(kInvalidModel, "a mask beside a window");
}

Status CheckSinks(const PrepareContext& context, int64_t heads) {
  if (!context.has_input(kSinks)) return Status();
  const Tensor& sinks = context.input(kSinks);
  if (kHasSoftcaps && sinks.dtype == DType::kFloat32 && sinks.shape == Shape::Of(heads)) return Status();
  return MICRORT_ERROR(kInvalidModel,
                       "expected a sink of float32 for each of %lld heads, found %s of shape %s",
                       static_cast<long long>(heads), Name(sinks.dtype), ShapeString(sinks.shape).c_str());
}

Status ExpectInputs(const PrepareContext& context) {
  for (int i = 0; i <= kMask; ++i) {
    if (!context.has_input(i)) continue;
    const Tensor& in = context.input(i);
    const bool may_be_cache = kHasNarrowCaches && (i == kK || i == kV) && MICRORT_HAS_PART(PlanCacheRows);
    if (in.dtype != DType::kFloat32 && !(may_be_cache && IsCacheType(in.dtype))) {
      return MICRORT_ERROR(kUnsupported, "input %d: expected float32, found %s", i, Name(in.dtype));
    }
    if (i < kMask ? in.shape.rank != 4 : in.shape.rank > 4) {
      return MICRORT_ERROR(kInvalidModel, "input %d: expected 4 dimensions, found shape %s", i,
                           ShapeString(in.shape).c_str());
    }
  }
  if (!kHasNarrowCaches || context.input(kK).dtype == context.input(kV).dtype) return Status();
  return MICRORT_ERROR(kUnsupported, "expected keys and values of one type, found %s and %s",
                       Name(context.input(kK).dtype), Name(context.input(kV).dtype));
}

// kInvalidModel unless q, k and v belong together.
Status CheckSizes(const PrepareContext& context, const Heads& q, const Heads& k, const Heads& v) {
  const bool fits = k.batch == q.batch && v.batch == q.batch && k.heads == v.heads && k.rows == v.rows &&
                    k.depth == q.depth && q.depth > 0 && v.depth > 0 && k.heads > 0 && k.rows > 0 &&
                    q.heads > 0 && q.heads % k.heads == 0 &&
                    (!context.state<State>().causal || q.rows <= k.rows);
  if (fits) return Status();
  return MICRORT_ERROR(kInvalidModel, "shapes %s, %s, %s of queries, keys and values do not belong together",
                       ShapeString(context.input(kQ).shape).c_str(),
                       ShapeString(context.input(kK).shape).c_str(),
                       ShapeString(context.input(kV).shape).c_str());
}

// Whether the run decides no more than how many keys there are.
bool HasFixedOutput(const PrepareContext& context, const State& s) {
  const uint32_t rows = 1u << (s.by_head[kV] ? 2 : 1);
  return context.input(kQ).extents.all_fixed() && (context.input(kV).extents.decided_by_run() & ~rows) == 0;
}

Status SetWork(PrepareContext& context, const AttentionParams& p) {
  int64_t work = p.depth + p.value_depth;
  for (const int64_t factor : {p.batch, p.heads, p.queries, SeenKeys(p)}) {
    if (!CheckedMul(work, factor, &work)) return MICRORT_ERROR(kUnsupported, "too many scores");
  }
  context.SetMultiplyAdds(work);
  return Status();
}

// Broadcasts to [batch, heads, queries, keys], with rows as they are. `is_bound`: the run decides how many
// keys there are, at most as many as now, and the mask has rows for that run.
Status PlanMask(const Shape& mask, bool is_bound, AttentionParams* p) {
  const int64_t wanted[] = {p->batch, p->heads, p->queries, p->keys};
  int64_t strides[4] = {}, stride = 1;
  for (int d = 3; d >= 0; --d) {
    const int at = d - (4 - mask.rank);
    const int64_t dim = at < 0 ? 1 : mask[at];
    if (dim != wanted[d] && (d == 3 ? !is_bound : dim != 1)) {
      return MICRORT_ERROR(kUnsupported, "a mask of shape %s for scores of shape %s",
                           ShapeString(mask).c_str(),
                           ShapeString(Shape::Of(p->batch, p->heads, p->queries, p->keys)).c_str());
    }
    strides[d] = dim == 1 ? 0 : stride;
    stride *= dim;
  }
  p->mask = {strides[0], strides[1], strides[2]};
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(3, kInputs, 1));
  MICRORT_RETURN_IF_ERROR(ExpectInputs(context));
  State& s = context.state<State>();
  const Heads q(context.input(kQ).shape, s.by_head[kQ]);
  const DType rows = kHasNarrowCaches ? context.input(kK).dtype : DType::kFloat32;
  const Heads k(context.input(kK).shape, s.by_head[kK], rows);
  const Heads v(context.input(kV).shape, s.by_head[kV], rows);
  MICRORT_RETURN_IF_ERROR(CheckSizes(context, q, k, v));
  const Shape output = s.output_by_head ? Shape::Of(q.batch, q.heads, q.rows, v.depth)
                                        : Shape::Of(q.batch, q.rows, q.heads, v.depth);
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, DType::kFloat32, output));
  if (HasFixedOutput(context, s)) context.KeepSizes();

  AttentionParams& p = s.params;
  MICRORT_RETURN_IF_ERROR(CheckWindow(context, p));
  MICRORT_RETURN_IF_ERROR(CheckSinks(context, q.heads));
  p.causal = s.causal || q.rows == 1;  // which sees all
  p.sinks = context.has_input(kSinks);
  p.ring = context.has_input(kPositions);
  p.rows = rows;
  p.batch = q.batch;
  p.heads = q.heads;
  p.key_heads = k.heads;
  p.queries = q.rows;
  p.keys = k.rows;
  p.depth = q.depth;
  p.value_depth = v.depth;
  p.q = q.strides;
  p.k = k.strides;
  p.v = v.strides;
  p.y = Heads(output, s.output_by_head).strides;
  p.mask = {};
  p.features = context.features();
  p.workers = context.workers();
  if (context.has_input(kMask)) {
    const bool is_bound = context.stage() != PrepareStage::kRun && !context.input(kK).extents.all_fixed();
    MICRORT_RETURN_IF_ERROR(PlanMask(context.input(kMask).shape, is_bound, &p));
  }
  PlanAttention(&p);
  MICRORT_RETURN_IF_ERROR(context.RequestCheckedScratch(AttentionScratchBytes(p)));
  context.SetAlgorithm(AttentionName(p));
  context.SetCall(&p);
  return SetWork(context, p);
}

// Sets where the keys of a ring lie, as far as they hold what the queries see.
Status FindPositions(const RunContext& context, const AttentionParams& p, AttentionTensors* tensors) {
  if (!kHasRings || !p.ring) return Status();
  tensors->positions = *context.input(kPositions).as<int64_t>();
  const bool is_whole = tensors->positions == p.keys;
  if (is_whole || (tensors->positions > p.keys && p.keys - p.queries >= p.window - 1)) return Status();
  return MICRORT_ERROR(
      kOutOfRange,
      "a ring with %lld rows of %lld positions does not hold what %lld queries see of a window "
      "of %lld",
      static_cast<long long>(p.keys), static_cast<long long>(tensors->positions),
      static_cast<long long>(p.queries), static_cast<long long>(p.window));
}

Status Run(const RunContext& context) {
  AttentionTensors tensors = {};
  MICRORT_RETURN_IF_ERROR(FindPositions(context, context.state<State>().params, &tensors));
  tensors.q = context.input(kQ).as<float>();
  tensors.k = context.input(kK).data;
  tensors.v = context.input(kV).data;
  tensors.mask = context.has_input(kMask) ? context.input(kMask).as<float>() : nullptr;
  tensors.sinks = context.has_input(kSinks) ? context.input(kSinks).as<float>() : nullptr;
  tensors.y = context.output(0).as<float>();
  Attention(context.state<State>().params, tensors, context.scratch, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace attention_op

MICRORT_OPERATOR(Attention, attention_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
