#include "converter/report/verify.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <unordered_map>

#include "converter/observe/progress.h"
#include "converter/observe/reorder.h"
#include "converter/observe/runner.h"
#include "tools/io/tensor_floats.h"

namespace micrort::report {
namespace {

// The latest value of every tensor that the source model computes.
class Recorder final : public OpObserver {
 public:
  void AfterOp(const OpInfo& op) override {
    for (const TensorView& tensor : op.outputs) values_[tensor.name] = io::ToFloats(tensor);
  }
  const std::vector<float>* Find(const std::string& name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? nullptr : &it->second;
  }

 private:
  std::unordered_map<std::string, std::vector<float>> values_;
};

// Floats of a tensor of the converted model in the order of dimensions that the source has.
std::vector<float> InSourceOrder(const TensorView& tensor, const std::vector<int>& source_order,
                                 const std::vector<float>& scales) {
  std::vector<float> floats = io::ToFloats(tensor);
  if (!scales.empty()) {
    for (size_t i = 0; i < floats.size(); ++i) floats[i] /= scales[i % scales.size()];
  }
  if (source_order.size() != static_cast<size_t>(tensor.shape.rank)) return floats;
  const auto* bytes = reinterpret_cast<const uint8_t*>(floats.data());
  const std::vector<int64_t> shape(tensor.shape.dims, tensor.shape.dims + tensor.shape.rank);
  const std::vector<uint8_t> reordered =
      observe::ReorderDims({bytes, bytes + floats.size() * sizeof(float)}, shape,
                           observe::InverseOrder(source_order), sizeof(float));
  const auto* begin = reinterpret_cast<const float*>(reordered.data());
  return {begin, begin + floats.size()};
}

struct Interval {
  float min, max;
};

// What rounds to the int8 values of a tensor; everything where it is not int8.
Interval RangeOf(const TensorView& tensor) {
  constexpr float kAll = std::numeric_limits<float>::infinity();
  if (tensor.dtype != DType::kInt8 || tensor.quantization.count != 1) return {-kAll, kAll};
  const float scale = tensor.quantization.scale();
  const auto zero_point = static_cast<float>(tensor.quantization.zero_point());
  return {scale * (-128.5f - zero_point), scale * (127.5f - zero_point)};
}

// Compares tensors of the converted model as they appear.
class Comparer final : public OpObserver {
 public:
  Comparer(const ir::Graph& graph, const Recorder& reference, const quantize::ChannelScales& scales)
      : graph_(graph), reference_(reference), scales_(scales) {}

  std::vector<ComparedTensor> TakeCompared() {
    for (size_t i = 0; i < compared_.size(); ++i) {
      const Count& count = counts_[i];
      if (count.all > 0)
        compared_[i].clipped_share = static_cast<double>(count.clipped) / static_cast<double>(count.all);
    }
    return std::move(compared_);
  }

  void AfterOp(const OpInfo& op) override {
    for (const TensorView& tensor : op.outputs) {
      const ir::ValueId id = graph_.FindValue(tensor.name);
      const std::vector<float>* expected = reference_.Find(tensor.name);
      if (id == ir::kNoValue || !graph_.value(id).in_source || expected == nullptr) continue;
      ComparedTensor* compared = Compare(tensor, *expected, graph_.value(id).source_order);
      if (compared != nullptr)
        Observe(tensor, Scaled(tensor, *expected, graph_.value(id).source_order), compared);
    }
  }

  // Null if the tensors do not fit each other.
  ComparedTensor* Compare(const TensorView& tensor, const std::vector<float>& expected,
                          const std::vector<int>& source_order) {
    const std::vector<float> found = InSourceOrder(tensor, source_order, ScalesOf(tensor));
    if (found.size() != expected.size()) return nullptr;
    const auto [it, is_new] = position_.try_emplace(tensor.name, compared_.size());
    if (is_new) {
      compared_.emplace_back();
      compared_.back().name = tensor.name;
      counts_.emplace_back();
    }
    compared_[it->second].is_float = IsFloat(tensor.dtype);
    compared_[it->second].similarity.Add(expected.data(), found.data(), found.size());
    return &compared_[it->second];
  }

 private:
  struct Count {
    uint64_t all = 0, clipped = 0;
  };

  // The reference's values as the converted model would hold them, in any order.
  std::vector<float> Scaled(const TensorView& tensor, const std::vector<float>& expected,
                            const std::vector<int>& source_order) const {
    const std::vector<float>& scales = ScalesOf(tensor);
    std::vector<float> scaled = expected;
    if (scales.empty()) return scaled;
    // Elements between two of the last dimension, in the source.
    size_t inner = 1;
    const auto rank = static_cast<size_t>(tensor.shape.rank);
    if (source_order.size() == rank) {
      const int last = source_order[rank - 1];
      for (size_t d = 0; d < rank; ++d)
        inner *= source_order[d] > last ? static_cast<size_t>(tensor.shape.dims[d]) : 1;
    }
    for (size_t i = 0; i < scaled.size(); ++i) scaled[i] *= scales[i / inner % scales.size()];
    return scaled;
  }

  const std::vector<float>& ScalesOf(const TensorView& tensor) const {
    static const std::vector<float> kNone;
    const auto it = scales_.find(tensor.name);
    return it == scales_.end() ? kNone : it->second;
  }

  void Observe(const TensorView& tensor, const std::vector<float>& expected, ComparedTensor* compared) {
    float min = 0.0f, max = 0.0f;
    const Interval range = RangeOf(tensor);
    uint64_t clipped = 0;
    for (const float x : expected) {
      if (!std::isfinite(x)) return;
      min = std::min(min, x);
      max = std::max(max, x);
      clipped += x < range.min || x > range.max;
    }
    compared->values.Add(expected.data(), expected.size(), min, max);
    Count& count = counts_[position_.at(tensor.name)];
    count.all += expected.size();
    count.clipped += clipped;
  }

  const ir::Graph& graph_;
  const Recorder& reference_;
  const quantize::ChannelScales& scales_;
  std::unordered_map<std::string, size_t> position_;  // in compared_ and counts_
  std::vector<ComparedTensor> compared_;
  std::vector<Count> counts_;
};

// Outputs are compared by position, because an output may be a graph input or a constant that no operator
// writes.
void CompareOutputs(const Interpreter& reference, const Interpreter& converted, const ir::Graph& graph,
                    Comparer* comparer) {
  for (size_t i = 0; i < converted.output_count(); ++i) {
    comparer->Compare(converted.output(i), io::ToFloats(reference.output(i)),
                      graph.value(graph.outputs[i]).source_order);
  }
}

}  // namespace

Status Verify(const VerifyInputs& inputs, std::vector<ComparedTensor>* compared) {
  Recorder recorder;
  Comparer comparer(*inputs.graph, recorder, *inputs.scales);
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

std::string VerifyTable(const std::vector<ComparedTensor>& compared, const std::string& inputs) {
  std::string text = "verified on " + inputs + " against the source model in float\n" +
                     "     SNR dB    cosine  largest error  tensor\n";
  for (const ComparedTensor& tensor : compared) {
    char line[80];
    std::snprintf(line, sizeof line, "%11.2f %9.6f  %13.6g  ", tensor.similarity.Snr(),
                  tensor.similarity.Cosine(), tensor.similarity.largest_error());
    text += line + tensor.name + (tensor.similarity.is_all_nan() ? " (nothing but NaN)" : "") + "\n";
  }
  return text;
}

}  // namespace micrort::report
