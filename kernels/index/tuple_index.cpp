#include "kernels/index/tuple_index.h"

namespace micrort {

TupleIndex PlanTupleIndex(const Shape& indices, const Shape& data, int batch_dims) {
  TupleIndex plan;
  plan.length = static_cast<int>(indices[indices.rank - 1]);
  plan.batch = static_cast<size_t>(indices.product(0, batch_dims));
  plan.count = static_cast<size_t>(indices.product(batch_dims, indices.rank - 1));
  const int first_block_dim = batch_dims + plan.length;
  plan.block = static_cast<size_t>(data.product(first_block_dim, data.rank));
  plan.batch_step = static_cast<size_t>(data.product(batch_dims, data.rank));
  for (int k = 0; k < plan.length; ++k) {
    plan.bounds[k] = data[batch_dims + k];
    plan.steps[k] = static_cast<size_t>(data.product(batch_dims + k + 1, data.rank));
  }
  return plan;
}

template <typename Index>
size_t FindBadTupleIndex(const TupleIndex& plan, const Index* indices) {
  const auto length = static_cast<size_t>(plan.length);
  for (size_t i = 0; i < plan.tuples() * length; ++i) {
    const int64_t bound = plan.bounds[i % length];
    if (indices[i] < -bound || indices[i] >= bound) return i;
  }
  return plan.tuples() * length;
}

template size_t FindBadTupleIndex(const TupleIndex&, const int32_t*);
template size_t FindBadTupleIndex(const TupleIndex&, const int64_t*);

}  // namespace micrort
