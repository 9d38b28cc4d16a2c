#pragma once
// Where the tensors of a model lie in the arena on this machine.

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "micrort/interpreter.h"

namespace micrort {

struct PlanRow {
  std::string op, output, shape;
  size_t offset = 0, bytes = 0;
};

struct PlanReport {
  std::string device;  // as mnnconvert --target takes it: the instruction sets that are planned for
  size_t arena_bytes = 0, lower_bound = 0, scratch_bytes = 0;
  std::vector<PlanRow> rows;  // outputs of the steps, in run order

  double ratio() const {
    return lower_bound == 0 ? 1 : static_cast<double>(arena_bytes) / static_cast<double>(lower_bound);
  }
};

PlanReport DescribePlan(const Interpreter& interpreter);
nlohmann::ordered_json PlanToJson(const PlanReport& report);
void PrintPlan(const PlanReport& report, std::FILE* out);

}  // namespace micrort
