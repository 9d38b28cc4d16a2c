#pragma once
// What each kind of step looks like as C++.

#include "converter/aot/step_text.h"

namespace micrort::schema {
struct CustomOptions;
}

namespace micrort::aot {

class StepsPrinter;

class StepPrinter : public StepText {
 public:
  // `steps` prints the graphs that the step runs. `loop`: the function of a loop, where the step is one.
  StepPrinter(AotProgram* program, const AotGraph& graph, const Step& step, const std::string& loop,
              StepsPrinter* steps)
      : StepText(program, graph, step), loop_name_(loop), steps_(*steps) {}

  Status Print();
  // Its definition; empty: the step has none.
  const std::string& loop() const { return loop_; }

 private:
  struct CallPrinter;

  Status PrintConv();
  Status PrintStripes();
  Status PrintConvTensors(const std::string& name, int32_t node, Span<const int32_t> operands);
  void ConvConstant(const std::string& name, const ConvCall& call);
  void LinkLayer(const ConvCall& call);
  std::string Algorithm(const ConvCall& call);
  void PrintConvLayer(const ConvLayerCall& call);
  void PrintRunWeights(int64_t columns);
  Status PrintMatMul(const MatMulCall& call);
  Status PrintRecurrent(const RecurrentCall& call);
  Status PrintElementwise();
  Status PrintOpen();
  Status PrintIf();
  Status PrintBranch(size_t branch);
  Status PrintLoop(const LoopCall& call);
  Status PrintBody(const AotGraph& body);
  void PrintConcat(const ConcatCall& call);
  void PrintConvert(const ConvertCall& call);
  Status PrintCustom(const schema::CustomOptions& options);

  const std::string loop_name_;
  std::string loop_;
  StepsPrinter& steps_;
};

}  // namespace micrort::aot
