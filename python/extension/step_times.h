#pragma once
// How long each step of the last run took.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "micrort/interpreter.h"

namespace micrort::python {

class StepTimes final : public OpObserver {
 public:
  struct Step {
    std::string type, node, algorithm;
    int64_t multiply_adds = 0;
    double ms = 0;
  };

  void Clear() { steps_.clear(); }
  void BeforeOp(const OpInfo&) override { start_ = Clock::now(); }
  void AfterOp(const OpInfo& op) override {
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    steps_.push_back({op.type, op.node, op.algorithm, op.multiply_adds, ms});
  }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
  std::vector<Step> steps_;
};

}  // namespace micrort::python
