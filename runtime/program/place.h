#pragma once
// Where the buffers and the scratch of a program lie in the arena.

#include "runtime/plan/plan_item.h"
#include "runtime/program/file_plan.h"

namespace micrort {

struct ProgramMemory {
  FixedArray<size_t> offsets;  // of the items of BuildPlanItems
  MemoryLayout layout;
  size_t buffer_bytes = 0;    // arena bytes without scratch
  size_t searched_bytes = 0;  // of the arena for those sizes that places were searched for
};

// Lays out the arena and checks the layout, whoever made it. Buffers stay where the file's plan puts them and
// just scratch is placed, where that plan fits; unless that takes more memory than a plan made here.
Status PlaceProgram(const Program& program, const FilePlan& file_plan, ProgramMemory* memory);

// The same without a search, from the memory of the program for other sizes: everything stays where it was,
// if it fits there, else it is placed in the same order. Takes no more than `former` where nothing has grown.
// Leaves memory->offsets empty where that program was another one, or they should be searched for after all.
Status PlaceAsFormerly(const Program& program, const ProgramMemory& former, ProgramMemory* memory);

// Whether places that follow from the order of others should be searched for: the arena is clearly above its
// bound, and twice what it was at the last search, so that sizes which grow step by step rarely are.
bool AskForSearch(const ProgramMemory& memory);

}  // namespace micrort
