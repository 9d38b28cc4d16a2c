#pragma once
// What a model may ask for. A model from an untrusted source is small and yet may ask for any amount of
// memory and time; what is over a limit is refused (kUnsupported) by a message that names the limit.

#include <cstddef>
#include <cstdint>

namespace micrort {

// Work is counted in multiply-adds of a matrix product at full speed, of which a core does some 10^10 to
// 10^11 a second. Whatever else operators do counts as many of them as take as long: an element that is read
// or written 100, calling an operator, in a loop for instance, 1,000,000.
struct ModelLimits {
  static constexpr uint64_t kGiB = uint64_t{1} << 30;

  // Of all subgraphs together.
  uint64_t max_operators = uint64_t{1} << 16;
  // Of a single tensor, constants included.
  uint64_t max_tensor_bytes = sizeof(size_t) > 4 ? 4 * kGiB : kGiB;
  // The arena: activations and scratch.
  uint64_t max_memory_bytes = sizeof(size_t) > 4 ? 4 * kGiB : kGiB;
  // Of one run. The largest networks for images take some 10^12.
  uint64_t max_work = 10'000'000'000'000;
  // Of one planning of shapes and memory, which computes what follows from shapes and constants alone.
  uint64_t max_planning_work = 200'000'000'000;

  // What networks for microcontrollers and small boards stay below.
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
