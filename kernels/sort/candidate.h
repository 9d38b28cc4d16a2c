#pragma once
// An element and its index, as one number or a pair that compares like one.

#include <cstddef>
#include <cstdint>

namespace micrort {

// The greater candidate is better: the one of greater key, or of equal keys the one of lower index, which is
// therefore stored negated.
template <typename Key>
struct Candidate;

template <>
struct Candidate<uint32_t> {
  uint64_t packed;

  Candidate() = default;
  Candidate(uint32_t key, uint32_t index) : packed(uint64_t{key} << 32 | static_cast<uint32_t>(~index)) {}
  bool operator>(const Candidate& other) const { return packed > other.packed; }
  uint32_t index() const { return ~static_cast<uint32_t>(packed); }
};

template <>
struct Candidate<uint64_t> {
  uint64_t key;
  uint32_t negated_index;

  Candidate() = default;
  Candidate(uint64_t k, uint32_t index) : key(k), negated_index(~index) {}
  bool operator>(const Candidate& other) const {
    return key > other.key || (key == other.key && negated_index > other.negated_index);
  }
  uint32_t index() const { return ~negated_index; }
};

}  // namespace micrort
