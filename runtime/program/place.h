#pragma once
// Where the buffers and the scratch of a program lie in the arena.

#include "runtime/plan/plan_item.h"
#include "runtime/program/file_plan.h"

namespace micrort {

struct ProgramMemory {
  FixedArray<size_t> offsets;  // of the items of BuildPlanItems
  MemoryLayout layout;
  size_t buffer_bytes = 0;  // arena bytes without scratch
};

// Lays out the arena and checks the layout, whoever made it. Buffers stay where the file's plan puts them and
// just scratch is placed, where that plan fits; unless that takes more memory than a plan made here.
Status PlaceProgram(const Program& program, const FilePlan& file_plan, ProgramMemory* memory);

}  // namespace micrort
