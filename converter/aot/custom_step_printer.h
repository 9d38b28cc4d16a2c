#pragma once
// An operator of the program's own as C++: a call of a function that it links (micrort/custom_op.h).

#include "converter/aot/step_text.h"
#include "schema/micrort_generated.h"

namespace micrort::aot {

class CustomStepPrinter : public StepText {
 public:
  // `options` outlive this.
  CustomStepPrinter(AotProgram* program, const AotGraph& graph, const Step& step,
                    const schema::CustomOptions& options);

  // The name of the function that is called, as "micrort_custom_com_acme_Blur".
  const std::string& symbol() const { return symbol_; }
  // The operator for readers, as "Blur of com.acme".
  std::string Title() const;
  // kUnsupported where data decide sizes.
  Status Print();

 private:
  void AddAttribute(const schema::CustomAttribute& source);
  std::string TextOf(const flatbuffers::String* text);
  std::string TensorOf(int32_t view);
  // Declares the array, a field of `call`; none: the field stays null.
  void Array(const std::string& type, const std::string& name, const std::vector<std::string>& elements);

  const schema::CustomOptions& options_;
  const std::string symbol_;
  std::vector<std::string> attributes_;
};

}  // namespace micrort::aot
