#include "converter/report/comparer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "converter/observe/reorder.h"
#include "tools/io/tensor_floats.h"

namespace micrort::report {

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

namespace {

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

}  // namespace

void Comparer::AfterOp(const OpInfo& op) {
  for (const TensorView& tensor : op.outputs) {
    const ir::ValueId id = graph_.FindValue(tensor.name);
    const std::vector<float>* expected = reference_.Find(tensor.name);
    if (id == ir::kNoValue || !graph_.value(id).in_source || expected == nullptr) continue;
    ComparedTensor* compared = Compare(tensor.name, tensor, *expected, graph_.value(id).source_order);
    if (compared != nullptr)
      Observe(tensor, Scaled(tensor, *expected, graph_.value(id).source_order), compared);
  }
}

ComparedTensor* Comparer::Compare(const std::string& name, const TensorView& tensor,
                                  const std::vector<float>& expected, const std::vector<int>& source_order) {
  const std::vector<float> found = InSourceOrder(tensor, source_order, ScalesOf(tensor));
  if (found.size() != expected.size()) return nullptr;
  const auto [it, is_new] = position_.try_emplace(name, compared_.size());
  if (is_new) {
    compared_.emplace_back();
    compared_.back().name = name;
    counts_.emplace_back();
  }
  compared_[it->second].is_float = IsFloat(tensor.dtype);
  compared_[it->second].similarity.Add(expected.data(), found.data(), found.size());
  return &compared_[it->second];
}

std::vector<ComparedTensor> Comparer::TakeCompared() {
  for (size_t i = 0; i < compared_.size(); ++i) {
    const Count& count = counts_[i];
    if (count.all > 0)
      compared_[i].clipped_share = static_cast<double>(count.clipped) / static_cast<double>(count.all);
  }
  return std::move(compared_);
}

std::vector<float> Comparer::Scaled(const TensorView& tensor, const std::vector<float>& expected,
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

const std::vector<float>& Comparer::ScalesOf(const TensorView& tensor) const {
  static const std::vector<float> kNone;
  const auto it = scales_.find(tensor.name);
  return it == scales_.end() ? kNone : it->second;
}

void Comparer::Observe(const TensorView& tensor, const std::vector<float>& expected,
                       ComparedTensor* compared) {
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
  Count& count = counts_[position_.at(compared->name)];
  count.all += expected.size();
  count.clipped += clipped;
}

}  // namespace micrort::report
