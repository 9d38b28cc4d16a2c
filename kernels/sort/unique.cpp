#include "kernels/sort/unique.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/elementwise/element_type.h"
#include "kernels/sort/ordered_key.h"

namespace micrort {

namespace {

// -1, 0 or 1 as slice a comes before, equals, or comes after slice b.
template <typename T>
int CompareSlices(const UniqueParams& p, const T* x, size_t a, size_t b) {
  for (size_t outer = 0; outer < p.outer && p.inner != 0; ++outer) {
    const T* row = x + outer * p.n * p.inner;
    for (size_t i = 0; i < p.inner; ++i) {
      const auto key_a = OrderedKey(row[a * p.inner + i]), key_b = OrderedKey(row[b * p.inner + i]);
      if (key_a != key_b) return key_a < key_b ? -1 : 1;
    }
  }
  return 0;
}

// What is known of each group of equal slices, in the order of their values.
struct Scratch {
  uint32_t* order;     // slices in the order of their values, equal ones as they appear
  uint32_t* group;     // of each slice
  uint32_t* first;     // slice of each group
  uint32_t* position;  // of each group in the result
};

Scratch Divide(void* scratch, size_t n) {
  auto* words = static_cast<uint32_t*>(scratch);
  return {words, words + n, words + 2 * n, words + 3 * n};
}

template <typename T>
size_t FindGroups(const UniqueParams& p, const T* x, const Scratch& s) {
  for (size_t i = 0; i < p.n; ++i) s.order[i] = static_cast<uint32_t>(i);
  std::sort(s.order, s.order + p.n, [&](uint32_t a, uint32_t b) {
    const int compared = CompareSlices(p, x, a, b);
    return compared < 0 || (compared == 0 && a < b);
  });
  size_t groups = 0;
  for (size_t i = 0; i < p.n; ++i) {
    const uint32_t slice = s.order[i];
    if (i == 0 || CompareSlices(p, x, s.order[i - 1], slice) != 0) s.first[groups++] = slice;
    s.group[slice] = static_cast<uint32_t>(groups - 1);
  }
  return groups;
}

// Fills s.position. `order` is free by now.
void OrderGroups(const UniqueParams& p, size_t groups, const Scratch& s) {
  for (size_t g = 0; g < groups; ++g) s.order[g] = static_cast<uint32_t>(g);
  if (!p.sorted) {
    std::sort(s.order, s.order + groups, [&](uint32_t a, uint32_t b) { return s.first[a] < s.first[b]; });
  }
  for (size_t i = 0; i < groups; ++i) s.position[s.order[i]] = static_cast<uint32_t>(i);
}

}  // namespace

size_t UniqueScratchBytes(size_t n) { return BytesOf({4, n, sizeof(uint32_t)}); }

size_t FindUnique(const UniqueParams& p, const void* x, int64_t* first, int64_t* inverse, int64_t* counts,
                  void* scratch) {
  const Scratch s = Divide(scratch, p.n);
  size_t groups = 0;
  WithElementType(p.dtype, [&](auto tag) {
    groups = FindGroups(p, static_cast<const typename decltype(tag)::Type*>(x), s);
  });
  OrderGroups(p, groups, s);
  for (size_t g = 0; g < groups; ++g) first[s.position[g]] = s.first[g];
  std::fill(counts, counts + groups, 0);
  for (size_t i = 0; i < p.n; ++i) {
    inverse[i] = s.position[s.group[i]];
    ++counts[inverse[i]];
  }
  return groups;
}

void CopySlices(const UniqueParams& p, const void* x, const int64_t* first, size_t count, void* y) {
  const size_t bytes = p.inner * SizeOf(p.dtype);
  if (bytes == 0) return;
  for (size_t outer = 0; outer < p.outer; ++outer) {
    const uint8_t* from = static_cast<const uint8_t*>(x) + outer * p.n * bytes;
    uint8_t* to = static_cast<uint8_t*>(y) + outer * count * bytes;
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(to + i * bytes, from + static_cast<size_t>(first[i]) * bytes, bytes);
    }
  }
}

}  // namespace micrort
