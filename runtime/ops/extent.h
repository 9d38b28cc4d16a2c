#pragma once
// How much of a tensor is settled before a run: the size of each dimension, and the elements.

#include <cstdint>

#include "kernels/base/shape.h"

namespace micrort {

// Bit d stands for dimension d.
constexpr uint32_t kAllDims = (1u << kMaxRank) - 1;

// How much is known of the size of one dimension.
enum class Extent : uint8_t {
  kFixed,          // the shape has it
  kBounded,        // a run decides; the shape has the largest one
  kDataDependent,  // a run would decide, and nothing bounds it; the shape has an example
};

// The extents of all dimensions of a tensor.
class Extents {
 public:
  constexpr Extents() = default;  // all fixed
  static constexpr Extents Bounded(uint32_t dims) { return Extents(dims); }
  static constexpr Extents DataDependent(uint32_t dims) { return Extents(dims << kMaxRank); }

  constexpr Extent operator[](int dim) const {
    if ((bits_ >> (kMaxRank + dim) & 1u) != 0) return Extent::kDataDependent;
    return (bits_ >> dim & 1u) != 0 ? Extent::kBounded : Extent::kFixed;
  }
  constexpr bool all_fixed() const { return bits_ == 0; }
  constexpr bool any_data_dependent() const { return bits_ > kAllDims; }
  // Dimensions that are not fixed, a bit each.
  constexpr uint32_t decided_by_run() const { return (bits_ | bits_ >> kMaxRank) & kAllDims; }

  // The extents of the dimensions that a tensor of this rank has.
  constexpr Extents Within(int rank) const {
    const uint32_t dims = (1u << rank) - 1;
    return Extents(bits_ & (dims | dims << kMaxRank));
  }
  // These extents, at most kMaxRank - 1, after one more outermost dimension, which is fixed.
  constexpr Extents Inner() const { return Extents(bits_ * 2u); }
  // In each dimension the less settled one.
  constexpr Extents operator|(Extents o) const { return Extents(bits_ | o.bits_); }
  constexpr bool operator==(Extents o) const { return bits_ == o.bits_; }
  constexpr bool operator!=(Extents o) const { return bits_ != o.bits_; }

 private:
  explicit constexpr Extents(uint32_t bits) : bits_(static_cast<uint16_t>(bits)) {}

  uint16_t bits_ = 0;  // a bit for each bounded dimension, then one for each that is data-dependent
};
static_assert(2 * kMaxRank <= 16, "bits of Extents");

// What prepare may read of a tensor's elements.
enum class Contents : uint8_t {
  kUnknown,  // nothing: a run computes them
  kExample,  // elements that a run may decide otherwise: they follow from bounds
  kFixed,    // what every run sees: constants, and what follows from shapes alone
};

}  // namespace micrort
