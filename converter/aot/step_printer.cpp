#include "converter/aot/step_printer.h"

#include "converter/aot/open_step_printer.h"
#include "converter/aot/print_steps.h"
#include "converter/aot/sampling_fields.h"
#include "runtime/ops/concat_part.h"

namespace micrort::aot {

namespace {

const char* PoolPart(PoolFunction function) {
  switch (function) {
    case PoolFunction::kMaxF32:
    case PoolFunction::kAverageF32:
      return "PoolF32Kernels";
    case PoolFunction::kMaxF16:
    case PoolFunction::kAverageF16:
      return "PoolF16Kernels";
    case PoolFunction::kMaxS8:
    case PoolFunction::kAverageS8:
      return "PoolS8Kernels";
    case PoolFunction::kMaxS16:
    case PoolFunction::kAverageS16:
      return "PoolS16Kernels";
    case PoolFunction::kMaxU8:
      break;
  }
  return "PoolU8Kernels";
}

}  // namespace

// What each call of kernels/ looks like.
struct StepPrinter::CallPrinter {
  StepPrinter& p;

  Status operator()(NoKernelCall) const {
    return MICRORT_ERROR(kUnsupported, "C++ cannot be emitted for it yet");
  }
  // Layers of constant weights are steps of a kind of their own.
  Status operator()(const ConvCall*) const { return p.PrintConv(); }
  Status operator()(const ConvLayerCall* call) const {
    p.PrintConvLayer(*call);
    return Status();
  }
  Status operator()(const MatMulCall* call) const { return p.PrintMatMul(*call); }
  // Data decide sizes wherever these are.
  Status operator()(const NonZeroCall*) const { return p.PrintOpen(); }
  Status operator()(const UniqueCall*) const { return p.PrintOpen(); }
  Status operator()(const NmsParams*) const { return p.PrintOpen(); }

  Status operator()(const Pool2DCall* call) const {
    p.Include("kernels/pool/pool2d.h");
    p.Link("kernels/pool/pool.h", PoolPart(call->function));
    p.Constant("Pool2DCall", "kCall", *call);
    p.Line("micrort::RunPool2DCall(kCall, " + p.In(0) + ", " + p.Out() + ", " + p.Scratch() + ", " +
           p.Parallel() + ");");
    return Status();
  }

  Status operator()(const BinaryTask* task) const {
    p.PrintTask(*task, "task");
    const std::string run =
        "micrort::RunBinary(task, " + p.In(0) + ", " + p.In(1) + ", " + p.Out() + ", " + p.Parallel() + ")";
    if (task->in_64_bits == nullptr) {
      p.Line(run + ";");
    } else {
      p.FailUnless(run, "integer division by zero");
    }
    return Status();
  }

