#pragma once
// Walks the steps of a program.

#include "micrort/interpreter.h"
#include "runtime/interpreter/graph.h"
#include "runtime/program/program.h"

namespace micrort {

class ProgramRun {
 public:
  // A program lowered from the graph, which is bound to its memory.
  ProgramRun(const Program& program, Graph& graph, const PrepareTarget& target)
      : program_(program), graph_(graph), target_(target) {}

  // As Subgraph::Run.
  Status Run(const Parallel& parallel, OpObserver* observer, Span<TensorView> views);

 private:
  Status RunStep(const Step& step, const Parallel& parallel);
  void RunElementwise(const Step& step, const Parallel& parallel) const;
  Status RunObserved(const Step& step, const Parallel& parallel, OpObserver& observer,
                     Span<TensorView> views);

  const Program& program_;
  Graph& graph_;
  const PrepareTarget& target_;
};

}  // namespace micrort
