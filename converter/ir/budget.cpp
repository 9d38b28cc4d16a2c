#include "converter/ir/budget.h"

namespace micrort::ir {

namespace {

thread_local WorkControl* current = nullptr;

}  // namespace

ConversionBudget::ConversionBudget(const ModelLimits& limits) : outer_(current) {
  control_.SetLimits(limits);
  control_.BeginConversion();
  current = &control_;
}

ConversionBudget::~ConversionBudget() { current = outer_; }

WorkControl* CurrentBudget() { return current; }

ModelLimits CurrentLimits() { return current == nullptr ? ModelLimits() : current->limits(); }

}  // namespace micrort::ir
