#include "kernels/sort/top_k.h"

#include <algorithm>
#include <functional>

#include "kernels/base/checked_math.h"
#include "kernels/elementwise/element_type.h"
#include "kernels/sort/candidate.h"
#include "kernels/sort/ordered_key.h"

namespace micrort {

namespace {

size_t CandidateBytes(DType dtype) {
  return SizeOf(dtype) == 8 ? sizeof(Candidate<uint64_t>) : sizeof(Candidate<uint32_t>);
}

size_t WorkerBytes(const TopKParams& p) { return AlignUp(p.k * CandidateBytes(p.dtype), kAlignment); }

// The k best of a line go to `best`, best first. While the line is read, they are a heap whose root is the
// worst: most elements cost one comparison.
template <typename T>
void SelectLine(const TopKParams& p, const T* x, Candidate<KeyOf<T>>* best) {
  using Entry = Candidate<KeyOf<T>>;
  const KeyOf<T> flip = p.largest ? 0 : static_cast<KeyOf<T>>(~KeyOf<T>{0});
  const auto entry = [&](size_t i) {
    return Entry(OrderedKey(x[i * p.inner]) ^ flip, static_cast<uint32_t>(i));
  };
  const std::greater<Entry> better;
  for (size_t i = 0; i < p.k; ++i) best[i] = entry(i);
  if (p.k < p.n) std::make_heap(best, best + p.k, better);
  for (size_t i = p.k; i < p.n; ++i) {
    const Entry candidate = entry(i);
    if (!(candidate > best[0])) continue;
    std::pop_heap(best, best + p.k, better);
    best[p.k - 1] = candidate;
    std::push_heap(best, best + p.k, better);
  }
  std::sort(best, best + p.k, better);
}

template <typename T>
void RunTyped(const TopKParams& p, const void* x, void* y, int64_t* indices, void* scratch,
              const Parallel& parallel) {
  ParallelFor(parallel, p.outer * p.inner, [&](size_t line, int worker) {
    auto* best = reinterpret_cast<Candidate<KeyOf<T>>*>(static_cast<uint8_t*>(scratch) +
                                                        static_cast<size_t>(worker) * WorkerBytes(p));
    const size_t outer = line / p.inner, column = line % p.inner;
    const T* from = static_cast<const T*>(x) + outer * p.n * p.inner + column;
    SelectLine(p, from, best);
    const size_t first = outer * p.k * p.inner + column;
    for (size_t i = 0; i < p.k; ++i) {
      static_cast<T*>(y)[first + i * p.inner] = from[best[i].index() * p.inner];
      if (indices != nullptr) indices[first + i * p.inner] = best[i].index();
    }
  });
}

}  // namespace

size_t TopKScratchBytes(const TopKParams& params, int workers) {
  return BytesOf({BytesOf({params.k, CandidateBytes(params.dtype)}), static_cast<size_t>(workers)});
}

void RunTopK(const TopKParams& p, const void* x, void* y, int64_t* indices, void* scratch,
             const Parallel& parallel) {
  if (p.k == 0) return;
  WithElementType(p.dtype, [&](auto tag) {
    RunTyped<typename decltype(tag)::Type>(p, x, y, indices, scratch, parallel);
  });
}

}  // namespace micrort
