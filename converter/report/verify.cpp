#include "converter/report/verify.h"

#include <cstdio>
#include <unordered_map>

#include "converter/observe/progress.h"
#include "converter/observe/reorder.h"
#include "converter/observe/runner.h"
#include "converter/observe/token_scores.h"
#include "converter/report/comparer.h"
#include "tools/io/array.h"
#include "tools/io/tensor_floats.h"

namespace micrort::report {
namespace {

// The latest value of every tensor that the source model computes.
class Recorder final : public OpObserver, public ReferenceValues {
 public:
  void AfterOp(const OpInfo& op) override {
    for (const TensorView& tensor : op.outputs) values_[tensor.name] = io::ToFloats(tensor);
  }
  const std::vector<float>* Find(const std::string& name) const override {
    const auto it = values_.find(name);
    return it == values_.end() ? nullptr : &it->second;
  }

 private:
  std::unordered_map<std::string, std::vector<float>> values_;
};

// Outputs are compared by position, because an output may be a graph input or a constant that no operator
// writes.
void CompareOutputs(const Interpreter& reference, const Interpreter& converted, const ir::Graph& graph,
                    Comparer* comparer) {
  for (size_t i = 0; i < converted.output_count(); ++i) {
    comparer->Compare(converted.output(i).name, converted.output(i), io::ToFloats(reference.output(i)),
                      graph.value(graph.outputs[i]).source_order);
  }
}

// The sizes that the source has, in its order, of an output that is there in another order.
bool HasShape(const TensorView& tensor, const std::vector<int64_t>& shape, const std::vector<int>& order) {
  bool fits = static_cast<size_t>(tensor.shape.rank) == shape.size();
  for (size_t d = 0; fits && d < shape.size(); ++d) {
    const size_t there = order.empty() ? d : static_cast<size_t>(order[d]);
    fits = there < shape.size() && tensor.shape.dims[d] == shape[there];
  }
  return fits;
}

std::vector<float> ConvertedOutput(const Interpreter& converted, const ir::Graph& graph, size_t i) {
  return InSourceOrder(converted.output(i), graph.value(graph.outputs[i]).source_order, {});
}

// Compares the outputs of both models for a sample in terms of its task.
void JudgeTask(const VerifyInputs& inputs, const std::vector<io::InputSpec>& specs, size_t sample,
               const Interpreter& reference, const Interpreter& converted, TaskQuality* task) {
  if (sample < inputs.labels->size()) {
    task->accuracy.Add(io::ToFloats(reference.output(0)), ConvertedOutput(converted, *inputs.graph, 0),
                       (*inputs.labels)[sample]);
  }
  if (const auto found = observe::FindTokenScores(specs, (*inputs.samples)[sample], reference)) {
    task->next_tokens.Add(io::ToFloats(reference.output(found->output)),
                          ConvertedOutput(converted, *inputs.graph, found->output), found->next);
  }
}

Status CompareSizes(const VerifyInputs& inputs, Comparer* comparer) {
  if (inputs.sized->empty()) return Status();
  observe::Runner converted;
  MICRORT_RETURN_IF_ERROR(converted.Load(*inputs.converted, inputs.features, nullptr));
  for (const observe::SizedReference& reference : *inputs.sized) {
    if (Status s = converted.Run(observe::ToGraphOrder(reference.sample, *inputs.graph)); !s.ok()) {
      return MICRORT_ERROR(kInternal, "--verify at %s: the source runs, the converted model does not: %s",
                           reference.sizes.c_str(), s.message());
    }
    const Interpreter& interpreter = converted.interpreter();
    for (size_t i = 0; i < interpreter.output_count() && i < reference.outputs.size(); ++i) {
      const TensorView output = interpreter.output(i);
      const auto& expected = reference.outputs[i];
      const std::vector<int>& order = inputs.graph->value(inputs.graph->outputs[i]).source_order;
      if (!HasShape(output, expected.shape, order)) {
        return MICRORT_ERROR(kInternal, "--verify at %s: output '%s' has shape %s, the source's has %s",
                             reference.sizes.c_str(), output.name, ShapeString(output.shape).c_str(),
                             io::ShapeText(expected.shape).c_str());
      }
      comparer->Compare(output.name, output, expected.elements, order);
    }
  }
  return Status();
}

}  // namespace

Status Verify(const VerifyInputs& inputs, std::vector<ComparedTensor>* compared, TaskQuality* task) {
  Recorder recorder;
  Comparer comparer(*inputs.graph, recorder, *inputs.scales);
  observe::Runner reference, converted;
  MICRORT_RETURN_IF_ERROR(
      reference.Load(*inputs.reference, inputs.features, inputs.layers ? &recorder : nullptr));
  MICRORT_RETURN_IF_ERROR(
      converted.Load(*inputs.converted, inputs.features, inputs.layers ? &comparer : nullptr));

  const std::vector<io::InputSpec> specs = observe::InputSpecsOf(*inputs.graph);
  observe::Progress progress("verifying", inputs.samples->size(), inputs.progress);
  for (const observe::Sample& sample : *inputs.samples) {
    MICRORT_RETURN_IF_ERROR(reference.Run(sample));
    MICRORT_RETURN_IF_ERROR(converted.Run(observe::ToGraphOrder(sample, *inputs.graph)));
    if (!inputs.layers) {
      CompareOutputs(reference.interpreter(), converted.interpreter(), *inputs.graph, &comparer);
    }
    JudgeTask(inputs, specs, static_cast<size_t>(&sample - inputs.samples->data()), reference.interpreter(),
              converted.interpreter(), task);
    progress.Advance();
  }
  MICRORT_RETURN_IF_ERROR(CompareSizes(inputs, &comparer));
  *compared = comparer.TakeCompared();
  // Whatever the caller asked outputs to be: what they are in the source model.
  for (size_t i = 0; i < reference.interpreter().output_count(); ++i) {
    const std::string& name = inputs.graph->value(inputs.graph->outputs[i]).name;
    for (ComparedTensor& tensor : *compared) {
      if (tensor.name == name) tensor.is_float = IsFloat(reference.interpreter().output(i).dtype);
    }
  }
  return Status();
}

std::string ComparisonTable(const std::vector<ComparedTensor>& compared, const std::string& title) {
  std::string text = title + "\n     SNR dB    cosine  largest error  tensor\n";
  for (const ComparedTensor& tensor : compared) {
    char line[80];
    std::snprintf(line, sizeof line, "%11.2f %9.6f  %13.6g  ", tensor.similarity.Snr(),
                  tensor.similarity.Cosine(), tensor.similarity.largest_error());
    text += line + tensor.name + (tensor.similarity.is_all_nan() ? " (nothing but NaN)" : "") + "\n";
  }
  return text;
}

}  // namespace micrort::report
