// Layers with weights.

#include "converter/aot/step_printer.h"
#include "kernels/conv2d/algorithm_ids.h"
#include "runtime/ops/layer_operands.h"

namespace micrort::aot {
namespace {

// By number.
struct AlgorithmName {
  const char* header;
  const char* name;
};
constexpr AlgorithmName kAlgorithmNames[] = {
#define MICRORT_CONV2D(algorithm, number, builds, name, family, header) {"kernels/" header, #algorithm},
#include "kernels/conv2d/algorithms.inc"
#undef MICRORT_CONV2D
};

}  // namespace

// The parts that the layer needs beside its algorithm.
void StepPrinter::LinkLayer(const ConvCall& call) {
  const LayerTypes& types = call.params.types;
  if (call.in_place.workers != 0) Link("kernels/conv_call/conv_call.h", "RunConvInPlace");
  if (types.is_float() && types.weights == DType::kInt4)
    Link("kernels/gemm/dequantize_weights.h", "DequantizeWeightsS4Of");
  if (!types.is_s8()) return;
  if (types.dynamic) Link("kernels/layer_s8/dynamic_input_s8.h", "MakeDynamicInput");
  if (types.weights == DType::kInt4) Link("kernels/gemm/widen_int4.h", "WidenInt4");
  if (types.y == DType::kFloat32) Link("kernels/layer_s8/float_output_s8.h", "MakeFloatOutputS8");
  if (types.y == DType::kInt8) {
    Link("kernels/gemm/requantize.h",
         types.rounding == Rounding::kTflite ? "RequantizeFixedKernels" : "RequantizeKernels");
  }
}

std::string StepPrinter::Algorithm(const ConvCall& call) {
  LinkLayer(call);
  const AlgorithmName& found = kAlgorithmNames[static_cast<size_t>(IdOf(*call.algorithm)) - 1];
  Include(found.header);
  return std::string("&micrort::") + found.name;
}

void StepPrinter::ConvConstant(const std::string& name, const ConvCall& call) {
  Include("kernels/conv_call/conv_call.h");
  Constant("ConvCall", name, call, {{"algorithm", Algorithm(call)}});
}

// Packed weights, bias, residual and slopes, as runtime/program/run_conv.cpp does; `operands` are x, weights,
// bias, residual, slopes, or the first of these.
Status StepPrinter::PrintConvTensors(const std::string& name, int32_t node, Span<const int32_t> operands) {
  const auto has = [&](size_t i) { return i < operands.size() && operands[i] >= 0; };
  size_t packed = 0;
  MICRORT_RETURN_IF_ERROR(program_.AddPacked(graph_.node(node), 0, &packed));
  Line(name + ".packed = m.constants + " + std::to_string(packed) + ";");
  if (has(2) && graph_.tensor(operands[2]).dtype == DType::kFloat32)
    Line(name + ".bias = reinterpret_cast<const float*>(" + Data(operands[2]) + ");");
  if (has(3)) Line(name + ".residual = " + Data(operands[3]) + ";");
  if (has(4)) Line(name + ".slopes = reinterpret_cast<const float*>(" + Data(operands[4]) + ");");
  return Status();
}

Status StepPrinter::PrintConv() {
  const ConvCall& call = graph_.program().convs[static_cast<size_t>(step_.parameters)];
  ConvConstant("kCall", call);
  Line("micrort::ConvTensors tensors = {};");
  Line("tensors.x = " + In(0) + ";");
  MICRORT_RETURN_IF_ERROR(PrintConvTensors("tensors", step_.node, step_.inputs));
  Line("tensors.y = " + Out() + ";");
  Line("tensors.scratch = " + Scratch() + ";");
  Line("tensors.y_stride = " + Literal(graph_.program().view(step_.outputs[0]).strides[2]) + ";");
  Line("micrort::RunConvCall(kCall, tensors, " + Parallel() + ");");
  return Status();
}

Status StepPrinter::PrintStripes() {
  const ConvStripes& stripes = graph_.program().stripes[static_cast<size_t>(step_.parameters)];
  const auto layers = static_cast<size_t>(step_.node_end - step_.node);
  Include("kernels/conv_call/conv_chain.h");
  std::vector<std::pair<std::string, std::string>> algorithms;
  for (size_t i = 0; i < layers; ++i) {
    algorithms.emplace_back("layers[" + std::to_string(i) + "].algorithm", Algorithm(stripes.plan.layers[i]));
  }
  Constant("ConvChain", "kChain", stripes.plan, algorithms);
  const std::string count = std::to_string(layers);
  Line("micrort::ConvTensors tensors[" + count + "] = {};");
  for (size_t i = 0; i < layers; ++i) {
    const Span<const int32_t> operands(stripes.inputs.data() + i * kConvOperands, kConvOperands);
    const std::string name = "tensors[" + std::to_string(i) + "]";
    const auto node = step_.node + static_cast<int32_t>(i);
    MICRORT_RETURN_IF_ERROR(PrintConvTensors(name, node, operands));
  }
  Line("tensors[0].x = " + Data(stripes.inputs[0]) + ";");
  Line("tensors[" + std::to_string(layers - 1) + "].y = " + Out() + ";");
  Line("kChain.Run(tensors, " + Scratch() + ", " + Parallel() + ");");
  return Status();
}

// As runtime/ops/recurrent.cpp reads them: x, weights, bias, lengths, initial h, initial c, peepholes.
Status StepPrinter::PrintRecurrent(const RecurrentCall& call) {
  Include("kernels/recurrent/recurrent.h");
  Constant("RecurrentCall", "kCall", call);
  Line("micrort::RecurrentTensors tensors = {};");
  const auto point = [this](size_t operand, const char* type, const char* field) {
    if (Has(operand))
      Line(std::string("tensors.") + field + " = reinterpret_cast<const " + type + "*>(" + In(operand) +
           ");");
  };
  point(0, "float", "x");
  point(2, "float", "bias");
  point(3, "int32_t", "lengths");
  point(4, "float", "initial_h");
  point(5, "float", "initial_c");
  point(6, "float", "peepholes");
  const char* const outputs[] = {"y", "h", "c"};
  for (size_t i = 0; i < step_.outputs.size(); ++i) {
    Line(std::string("tensors.") + outputs[i + (call.last_only ? 1 : 0)] + " = reinterpret_cast<float*>(" +
         Out(i) + ");");
  }
  Line("micrort::RecurrentWeights weights = {};");
  for (int i = 0; i < call.params.matrices() && call.constant_weights; ++i) {
    size_t packed = 0;
    MICRORT_RETURN_IF_ERROR(program_.AddPacked(graph_.node(step_.node), i, &packed));
    Line("tensors.packed[" + std::to_string(i) + "] = reinterpret_cast<const float*>(m.constants + " +
         std::to_string(packed) + ");");
  }
  if (!call.constant_weights) {
    const QuantizationView& q = InTensor(1).quantization;
    Line("weights.data = " + In(1) + ";");
    Line("weights.type = static_cast<micrort::DType>(" + Literal(static_cast<int>(InTensor(1).dtype)) + ");");
    Line("weights.scales = " + ConstantArray("float", q.scales, q.count) + ";");
    Line("weights.scale_stride = " + std::string(q.count > 1 ? "1" : "0") + ";");
  }
  if (Has(3)) {
    FailUnless("micrort::FindBadLength(kCall.params, tensors.lengths) == kCall.params.batch",
               "a length is outside of the sequence");
  }
  Line("micrort::RunRecurrentCall(kCall, weights, tensors, " + Scratch() + ", " + Parallel() + ");");
  return Status();
}

// Data, scales and integer bias of weights that are packed in each run.
void StepPrinter::PrintRunWeights(int64_t columns) {
  const QuantizationView& q = InTensor(1).quantization;
  Line("weights.data = " + In(1) + ";");
  if (!q.empty()) {
    PrintScales("weights", InTensor(1));
    Line("weights.scale_stride = " + Literal(ScaleStride(q, columns)) + ";");
    Line("weights.group = " + Literal(q.group) + ";");
  }
  if (Has(2) && InTensor(2).dtype == DType::kInt32)
    Line("weights.bias = reinterpret_cast<const int32_t*>(" + In(2) + ");");
  if (Has(2) && InTensor(2).dtype == DType::kInt64)
    Line("weights.wide_bias = reinterpret_cast<const int64_t*>(" + In(2) + ");");
}

// As runtime/ops/conv_op.cpp runs it.
void StepPrinter::PrintConvLayer(const ConvLayerCall& call) {
  Include("kernels/mat_mul/conv_layer.h");
  Constant("ConvLayerCall", "kCall", call, {{"layer.algorithm", Algorithm(call.layer)}});
  Line("micrort::ConvWeights weights = {};");
  Line("weights.column_stride = kCall.column_stride;");
  Line("weights.depth_stride = kCall.depth_stride;");
  PrintRunWeights(call.layer.params.out_c);
  Line("micrort::ConvTensors tensors = {};");
  Line("tensors.x = " + In(0) + ";");
  if (Has(2) && InTensor(2).dtype == DType::kFloat32)
    Line("tensors.bias = reinterpret_cast<const float*>(" + In(2) + ");");
  if (Has(3)) Line("tensors.residual = " + In(3) + ";");
  if (Has(4)) Line("tensors.slopes = reinterpret_cast<const float*>(" + In(4) + ");");
  Line("tensors.y = " + Out() + ";");
  Line("tensors.scratch = " + Scratch() + ";");
  Line("micrort::RunConvLayer(kCall.layer, weights, 0, tensors, " + Parallel() + ");");
}

// b may be an input, which is then packed in each run.
Status StepPrinter::PrintMatMul(const MatMulCall& call) {
  Include("kernels/mat_mul/mat_mul.h");
  if (call.is_plain) {
    if (call.layer.params.types.is_s16()) {
      Link("kernels/layer_s16/product_s16.h", "RunProductS16");
    } else {
      Link("kernels/gemm/plain_product.h", "RunPlainProduct");
    }
    Constant("MatMulCall", "kCall", call);
  } else {
    Constant("MatMulCall", "kCall", call, {{"layer.algorithm", Algorithm(call.layer)}});
  }
  const bool packs_now = call.is_plain || !call.layer.constant_weights;
  Line("micrort::ConvWeights weights = {};");
  if (packs_now) {
    Line("micrort::SetMatrixStrides(kCall, &weights);");
    PrintRunWeights(call.layer.params.out_c);
  }
  Line("micrort::ConvTensors tensors = {};");
  Line("tensors.x = " + In(0) + ";");
  if (packs_now) {
    if (Has(2) && InTensor(2).dtype == DType::kFloat32)
      Line("tensors.bias = reinterpret_cast<const float*>(" + In(2) + ");");
    if (Has(3)) Line("tensors.residual = " + In(3) + ";");
    if (Has(4)) Line("tensors.slopes = reinterpret_cast<const float*>(" + In(4) + ");");
  } else {
    MICRORT_RETURN_IF_ERROR(PrintConvTensors("tensors", step_.node, step_.inputs));
  }
  Line("tensors.y = " + Out() + ";");
  Line("tensors.scratch = " + Scratch() + ";");
  Line("micrort::RunMatMul(kCall, weights, tensors, " + Parallel() + ");");
  return Status();
}

}  // namespace micrort::aot
