#pragma once
// How much work is worth a task of its own, so that handing it to a thread costs little beside it: what one
// core does in some microseconds. Parameters of algorithms, the same for every machine: a slower core takes
// longer to hand over, too. They cut work that no plan cuts, and decide neither results nor what a file
// holds.

#include <cstddef>
#include <cstdint>

namespace micrort {

// More tasks than workers, so that a worker that falls behind gets fewer.
constexpr int64_t kTasksPerWorker = 4;

constexpr size_t kTaskElements = size_t{1} << 14;  // of functions of elements; whole chunks and cache lines
constexpr size_t kTaskCopyBytes = size_t{1} << 15;
constexpr size_t kTaskGatherBytes = size_t{1} << 14;      // moved by index
constexpr size_t kTaskMappedBytes = size_t{1} << 14;      // looked up in a table
constexpr int64_t kTaskPoolTaps = int64_t{1} << 14;       // taps times channels
constexpr int64_t kTaskResized = int64_t{1} << 13;        // elements made
constexpr int64_t kTaskSampled = int64_t{1} << 12;        // between pixels, at given coordinates
constexpr int64_t kTaskProducts = int64_t{1} << 15;       // in plain loops
constexpr size_t kTaskStepProducts = size_t{1} << 17;     // of recurrent layers: workers meet in each step
constexpr int64_t kTaskRangeElements = int64_t{1} << 15;  // whose range is looked for

}  // namespace micrort
