#pragma once
// Times operators through the interpreter's observer.

#include <chrono>
#include <vector>

#include "micrort/interpreter.h"
#include "tools/bench/measure.h"

namespace micrort {

class Profiler final : public OpObserver {
 public:
  void BeginRun();
  // Drops the times of the last run.
  void ForgetRun();
  void BeforeOp(const OpInfo& op) override;
  void AfterOp(const OpInfo& op) override;
  // Rows in run order, medians over the runs observed so far.
  std::vector<OpRow> Rows() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Times {
    OpRow row;
    std::vector<double> ms;
  };
  Clock::time_point run_start_, op_start_;
  size_t next_ = 0;
  std::vector<Times> ops_;
};

}  // namespace micrort
