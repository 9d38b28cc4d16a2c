#pragma once
// A model that lies in memory, made ready to run on samples.

#include <memory>

#include "converter/emit/aligned_bytes.h"
#include "converter/observe/samples.h"
#include "micrort/micrort.h"

namespace micrort::observe {

class Runner {
 public:
  // `file` and `observer` (may be null) must outlive the runner.
  Status Load(const AlignedBytes& file, CpuFeatures features, OpObserver* observer);
  Status Run(const Sample& sample);
  // After the first Run.
  const Interpreter& interpreter() const { return *interpreter_; }

 private:
  Status PlanFor(const Sample& sample);

  std::unique_ptr<Model> model_;
  InterpreterOptions options_;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace micrort::observe
