#pragma once
// Times operators through the interpreter's observer.

#include <chrono>
#include <vector>

#include "micrort/interpreter.h"
#include "tools/bench/measure.h"

namespace micrort {

class Profiler final : public OpObserver {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = Clock::time_point (*)();

  // What reading the clock takes is measured here, and not counted to operators.
  explicit Profiler(Now now = Clock::now);
  void BeginRun();
  // Drops the times of the last run.
  void ForgetRun();
  void BeforeOp(const OpInfo& op) override;
  void AfterOp(const OpInfo& op) override;
  // Rows in run order, medians over the runs observed so far.
  std::vector<OpRow> Rows() const;

 private:
  struct Times {
    OpRow row;
    std::vector<double> ms;
  };

  const Now now_;
  Clock::duration clock_cost_;
  Clock::time_point run_start_, op_start_;
  size_t next_ = 0;
  std::vector<Times> ops_;
};

// The way from step to step, which is the same for each, is what a run of so many milliseconds takes beside
// the steps: a tenth of it where they are many and small. It is shared out among them, and the shares of the
// rows follow.
void AddTimeBetween(double run_ms, std::vector<OpRow>* rows);

double SumOf(const std::vector<OpRow>& rows);

}  // namespace micrort
