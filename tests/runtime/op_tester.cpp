#include "tests/runtime/op_tester.h"

#include "kernels/base/half.h"
#include "kernels/base/target.h"
#include "micrort/op_resolver.h"

namespace micrort::testing {

void OpTester::Pack(const schema::OperatorT& op) { builder_.Finish(schema::Operator::Pack(builder_, &op)); }

Status OpTester::Infer() {
  OpResolver resolver;
  resolver.Add(registration_);
  const auto* op = flatbuffers::GetRoot<schema::Operator>(builder_.GetBufferPointer());
  MICRORT_RETURN_IF_ERROR(single_.Init(*op, resolver, AvailableFeatures(features_)));
  single_.SetBodies({bodies_.data(), bodies_.size()});
  return single_.Infer({inputs_.data(), inputs_.size()}, {outputs_.data(), outputs_.size()});
}

Status OpTester::Run() {
  MICRORT_RETURN_IF_ERROR(Infer());
  for (Entry& entry : tensors_) {
    if (entry.tensor.data != nullptr) continue;
    entry.bytes.assign(entry.tensor.bytes() + kGuard, kGuardByte);
    entry.tensor.data = entry.bytes.data();
  }
  MICRORT_RETURN_IF_ERROR(single_.Run({inputs_.data(), inputs_.size()}, {outputs_.data(), outputs_.size()}));
  for (const Entry& entry : tensors_) {
    if (!GuardIntact(entry)) return MICRORT_ERROR(kInternal, "'%s' was overrun", entry.tensor.name);
  }
  return Status();
}

OpTester& OpTester::Quantize(Tensor& tensor, const std::vector<float>& scales,
                             const std::vector<int32_t>& zero_points, int axis) {
  for (Entry& entry : tensors_) {
    if (&entry.tensor != &tensor) continue;
    entry.scales = scales;
    entry.zero_points = zero_points;
    tensor.quantization = {entry.scales.data(), entry.zero_points.data(), scales.size(), axis};
    tensor.grid = Int4Grid::Of(tensor.quantization.scales, nullptr,
                               zero_points.empty() ? nullptr : entry.zero_points.data(), nullptr);
  }
  return *this;
}

OpTester& OpTester::WithNarrowGrid() {
  Tensor& tensor = *inputs_.back();
  for (Entry& entry : tensors_) {
    if (&entry.tensor != &tensor) continue;
    const bool has_zero_points = tensor.grid.has_zero_points();
    for (const float scale : entry.scales) entry.half_scales.push_back(FloatToHalf(scale));
    entry.int4_zero_points.resize((entry.scales.size() + 1) / 2);
    for (size_t i = 0; i < entry.zero_points.size(); ++i) {
      uint8_t& byte = entry.int4_zero_points[i / 2];
      byte = static_cast<uint8_t>(byte | (entry.zero_points[i] & 15) << (i % 2 * 4));
    }
    tensor.quantization.scales = nullptr;
    tensor.quantization.zero_points = nullptr;
    tensor.grid = Int4Grid::Of(nullptr, entry.half_scales.data(), nullptr,
                               has_zero_points ? entry.int4_zero_points.data() : nullptr);
  }
  return *this;
}

bool OpTester::GuardIntact(const Entry& entry) const {
  for (Tensor* output : outputs_) {
    if (output != &entry.tensor) continue;
    // Behind the bound, which the shape of an output whose size data decide may not reach.
    for (size_t i = entry.bytes.size() - kGuard; i < entry.bytes.size(); ++i) {
      if (entry.bytes[i] != kGuardByte) return false;
    }
  }
  return true;
}

}  // namespace micrort::testing
