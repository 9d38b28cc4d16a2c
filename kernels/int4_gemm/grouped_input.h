#pragma once
// Rows of floats as int8 with zero point 0 and a scale for every group of elements.

#include <cstddef>
#include <cstdint>

#include "kernels/base/conv_plan.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/parallel.h"

namespace micrort {

struct GroupedRows {
  size_t rows, columns;  // of the floats
  size_t group, groups;  // groups cover the columns; elements behind the last one are 0
  bool blocks;           // as Int4Halves::kEights need them (kernels/gemm/gemm_s4.h)

  size_t depth() const { return groups * group; }
  size_t scales() const { return blocks ? 2 * groups : groups; }  // of a row
};

struct GroupedInput {
  int8_t* x;      // [rows][groups * group], or blocks
  float* scales;  // [rows][groups], or blocks
  int32_t* sums;  // as scales: of the elements of a group

  // Over scratch of GroupedInputBytes.
  GroupedInput(const GroupedRows& rows, void* scratch);
};

size_t GroupedInputBytes(const GroupedRows& rows);
// The kernels that QuantizeGroups reads of the plan.
void PlanGroupedInput(CpuFeatures features, ConvPlan* plan);
void QuantizeGroups(const GroupedRows& rows, const ConvPlan& plan, const float* x, const GroupedInput& out,
                    const Parallel& parallel);

}  // namespace micrort
