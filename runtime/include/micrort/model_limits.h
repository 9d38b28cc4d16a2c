#pragma once
// Limits for a model. Even a small model from an untrusted source may need any amount of
// memory and time. A model over a limit is refused (kUnsupported) with a message that names the limit.

#include <cstddef>
#include <cstdint>

namespace micrort {

// Work is counted in multiply-adds of a matrix product at full speed; a core does some 10^10 to
// 10^11 of them in a second. Other work counts as the multiply-adds that take as long: an element that is
// read or written counts 100, the call of an operator 1,000,000.
struct ModelLimits {
  static constexpr uint64_t kGiB = uint64_t{1} << 30;

  // In all subgraphs together.
  uint64_t max_operators = uint64_t{1} << 16;
  // For a single tensor, constants included.
  uint64_t max_tensor_bytes = sizeof(size_t) > 4 ? 4 * kGiB : kGiB;
  // The arena: activations and scratch.
  uint64_t max_memory_bytes = sizeof(size_t) > 4 ? 4 * kGiB : kGiB;
  // For one run. The largest networks for images take some 10^12.
  uint64_t max_work = 10'000'000'000'000;
  // For planning shapes and memory once, which computes all values that follow from shapes and constants
  // alone.
  uint64_t max_planning_work = 200'000'000'000;

  // Networks for microcontrollers and small boards stay below these.
  static constexpr ModelLimits Device() {
    ModelLimits limits;
    limits.max_operators = 4096;
    limits.max_tensor_bytes = uint64_t{16} << 20;
    limits.max_memory_bytes = uint64_t{64} << 20;
    limits.max_work = 50'000'000'000;
    limits.max_planning_work = 20'000'000'000;
    return limits;
  }
};

}  // namespace micrort
