#include "converter/observe/runner.h"

#include "converter/custom/custom_ops.h"
#include "converter/emit/file_bytes.h"
#include "converter/ir/budget.h"
#include "tools/io/session.h"

namespace micrort::observe {

Status Runner::Load(const AlignedBytes& file, CpuFeatures features, OpObserver* observer) {
  MICRORT_ASSIGN_OR_RETURN(Model model, emit::LoadEmitted(file));
  model_ = std::make_unique<Model>(std::move(model));
  options_.features = features;
  options_.limits = ir::CurrentLimits();
  options_.resolver = &CurrentOps();
  options_.observer = observer;
  options_.whole_tensors = observer != nullptr;  // it reads them
  return Status();
}

Status Runner::PlanFor(const Sample& sample) {
  if (interpreter_ != nullptr) return io::ResizeToInputs(*model_, sample, interpreter_.get());
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, io::CreateFor(*model_, sample, options_));
  interpreter_ = std::make_unique<Interpreter>(std::move(interpreter));
  return Status();
}

Status Runner::Run(const Sample& sample) {
  MICRORT_RETURN_IF_ERROR(PlanFor(sample));
  io::FillInputs(sample, interpreter_.get());
  return interpreter_->Run();
}

}  // namespace micrort::observe
