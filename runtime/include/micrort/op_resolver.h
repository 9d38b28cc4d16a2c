#pragma once
// Which operators an interpreter can run. A program that names only the operators of its model links only
// these.

#include <cstddef>

#include "kernels/base/status.h"

extern "C" {
struct micrort_custom_op;  // micrort/custom_op.h
}

namespace micrort {

struct OpRegistration;

// One function an operator, each in its own object file.
namespace ops {
const OpRegistration& Conv2D();
const OpRegistration& DepthwiseConv2D();
const OpRegistration& ConvTranspose2D();
const OpRegistration& MatMul();
const OpRegistration& Pool2D();
const OpRegistration& Unary();
const OpRegistration& Binary();
const OpRegistration& Reduce();
const OpRegistration& Softmax();
const OpRegistration& Transpose();
const OpRegistration& Reshape();
const OpRegistration& Concat();
const OpRegistration& Slice();
const OpRegistration& Pad();
const OpRegistration& Gather();
const OpRegistration& Resize();
const OpRegistration& Cast();
const OpRegistration& Quantize();
const OpRegistration& Dequantize();
const OpRegistration& Select();
const OpRegistration& Shape();
const OpRegistration& Expand();
const OpRegistration& Tile();
const OpRegistration& If();
const OpRegistration& Loop();
const OpRegistration& GridSample();
const OpRegistration& RoiAlign();
const OpRegistration& Random();
const OpRegistration& Fourier();
const OpRegistration& Range();
const OpRegistration& Recurrent();
const OpRegistration& Attention();
const OpRegistration& Normalize();
const OpRegistration& GatherND();
const OpRegistration& ScatterND();
const OpRegistration& GatherElements();
const OpRegistration& ScatterElements();
const OpRegistration& TopK();
const OpRegistration& CumulativeSum();
const OpRegistration& NonZero();
const OpRegistration& Unique();
const OpRegistration& NonMaxSuppression();
const OpRegistration& Custom();
}  // namespace ops

// A table from operator code to implementation. Copyable; holds pointers to static data only.
//   OpResolver resolver;
//   resolver.AddConv2D().AddSoftmax();
class OpResolver {
 public:
  OpResolver& Add(const OpRegistration& registration);

  OpResolver& AddConv2D() { return Add(ops::Conv2D()); }
  OpResolver& AddDepthwiseConv2D() { return Add(ops::DepthwiseConv2D()); }
  OpResolver& AddConvTranspose2D() { return Add(ops::ConvTranspose2D()); }
  OpResolver& AddMatMul() { return Add(ops::MatMul()); }
  OpResolver& AddPool2D() { return Add(ops::Pool2D()); }
  OpResolver& AddUnary() { return Add(ops::Unary()); }
  OpResolver& AddBinary() { return Add(ops::Binary()); }
  OpResolver& AddReduce() { return Add(ops::Reduce()); }
  OpResolver& AddSoftmax() { return Add(ops::Softmax()); }
  OpResolver& AddTranspose() { return Add(ops::Transpose()); }
  OpResolver& AddReshape() { return Add(ops::Reshape()); }
  OpResolver& AddConcat() { return Add(ops::Concat()); }
  OpResolver& AddSlice() { return Add(ops::Slice()); }
  OpResolver& AddPad() { return Add(ops::Pad()); }
  OpResolver& AddGather() { return Add(ops::Gather()); }
  OpResolver& AddResize() { return Add(ops::Resize()); }
  OpResolver& AddCast() { return Add(ops::Cast()); }
  OpResolver& AddQuantize() { return Add(ops::Quantize()); }
  OpResolver& AddDequantize() { return Add(ops::Dequantize()); }
  OpResolver& AddSelect() { return Add(ops::Select()); }
  OpResolver& AddShape() { return Add(ops::Shape()); }
  OpResolver& AddExpand() { return Add(ops::Expand()); }
  OpResolver& AddTile() { return Add(ops::Tile()); }
  OpResolver& AddIf() { return Add(ops::If()); }
  OpResolver& AddLoop() { return Add(ops::Loop()); }
  OpResolver& AddGridSample() { return Add(ops::GridSample()); }
  OpResolver& AddRoiAlign() { return Add(ops::RoiAlign()); }
  OpResolver& AddRandom() { return Add(ops::Random()); }
  OpResolver& AddFourier() { return Add(ops::Fourier()); }
  OpResolver& AddRange() { return Add(ops::Range()); }
  OpResolver& AddRecurrent() { return Add(ops::Recurrent()); }
  OpResolver& AddAttention() { return Add(ops::Attention()); }
  OpResolver& AddNormalize() { return Add(ops::Normalize()); }
  OpResolver& AddGatherND() { return Add(ops::GatherND()); }
  OpResolver& AddScatterND() { return Add(ops::ScatterND()); }
  OpResolver& AddGatherElements() { return Add(ops::GatherElements()); }
  OpResolver& AddScatterElements() { return Add(ops::ScatterElements()); }
  OpResolver& AddTopK() { return Add(ops::TopK()); }
  OpResolver& AddCumulativeSum() { return Add(ops::CumulativeSum()); }
  OpResolver& AddNonZero() { return Add(ops::NonZero()); }
  OpResolver& AddUnique() { return Add(ops::Unique()); }
  OpResolver& AddNonMaxSuppression() { return Add(ops::NonMaxSuppression()); }

  // An operator of the program's own, which must outlive every copy of the resolver. Of two with one domain
  // and name, the last one added counts. At most kMaxCustomOps; a model that has custom operators is refused
  // by a resolver that was given more.
  OpResolver& AddCustom(const micrort_custom_op& op);

  // Null if there is none.
  const OpRegistration* Find(int op_code) const {
    return op_code >= 0 && op_code < kMaxOps ? table_[op_code] : nullptr;
  }
  // Null if there is none, or if there are too many.
  const micrort_custom_op* FindCustom(const char* domain, const char* name) const;

  // For those who look at models and do not run them: a custom operator that was not added has the outputs
  // that the model states, and is an error in Run() only.
  OpResolver& TakeUnknownCustom();
  bool takes_unknown_custom() const { return takes_unknown_custom_; }

  static constexpr size_t kMaxCustomOps = 32;

 private:
  static constexpr int kMaxOps = 64;
  const OpRegistration* table_[kMaxOps] = {};
  const micrort_custom_op* custom_[kMaxCustomOps] = {};
  size_t custom_count_ = 0;  // of those added, however many there is room for
  bool takes_unknown_custom_ = false;
};

// Every operator of this library. Using it links them all.
const OpResolver& AllOps();

}  // namespace micrort
