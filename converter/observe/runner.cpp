#include "converter/observe/runner.h"

#include "tools/io/session.h"

namespace micrort::observe {

Status Runner::Load(const AlignedBytes& file, CpuFeatures features, OpObserver* observer) {
  MICRORT_ASSIGN_OR_RETURN(Model model, Model::FromBuffer(file.data(), file.size()));
  model_ = std::make_unique<Model>(std::move(model));
  InterpreterOptions options;
  options.features = features;
  options.observer = observer;
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, Interpreter::Create(*model_, options));
  interpreter_ = std::make_unique<Interpreter>(std::move(interpreter));
  return Status();
}

Status Runner::Run(const Sample& sample) {
  MICRORT_RETURN_IF_ERROR(io::ResizeToInputs(sample, interpreter_.get()));
  io::FillInputs(sample, interpreter_.get());
  return interpreter_->Run();
}

}  // namespace micrort::observe
