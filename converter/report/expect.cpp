#include "converter/report/expect.h"

#include <algorithm>

#include "converter/observe/progress.h"
#include "converter/observe/reorder.h"
#include "converter/observe/runner.h"
#include "converter/report/comparer.h"

namespace micrort::report {
namespace {

bool IsOutput(const ir::Graph& graph, const std::string& name) {
  return std::any_of(graph.outputs.begin(), graph.outputs.end(),
                     [&](ir::ValueId id) { return graph.value(id).name == name; });
}

// The values of one sample. Outputs are left to CompareOutputs, which finds those that no operator writes.
class SampleValues final : public ReferenceValues {
 public:
  SampleValues(const std::vector<observe::ExpectedTensor>& expected, const ir::Graph& graph)
      : expected_(expected), graph_(graph) {}

  void MoveTo(size_t sample) { sample_ = sample; }
  const std::vector<float>* Find(const std::string& name) const override {
    return IsOutput(graph_, name) ? nullptr : FindAny(name);
  }
  const std::vector<float>* FindAny(const std::string& name) const {
    for (const observe::ExpectedTensor& tensor : expected_) {
      if (tensor.name == name) return &tensor.samples[sample_];
    }
    return nullptr;
  }

 private:
  const std::vector<observe::ExpectedTensor>& expected_;
  const ir::Graph& graph_;
  size_t sample_ = 0;
};

Status CompareOutputs(const Interpreter& converted, const ir::Graph& graph, const SampleValues& values,
                      Comparer* comparer) {
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const ir::Value& output = graph.value(graph.outputs[i]);
    const std::vector<float>* expected = values.FindAny(output.name);
    if (expected == nullptr) continue;
    const TensorView found = converted.output(i);
    if (comparer->Compare(output.name, found, *expected, output.source_order) == nullptr) {
      return MICRORT_ERROR(kInvalidArgument, "--expect: output '%s': expected %zu elements, found %zu",
                           output.name.c_str(), expected->size(), found.elements());
    }
  }
  return Status();
}

}  // namespace

Status CompareWithExpected(const ExpectInputs& inputs, std::vector<ComparedTensor>* compared,
                           std::vector<std::string>* missing) {
  SampleValues values(*inputs.expected, *inputs.graph);
  Comparer comparer(*inputs.graph, values, *inputs.scales);
  const bool is_inside =
      std::any_of(inputs.expected->begin(), inputs.expected->end(),
                  [&](const observe::ExpectedTensor& e) { return !IsOutput(*inputs.graph, e.name); });
  observe::Runner converted;
  MICRORT_RETURN_IF_ERROR(
      converted.Load(*inputs.converted, inputs.features, is_inside ? &comparer : nullptr));
  observe::Progress progress("comparing", inputs.samples->size(), inputs.progress);
  for (size_t i = 0; i < inputs.samples->size(); ++i) {
    values.MoveTo(i);
    MICRORT_RETURN_IF_ERROR(converted.Run(observe::ToGraphOrder((*inputs.samples)[i], *inputs.graph)));
    MICRORT_RETURN_IF_ERROR(CompareOutputs(converted.interpreter(), *inputs.graph, values, &comparer));
    progress.Advance();
  }
  *compared = comparer.TakeCompared();
  for (const observe::ExpectedTensor& tensor : *inputs.expected) {
    const auto is_it = [&](const ComparedTensor& c) { return c.name == tensor.name; };
    if (std::none_of(compared->begin(), compared->end(), is_it)) missing->push_back(tensor.name);
  }
  return Status();
}

}  // namespace micrort::report
