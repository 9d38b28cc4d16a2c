#include "converter/report/verify.h"

#include <cstdio>
#include <unordered_map>

#include "converter/observe/progress.h"
#include "converter/observe/reorder.h"
#include "converter/observe/runner.h"
#include "converter/observe/tensor_floats.h"

namespace micrort::report {
namespace {

// The latest value of every tensor that the source model computes.
class Recorder final : public OpObserver {
 public:
  void AfterOp(const OpInfo& op) override {
    for (const TensorView& tensor : op.outputs) values_[tensor.name] = observe::ToFloats(tensor);
  }
  const std::vector<float>* Find(const std::string& name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? nullptr : &it->second;
  }

 private:
  std::unordered_map<std::string, std::vector<float>> values_;
};

// Floats of a tensor of the converted model in the order of dimensions that the source has.
std::vector<float> InSourceOrder(const TensorView& tensor, const std::vector<int>& source_order) {
  std::vector<float> floats = observe::ToFloats(tensor);
  if (source_order.size() != static_cast<size_t>(tensor.shape.rank)) return floats;
  const auto* bytes = reinterpret_cast<const uint8_t*>(floats.data());
  const std::vector<int64_t> shape(tensor.shape.dims, tensor.shape.dims + tensor.shape.rank);
  const std::vector<uint8_t> reordered =
      observe::ReorderDims({bytes, bytes + floats.size() * sizeof(float)}, shape,
                           observe::InverseOrder(source_order), sizeof(float));
  const auto* begin = reinterpret_cast<const float*>(reordered.data());
  return {begin, begin + floats.size()};
}

// Compares tensors of the converted model as they appear.
class Comparer final : public OpObserver {
 public:
  Comparer(const ir::Graph& graph, const Recorder& reference) : graph_(graph), reference_(reference) {}

  void AfterOp(const OpInfo& op) override {
    for (const TensorView& tensor : op.outputs) {
      const ir::ValueId id = graph_.FindValue(tensor.name);
      const std::vector<float>* expected = reference_.Find(tensor.name);
      if (id == ir::kNoValue || !graph_.value(id).in_source || expected == nullptr) continue;
      Compare(tensor, *expected, graph_.value(id).source_order);
    }
  }

  void Compare(const TensorView& tensor, const std::vector<float>& expected,
               const std::vector<int>& source_order) {
    const std::vector<float> found = InSourceOrder(tensor, source_order);
    if (found.size() != expected.size()) return;
    const auto [it, is_new] = position_.try_emplace(tensor.name, compared_.size());
    if (is_new) {
      compared_.emplace_back();
      compared_.back().name = tensor.name;
    }
    compared_[it->second].similarity.Add(expected.data(), found.data(), found.size());
  }

  std::vector<ComparedTensor> compared_;

 private:
  const ir::Graph& graph_;
  const Recorder& reference_;
  std::unordered_map<std::string, size_t> position_;  // in compared_
};

// Outputs are compared by position, because an output may be a graph input or a constant that no operator
// writes.
void CompareOutputs(const Interpreter& reference, const Interpreter& converted, const ir::Graph& graph,
                    Comparer* comparer) {
  for (size_t i = 0; i < converted.output_count(); ++i) {
    comparer->Compare(converted.output(i), observe::ToFloats(reference.output(i)),
                      graph.value(graph.outputs[i]).source_order);
  }
}

}  // namespace

Status Verify(const VerifyInputs& inputs, std::vector<ComparedTensor>* compared) {
  Recorder recorder;
  Comparer comparer(*inputs.graph, recorder);
  observe::Runner reference, converted;
  MICRORT_RETURN_IF_ERROR(
      reference.Load(*inputs.reference, inputs.features, inputs.layers ? &recorder : nullptr));
  MICRORT_RETURN_IF_ERROR(
      converted.Load(*inputs.converted, inputs.features, inputs.layers ? &comparer : nullptr));

  observe::Progress progress("verifying", inputs.samples->size(), inputs.progress);
  for (const observe::Sample& sample : *inputs.samples) {
    MICRORT_RETURN_IF_ERROR(reference.Run(sample));
    MICRORT_RETURN_IF_ERROR(converted.Run(observe::ToGraphOrder(sample, *inputs.graph)));
    if (!inputs.layers) {
      CompareOutputs(reference.interpreter(), converted.interpreter(), *inputs.graph, &comparer);
    }
    progress.Advance();
  }
  *compared = std::move(comparer.compared_);
  return Status();
}

std::string VerifyTable(const std::vector<ComparedTensor>& compared, const std::string& inputs) {
  std::string text = "verified on " + inputs + " against the source model in float\n" +
                     "     SNR dB    cosine  largest error  tensor\n";
  for (const ComparedTensor& tensor : compared) {
    char line[80];
    std::snprintf(line, sizeof line, "%11.2f %9.6f  %13.6g  ", tensor.similarity.Snr(),
                  tensor.similarity.Cosine(), tensor.similarity.largest_error());
    text += line + tensor.name + "\n";
  }
  return text;
}

}  // namespace micrort::report
