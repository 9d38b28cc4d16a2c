#pragma once
// A program as the file states it: not its calls, but what was decided about them for one class of CPUs, one
// number of threads and one set of input shapes. The device lowers its nodes as ever and applies the
// decisions to what it gets, so a file can state nothing that lowering and rewrites could not make.

#include "kernels/base/cpu_features.h"
#include "runtime/program/place.h"

namespace micrort {

class WorkControl;

namespace schema {
struct Program;
struct Subgraph;
}  // namespace schema

// What a program runs on.
struct ProgramTarget {
  CpuFeatures features = 0;
  int workers = 1;
};

// The first one for this target and one shape an input; null: there is none.
const schema::Program* FindDecisions(const schema::Subgraph& source, const ProgramTarget& target,
                                     Span<const Shape> input_shapes);

// Id of the algorithm of node's layer (Conv2DAlgorithmId); 0: none is stated.
uint8_t DecidedAlgorithm(const schema::Program& decisions, size_t node);

// Rewrites the program as it was lowered, with these algorithms, and lays out its memory, without a search;
// the layout is checked. `features`: of the CPU. An error where steps, sizes or places do not fit here, or it
// would take more work than `control` (maybe null) allows; then the program is of no use any more.
Status ApplyDecisions(const schema::Program& decisions, CpuFeatures features, const FilePlan& file_plan,
                      WorkControl* control, Program* program, ProgramMemory* memory);

// The same for a program that stays as it was lowered, which those of bodies do: memory alone is laid out. An
// error where the decisions ask for a rewrite, too; then the program is still of use.
Status ApplyPlaces(const schema::Program& decisions, WorkControl* control, const Program& program,
                   ProgramMemory* memory);

}  // namespace micrort
