#pragma once
// Changes of a program that keep the bits of its outputs. Each makes the arena smaller, or leaves it as it
// is. They know calls, views and buffers, and no operator. In this order.
//
// Each decides what pays, or applies what was decided elsewhere (runtime/program/decisions.h) without asking
// whether it pays: kUnsupported, the program half changed, where a step cannot do so. Nodes are the first
// ones of steps.

#include "runtime/ops/fused_functions.h"
#include "runtime/plan/plan_item.h"
#include "runtime/program/file_plan.h"

namespace micrort {

// Lets element-wise steps that follow each other run as one, for a CPU with these features. It asks for
// nothing but the program, so that it is decided alike everywhere and no file states it.
inline Status FuseElementwise(CpuFeatures features, Program* program) {
  for (const Step& step : program->steps) {
    if (step.fused != nullptr) return step.fused->fuse(features, program);
  }
  return Status();
}

// Lets convolutions that follow each other run as one step, stripe by stripe of rows, where that is faster
// and takes no more memory. What lies between them has no place in the arena then.
Status FuseStripes(Program* program);
// `ranges`: first node and number of steps, one pair after the other.
Status ApplyStripes(Span<const uint32_t> ranges, Program* program);

// Lets convolutions write their outputs as parts of what a later step would join them to, where no more bytes
// are alive then. The parts become views of its output, and that step is removed.
// What it takes is spent from `control`, which may be null.
Status PlaceZeroCopyConcats(WorkControl* control, Program* program);
Status ApplyZeroCopyConcats(Span<const uint32_t> nodes, Program* program);

// Takes up in-place candidates where that makes the arena smaller, and those that the file's plan was made
// with. `items` are those of BuildPlanItems, maybe with less scratch.
Status TakeInPlaceCandidates(const FilePlan& file_plan, Span<const PlanItem> items, Program* program);
Status TakeInPlaceCandidates(const FilePlan& file_plan, Program* program);
Status ApplyInPlaceCandidates(const FilePlan& file_plan, Span<const uint32_t> nodes, Program* program);

}  // namespace micrort