  Status operator()(const UnaryTask* task) const {
    p.PrintTask(*task, "task");
    p.Line("micrort::RunUnary(task, " + p.In(0) + ", " + p.Out() + ", " +
           std::to_string(p.InTensor(0).elements()) + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const IfCall*) const { return p.PrintIf(); }
  Status operator()(const LoopCall* call) const { return p.PrintLoop(*call); }
  Status operator()(const RecurrentCall* call) const { return p.PrintRecurrent(*call); }

  Status operator()(const SelectCall* call) const {
    p.Include("kernels/elementwise/select.h");
    p.Constant("BroadcastPlan", "kPlan", call->plan);
    p.Line("micrort::SelectElements(kPlan, " + std::to_string(call->element_bytes) + ", " + p.In(0) + ", " +
           p.In(1) + ", " + p.In(2) + ", " + p.Out() + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const TopKParams* params) const {
    p.Include("kernels/sort/top_k.h");
    p.Constant("TopKParams", "kParams", *params);
    p.Line("micrort::RunTopK(kParams, " + p.In(0) + ", " + p.Out() + ", reinterpret_cast<int64_t*>(" +
           p.Out(1) + "), " + p.Scratch() + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const SoftmaxCall* call) const {
    p.Link("kernels/elementwise/softmax.h", call->dtype == DType::kInt16          ? "SoftmaxS16"
                                            : call->rounding == Rounding::kTflite ? "SoftmaxFixed"
                                            : call->dtype == DType::kFloat32      ? "SoftmaxF32"
                                                                                  : "SoftmaxNarrow");
    p.Constant("SoftmaxCall", "kCall", *call);
    p.Line("micrort::RunSoftmax(kCall, " + p.In(0) + ", " + p.Out() + ", " + p.Scratch() + ", " +
           p.Parallel() + ");");
    return Status();
  }

  Status operator()(const MoveCall* call) const {
    p.Include("kernels/copy/move_bytes.h");
    p.Constant("MoveCall", "kCall", *call);
    p.Line("micrort::RunMoveCall(kCall, " + p.In(0) + ", " + p.Out() + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const CopyCall* call) const {
    p.Include("kernels/copy/strided_copy.h");
    p.Constant("CopyCall", "kCall", *call);
    p.Line("micrort::CopyCall call = kCall;");
    if (call->copy.tile_kernel != nullptr) {
      p.Line("call.copy.tile_kernel = micrort::SelectTransposeTile(kCall.copy.block_bytes, " + p.Features() +
             ");");
    }
    p.Line("micrort::RunCopyCall(call, " + p.In(0) + ", " + p.Out() + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const GatherCall* call) const {
    p.PrintGather(*call);
    return Status();
  }

  Status operator()(const GatherNDCall* call) const {
    p.Include("kernels/index/gather_nd.h");
    p.Constant("GatherNDCall", "kCall", *call);
    return Indexed(
        "RunGatherND(kCall, " + p.In(0) + ", " + p.In(1) + ", " + p.Out() + ", " + p.Parallel() + ")",
        call->plan.indices());
  }

  Status operator()(const GatherElementsCall* call) const {
    p.Include("kernels/index/gather_elements.h");
    p.Constant("GatherElementsCall", "kCall", *call);
    return Indexed("RunGatherElements(kCall, " + p.In(0) + ", " + p.In(1) + ", " + p.Out() + ")",
                   call->count);
  }

  Status operator()(const ScatterNDCall* call) const {
    p.Constant("ScatterNDCall", "kCall", *call);
    return Scatter("RunScatterND", call->plan.indices());
  }

  Status operator()(const ScatterElementsCall* call) const {
    p.Constant("ScatterElementsCall", "kCall", *call);
    return Scatter("RunScatterElements", call->count);
  }

  Status Scatter(const std::string& function, size_t indices) const {
    p.Include("kernels/index/scatter.h");
    return Indexed(function + "(kCall, " + p.In(0) + ", " + p.In(1) + ", " + p.In(2) + ", " + p.Out() + ")",
                   indices);
  }

  // The call gives the position of the first wrong one of so many indices.
  Status Indexed(const std::string& call, size_t indices) const {
    p.FailUnless("micrort::" + call + " == " + std::to_string(indices), "an index is outside of the data");
    return Status();
  }

  Status operator()(const CumulativeSumParams* params) const {
    p.Include("kernels/reduce/cumulative_sum.h");
    p.Constant("CumulativeSumParams", "kParams", *params);
    p.Line("micrort::RunCumulativeSum(kParams, " + p.In(0) + ", " + p.Out() + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const FourierAxis* axis) const {
    p.Include("kernels/fourier/transform_axis.h");
    p.Constant("FourierAxis", "kAxis", *axis);
    p.Line("micrort::TransformAxis(kAxis, " + Floats(0) + ", " + Floats(1) + ", reinterpret_cast<float*>(" +
           p.Out() + "), " + p.Scratch() + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const GridSampleParams* params) const {
    p.Include("kernels/sample/grid_sample.h");
    p.Constant("GridSampleParams", "kParams", *params);
    p.Line("micrort::GridSample(kParams, " + Floats(0) + ", " + Floats(1) + ", reinterpret_cast<float*>(" +
           p.Out() + "), " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const RoiAlignParams* params) const {
    p.Include("kernels/sample/roi_align.h");
    p.Constant("RoiAlignParams", "kParams", *params);
    p.Line("int64_t* const images = reinterpret_cast<int64_t*>(" + p.Scratch() + ");");
    p.FailUnless("micrort::ReadRoiImages(kParams, " + TypeText(p.InTensor(2).dtype) + ", " + p.In(2) +
                     ", images) == kParams.rois",
                 "a batch index is outside of the batch");
    p.FailUnless("micrort::FindBadRoi(kParams, " + Floats(1) + ") == kParams.rois",
                 "a roi is too large or not finite");
    p.Line("micrort::RoiAlign(kParams, " + Floats(0) + ", " + Floats(1) +
           ", images, reinterpret_cast<float*>(" + p.Out() + "), " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const ResizeCall* call) const {
    p.Include("kernels/resize/resize.h");
    p.Constant("ResizeCall", "kCall", *call);
    p.Line("micrort::RunResize(kCall, " + p.In(0) + ", " + p.Out() + ", " + p.Scratch() + ", " +
           p.Parallel() + ");");
    return Status();
  }

  Status operator()(const PadCall* call) const {
    p.Include("kernels/copy/pad.h");
    p.Constant("PadCall", "kCall", *call);
    const size_t kValue = 2;
    p.Line("micrort::Pad(kCall.params, " + p.In(0) + ", " + (p.Has(kValue) ? p.In(kValue) : "kCall.value") +
           ", " + p.Out() + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const ConcatCall* call) const {
    p.PrintConcat(*call);
    return Status();
  }

  Status operator()(const ConvertCall* call) const {
    p.PrintConvert(*call);
    return Status();
  }

  Status operator()(const CastCall* call) const {
    p.Include("kernels/elementwise/cast.h");
    p.Constant("CastCall", "kCall", *call);
    p.Line("micrort::RunCast(kCall, " + p.In(0) + ", " + p.Out() + ", " +
           std::to_string(p.InTensor(0).elements()) + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const ReduceTask* task) const {
    if (task->is_s16) {
      p.Include("kernels/reduce/reduce_s16.h");
      p.Constant("ReducePlan", "kPlan", task->params.plan);
      p.Constant("FixedMultiplier", "kBy", task->by);
      p.Line("micrort::ReduceS16(kPlan, kBy, reinterpret_cast<const int16_t*>(" + p.In(0) +
             "), reinterpret_cast<int16_t*>(" + p.Out() + "), " + p.Parallel() + ");");
      return Status();
    }
    p.Include("kernels/reduce/reduce.h");
    p.Constant("ReduceParams", "kParams", task->params);
    p.Line("micrort::ReduceTask task;");
    p.Line("micrort::PlanReduceTask(kParams, " + p.Features() + ", &task);");
    p.Line("micrort::RunReduce(task, " + p.In(0) + ", " + p.Out() + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const ArgReduceCall* call) const {
    p.Include("kernels/reduce/arg_reduce.h");
    p.Constant("ArgReduceCall", "kCall", *call);
    p.Line("micrort::RunArgReduce(kCall.params, kCall.convert, " + p.In(0) + ", reinterpret_cast<int64_t*>(" +
           p.Out() + "), " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const NormalizeTask* task) const {
    p.Include("kernels/normalize/normalize.h");
    p.Constant("NormalizeTask", "kTask", *task);
    p.Line("const micrort::NormalizeTensors tensors = {" + Floats(0) + ", " + Floats(1) + ", " + Floats(2) +
           ", reinterpret_cast<float*>(" + p.Out() + ")};");
    p.Line("micrort::Normalize(kTask, tensors, " + p.Scratch() + ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const AttentionParams* params) const {
    p.Include("kernels/attention/attention.h");
    p.Constant("AttentionParams", "kParams", *params);
    constexpr size_t kSinks = 5;
    if (params->softcap != 0 || params->sinks)
      p.Line("static_assert(micrort::kHasSoftcaps, \"kernels without a heap have no softcaps and sinks\");");
    p.Line("const micrort::AttentionTensors tensors = {" + Floats(0) + ", " + Floats(1) + ", " + Floats(2) +
           ", " + Floats(3) + ", reinterpret_cast<float*>(" + p.Out() + "), 0, " + Floats(kSinks) + "};");
    p.Line("micrort::Attention(kParams, tensors, " + p.Scratch() + ", " + p.Parallel() + ");");
    return Status();
  }

  std::string Floats(size_t operand) const {
    return p.Has(operand) ? "reinterpret_cast<const float*>(" + p.In(operand) + ")" : "nullptr";
  }
};

Status StepPrinter::PrintOpen() {
  OpenStepPrinter printer(&program_, graph_, step_);
  MICRORT_RETURN_IF_ERROR(printer.Print());
  Take(printer);
  return Status();
}

Status StepPrinter::Print() {
  if (const auto* custom = graph_.node(step_.node).source->options_as_CustomOptions(); custom != nullptr)
    return PrintCustom(*custom);
  if (step_.data_dependent) return PrintOpen();
  switch (step_.call) {
    case CallKind::kConv:
      return PrintConv();
    case CallKind::kConvStripes:
      return PrintStripes();
    case CallKind::kElementwise:
      return PrintElementwise();
    case CallKind::kOperator:
      break;
  }
  return graph_.node(step_.node).prepared.call.Visit(CallPrinter{*this});
}

void StepPrinter::PrintConcat(const ConcatCall& call) {
  if (call.interleaves) {
    Include("kernels/copy/interleave.h");
    std::string sources;
    for (size_t i = 0; i < step_.inputs.size(); ++i) sources += (i == 0 ? "" : ", ") + In(i);
    Line("const void* const sources[] = {" + sources + "};");
    Line("micrort::Interleave(" + std::to_string(SizeOf(InTensor(0).dtype)) + ", sources, " +
         std::to_string(InTensor(0).elements()) + ", " + Out() + ", " + Parallel() + ");");
    return;
  }
  Include("kernels/copy/concat.h");
  int64_t column = 0;
  for (size_t i = 0; i < step_.inputs.size(); ++i) {
    const ConcatPart part = PartOf(InTensor(i), graph_.tensor(step_.outputs[0]), call.axis, column);
    const std::string name = "kPart" + std::to_string(i);
    Constant("ConcatPart", name, part);
    Line("micrort::RunConcatPart(" + name + ", " + In(i) + ", " + Out() + ", " + Parallel() + ");");
    column += part.cols;
  }
}

void StepPrinter::PrintConvert(const ConvertCall& call) {
  Include("kernels/elementwise/quantize.h");
  Constant("ConvertCall", "kCall", call);
  Line("micrort::ConvertCall call = kCall;");
  Line("call.scales = " + ConstantArray("float", call.scales, call.slices.slices) + ";");
  Line("call.zero_points = " + ConstantArray("int32_t", call.zero_points, call.slices.slices) + ";");
  Line("micrort::RunConvert(call, " + In(0) + ", " + Out() + ", " + Parallel() + ");");
}

}  // namespace micrort::aot
