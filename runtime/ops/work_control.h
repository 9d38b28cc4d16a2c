#pragma once
// Bounds the work of planning and of runs: a budget, a deadline, Cancel() from another thread.

#include <initializer_list>

#include "kernels/base/shape.h"
#include "micrort/model_limits.h"
#include "runtime/threads/stop_signal.h"

namespace micrort {

// Sums and products of work stop at the largest number instead of overflowing.
constexpr uint64_t kEndlessWork = UINT64_MAX;
uint64_t AddWork(uint64_t a, uint64_t b);
uint64_t MultiplyWork(uint64_t a, uint64_t b);
// The product; a factor below 0 counts as 0.
uint64_t WorkOf(std::initializer_list<int64_t> factors);
// Elements, where a dimension of 0 counts as 1: loops may go round dimensions outside of it.
uint64_t ExtentOf(const Shape& shape);

// What calling one operator costs beside its elements, loops' scalars above all: preparing it takes some
// microseconds, running it some tenths of one.
constexpr uint64_t kOperatorWork = 1'000'000;
// The work of reading or writing an element without much arithmetic.
constexpr uint64_t kElementWork = 100;

// Used by the thread that plans or runs, but for Cancel().
class WorkControl {
 public:
  void SetLimits(const ModelLimits& limits) { limits_ = limits; }
  const ModelLimits& limits() const { return limits_; }
  StopSignal& stop() { return stop_; }
  const StopSignal& stop() const { return stop_; }

  void BeginPlanning();
  // Begins the conversion of a model, which infers and computes nodes again and again.
  void BeginConversion();
  // The deadline as StopSignal's.
  void BeginRun(uint64_t deadline);
  void EndRun() { stop_.EndRun(); }

  // Before work is done: kUnsupported where the budget is less, or why it has to stop.
  Status Spend(uint64_t work);
  // kUnsupported unless a run of so much work is allowed.
  Status CheckRun(uint64_t work) const;
  Status CheckTensor(const char* name, const Shape& shape, size_t element_bytes) const;
  Status CheckMemory(uint64_t bytes) const;

 private:
  ModelLimits limits_;
  StopSignal stop_;
  uint64_t left_ = 0;
  const char* task_ = "";  // what the budget is for, and its limit's name
  const char* limit_name_ = "";
};

// Where nothing is bounded, `control` is null.
inline Status Spend(WorkControl* control, uint64_t work) {
  return control == nullptr ? Status() : control->Spend(work);
}
inline const StopSignal* StopOf(const WorkControl* control) {
  return control == nullptr ? nullptr : &control->stop();
}

}  // namespace micrort
