#pragma once
// The memory plan that a file may hold for a subgraph. It places tensors as the graph has them, so it says
// nothing of a program in which they live otherwise.

#include "runtime/plan/plan_item.h"
#include "runtime/program/program.h"

namespace micrort {

namespace schema {
struct MemoryPlan;
}

class FilePlan {
 public:
  // null: the file has none. The program outlives this.
  FilePlan(const schema::MemoryPlan* plan, const Program& program) : plan_(plan), program_(program) {}

  // Whether it places output 0 of the step over its input 0.
  bool HasInPlace(const Step& step) const;
  // Whether steps can do what it was made for: one that it wants in place may have an algorithm here that
  // cannot do so.
  bool Fits() const;
  // Gives the items of buffers their offsets. Static shapes alone are planned, so what the plan says fits
  // whatever shapes the inputs have.
  void FixOffsets(Span<PlanItem> items) const;

 private:
  int64_t Offset(int32_t view) const;

  const schema::MemoryPlan* plan_;
  const Program& program_;
};

}  // namespace micrort
