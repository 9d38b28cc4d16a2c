#pragma once
// Runs one operator on tensors given in a test.
//
//   OpTester op(ops::Transpose(), TransposeOptionsT{...});
//   op.Input<float>(Shape::Of(2, 3), {1, 2, 3, 4, 5, 6});
//   ASSERT_TRUE(op.Run().ok());
//   EXPECT_EQ(op.Output<float>(), ...);

#include <cstring>
#include <deque>
#include <vector>

#include "kernels/base/cpu_features.h"
#include "runtime/interpreter/single_op.h"
#include "runtime/ops/body.h"
#include "runtime/ops/op.h"
#include "schema/micrort_generated.h"

namespace micrort::testing {

class OpTester {
 public:
  template <typename OptionsT>
  OpTester(const OpRegistration& registration, OptionsT options,
           schema::Rounding rounding = schema::Rounding::Exact)
      : registration_(registration) {
    schema::OperatorT op;
    op.rounding = rounding;
    op.code = static_cast<schema::OpCode>(registration.code);
    op.options.Set(std::move(options));
    Pack(op);
    AddOutput();
  }

  template <typename T>
  OpTester& Input(const Shape& shape, const std::vector<T>& values) {
    Entry& entry = tensors_.emplace_back();
    entry.tensor.name = "input";
    entry.tensor.dtype = kDTypeOf<T>;
    entry.tensor.shape = shape;
    entry.bytes.resize(values.size() * sizeof(T) + kGuard);
    if (!values.empty()) std::memcpy(entry.bytes.data(), values.data(), values.size() * sizeof(T));
    entry.tensor.data = entry.bytes.data();
    inputs_.push_back(&entry.tensor);
    return *this;
  }
  // An input whose values prepare may read.
  template <typename T>
  OpTester& Known(const Shape& shape, const std::vector<T>& values) {
    Input(shape, values);
    inputs_.back()->contents = Contents::kFixed;
    return *this;
  }
  // A constant of the model file.
  template <typename T>
  OpTester& Constant(const Shape& shape, const std::vector<T>& values) {
    Known(shape, values);
    inputs_.back()->constant = true;
    return *this;
  }
  OpTester& Known(const std::vector<int64_t>& values) { return Known(Shape::Of(values.size()), values); }
  OpTester& Absent() {
    inputs_.push_back(nullptr);
    return *this;
  }
  // Of the input or output added last. InputType: of elements that have the same size, bool instead of
  // uint8_t.
  OpTester& Quantized(float scale, int32_t zero_point) {
    return Quantize(*inputs_.back(), {scale}, {zero_point}, -1);
  }
  OpTester& QuantizedAlong(int axis, const std::vector<float>& scales) {
    return Quantize(*inputs_.back(), scales, std::vector<int32_t>(scales.size()), axis);
  }
  OpTester& QuantizedInGroups(int axis, const std::vector<float>& scales, int32_t group,
                              const std::vector<int32_t>& zero_points = {}) {
    Quantize(*inputs_.back(), scales, zero_points.empty() ? std::vector<int32_t>(scales.size()) : zero_points,
             axis);
    inputs_.back()->quantization.group = group;
    return *this;
  }
  // Scales as halves and zero points as int4, as files hold those of int4 constants.
  OpTester& WithNarrowGrid();
  OpTester& OutputQuantized(float scale, int32_t zero_point) {
    return Quantize(*outputs_.back(), {scale}, {zero_point}, -1);
  }
  OpTester& InputType(DType dtype) {
    inputs_.back()->dtype = dtype;
    return *this;
  }
  OpTester& OutputType(DType dtype) {
    outputs_.back()->dtype = dtype;
    return *this;
  }
  OpTester& AddOutput() {
    Entry& entry = tensors_.emplace_back();
    entry.tensor.name = "output";
    outputs_.push_back(&entry.tensor);
    return *this;
  }
  // A graph of the operator's own; it stays as long as this object.
  OpTester& Body(BodyPlan& body) {
    bodies_.push_back(&body);
    return *this;
  }
  OpTester& Features(CpuFeatures features) {
    features_ = features;
    return *this;
  }

  Status Infer();
  // kInternal if the operator wrote past the end of an output.
  Status Run();

  const PrepareResult& result() const { return single_.result(); }
  const Shape& OutputShape(size_t i = 0) const { return outputs_[i]->shape; }
  Extents OutputExtents(size_t i = 0) const { return outputs_[i]->extents; }
  DType OutputDType(size_t i = 0) const { return outputs_[i]->dtype; }
  // Empty if T is not the element type.
  template <typename T>
  std::vector<T> Output(size_t i = 0) const {
    const Tensor& t = *outputs_[i];
    if (t.dtype != kDTypeOf<T>) return {};
    return std::vector<T>(t.as<T>(), t.as<T>() + t.elements());
  }

 private:
  static constexpr size_t kGuard = 64;
  static constexpr uint8_t kGuardByte = 0xa5;

  struct Entry {
    Tensor tensor;
    std::vector<uint8_t> bytes;
    std::vector<float> scales;
    std::vector<int32_t> zero_points;
    std::vector<uint16_t> half_scales;
    std::vector<uint8_t> int4_zero_points;
  };

  void Pack(const schema::OperatorT& op);
  OpTester& Quantize(Tensor& tensor, const std::vector<float>& scales,
                     const std::vector<int32_t>& zero_points, int axis);
  bool GuardIntact(const Entry& entry) const;

  const OpRegistration& registration_;
  flatbuffers::FlatBufferBuilder builder_;
  CpuFeatures features_ = ~CpuFeatures{0};
  SingleOp single_;
  std::deque<Entry> tensors_;  // addresses stay
  std::vector<Tensor*> inputs_;
  std::vector<Tensor*> outputs_;
  std::vector<BodyPlan*> bodies_;
};

}  // namespace micrort::testing
