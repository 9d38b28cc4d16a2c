#include "runtime/program/run_conv.h"

namespace micrort {

namespace {

// All but y and scratch; `operands` are x, weights, bias, residual, slopes, or the first of these.
ConvTensors ReadOperands(Span<const int32_t> operands, const Tensor* tensors, const void* packed) {
  const auto operand = [&](size_t i) {
    return i < operands.size() && operands[i] >= 0 ? &tensors[operands[i]] : nullptr;
  };
  const Tensor* bias = operand(2);
  const Tensor* residual = operand(3);
  const Tensor* slopes = operand(4);
  ConvTensors result = {};
  result.x = operand(0)->data;
  result.packed = packed;
  // A bias of integers is packed with the weights.
  result.bias = bias != nullptr && bias->dtype == DType::kFloat32 ? bias->as<float>() : nullptr;
  result.residual = residual == nullptr ? nullptr : residual->data;
  result.slopes = slopes == nullptr ? nullptr : slopes->as<float>();
  return result;
}

void RunOne(const Program& program, const Step& step, const CallMemory& memory, const Parallel& parallel) {
  const ConvCall& call = program.convs[static_cast<size_t>(step.parameters)];
  const View& y = program.view(step.outputs[0]);
  ConvTensors tensors = ReadOperands(step.inputs, memory.tensors, memory.packed[0]);
  tensors.y = memory.tensors[step.outputs[0]].data;
  tensors.scratch = memory.scratch;
  tensors.y_stride = y.strides[2];
  RunConvCall(call, tensors, parallel);
}

void RunStripes(const Program& program, const Step& step, const CallMemory& memory,
                const Parallel& parallel) {
  const ConvStripes& stripes = program.stripes[static_cast<size_t>(step.parameters)];
  const size_t layers = stripes.inputs.size() / kConvOperands;
  ConvTensors tensors[kMaxConvChain] = {};
  for (size_t i = 0; i < layers; ++i) {
    tensors[i] = ReadOperands({stripes.inputs.data() + i * kConvOperands, kConvOperands}, memory.tensors,
                              memory.packed[i]);
  }
  tensors[layers - 1].y = memory.tensors[step.outputs[0]].data;
  stripes.plan.Run({tensors, layers}, memory.scratch, parallel);
}

}  // namespace

void RunConvStep(const Program& program, const Step& step, const CallMemory& memory,
                 const Parallel& parallel) {
  step.call == CallKind::kConv ? RunOne(program, step, memory, parallel)
                               : RunStripes(program, step, memory, parallel);
}

}  // namespace micrort
