#include "runtime/ops/work_control.h"

#include <cinttypes>

#include "kernels/base/checked_math.h"

namespace micrort {

uint64_t AddWork(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return CheckedAdd(a, b, &sum) ? sum : kEndlessWork;
}

uint64_t MultiplyWork(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return CheckedMul(a, b, &product) ? product : kEndlessWork;
}

uint64_t WorkOf(std::initializer_list<int64_t> factors) {
  uint64_t work = 1;
  for (const int64_t factor : factors)
    work = MultiplyWork(work, factor < 0 ? 0 : static_cast<uint64_t>(factor));
  return work;
}

uint64_t ExtentOf(const Shape& shape) {
  uint64_t extent = 1;
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i] > 0) extent = MultiplyWork(extent, static_cast<uint64_t>(shape[i]));
  }
  return extent;
}

void WorkControl::BeginPlanning() {
  task_ = "planning";
  limit_name_ = "ModelLimits::max_planning_work, a fiftieth of --max-work";
  left_ = limits_.max_planning_work;
}

void WorkControl::BeginConversion() {
  task_ = "the conversion";
  limit_name_ = "a fifth of --max-work";
  left_ = limits_.max_work / 5;
}

void WorkControl::BeginRun(uint64_t deadline) {
  task_ = "the run";
  limit_name_ = "ModelLimits::max_work, --max-work";
  left_ = limits_.max_work;
  stop_.BeginRun(deadline);
}

Status WorkControl::Spend(uint64_t work) {
  if (work > left_) {
    return MICRORT_ERROR(kUnsupported, "%s takes more operations than it may (%s)", task_, limit_name_);
  }
  left_ -= work;
  return stop_.Check();
}

Status WorkControl::CheckRun(uint64_t work) const {
  if (work <= limits_.max_work) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "a run takes %" PRIu64 " operations: expected at most %" PRIu64
                       " (ModelLimits::max_work, --max-work)",
                       work, limits_.max_work);
}

Status WorkControl::CheckTensor(const char* name, const Shape& shape, size_t element_bytes) const {
  const uint64_t bytes = MultiplyWork(ExtentOf(shape), element_bytes);
  if (bytes <= limits_.max_tensor_bytes) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "tensor '%.100s' of shape %s takes %" PRIu64 " bytes: expected at most %" PRIu64
                       " (ModelLimits::max_tensor_bytes, --max-memory)",
                       name, ShapeString(shape).c_str(), bytes, limits_.max_tensor_bytes);
}

Status WorkControl::CheckMemory(uint64_t bytes) const {
  if (bytes <= limits_.max_memory_bytes) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "the arena takes %" PRIu64 " bytes: expected at most %" PRIu64
                       " (ModelLimits::max_memory_bytes, --max-memory)",
                       bytes, limits_.max_memory_bytes);
}

}  // namespace micrort
