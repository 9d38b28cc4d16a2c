#pragma once
// Steps whose sizes a run decides: what depends on them is computed by the emitted code as it runs.

#include "converter/aot/step_text.h"
#include "runtime/model/schema_text.h"

namespace micrort::aot {

class OpenStepPrinter : public StepText {
 public:
  OpenStepPrinter(AotProgram* program, const AotGraph& graph, const Step& step)
      : StepText(program, graph, step) {}

  Status Print();

 private:
  struct CallPrinter;

  // Elements that move.
  Status PrintTranspose(Span<const int32_t> permutation);
  Status PrintReshape(const schema::ReshapeOptions& options);
  struct SlicedAxis {
    std::string start, end;  // as int64_t
    int64_t axis = 0, step = 1;
    bool computed = false;  // the range, by the run
  };
  static std::vector<SlicedAxis> GivenAxes(const schema::SliceOptions& options);
  Status ComputedAxes(std::vector<SlicedAxis>* axes);
  void PrintSlice(const std::vector<SlicedAxis>& axes);
  Status PrintConcat(const ConcatCall& call);
  // Caches (print_caches.cpp).
  Status PrintAppend();
  void PrintRingRows(int64_t window);
  void PrintNewRows(const std::string& from, const std::string& count, const std::string& to);
  void PrintAttend(const AttentionParams& params);
  void PrintNeeds(const std::string& what);  // a constant of the kernels
  Status PrintAttention(const AttentionParams& params);
  // Prints the copy of `dims` from this pointer to the output.
  void PrintCopy(const std::string& from);
  OpenShape Broadcast(const OpenShape& a, const OpenShape& b);

  OpenShape InShape(size_t operand) const;
  const Tensor& OutTensor(size_t i) const { return graph_.tensor(step_.outputs[i]); }
  void SetShape(size_t output, const OpenShape& shape) {
    program_.open_shapes().Set(step_.outputs[output], shape);
  }
  // A size that this step writes.
  OpenDim NewSize(int64_t bound, const std::string& value);
  // Whether every run sees the same elements.
  bool IsConstant(size_t operand) const;
  std::string Int64s(size_t output) { return "reinterpret_cast<int64_t*>(" + Out(output) + ")"; }
};

}  // namespace micrort::aot
