#include "converter/pipeline/pipeline.h"

#include "converter/ir/infer.h"
#include "converter/passes/constant_folding.h"
#include "converter/passes/inline_branches.h"
#include "converter/passes/pass.h"
#include "converter/passes/passes.h"
#include "converter/qdq/passes.h"
#include "kernels/base/span.h"

namespace micrort::passes {
namespace {

// Say the same with fewer nodes, on the source model's layout. The first one infers shapes, which all others
// rely on.
constexpr Pass kSimplify[] = {
    {"constant_folding", ConstantFolding, true},
    {"inline_branches", InlineBranches},
    {"simplify_bodies", SimplifyBodies},
    {"dead_code", EliminateDeadCode},
    {"common_subexpression", MergeCommonSubexpressions},
    {"remove_identities", RemoveIdentities},
    {"reshape_target", StateReshapeTargets},
    {"merge_reshapes", MergeReshapes},
    {"add_before_reshape", MoveAddBeforeReshape},
    {"merge_constants", MergeConstantOperands},
    {"gather_to_slice", TurnGatherIntoSlice},
    {"slice_of_concat", ReadPartOfConcat},
    {"interleave_concats", InterleaveConcats},
    {"recognize_normalization", RecognizeNormalization},
    {"split_normalized_dims", SplitNormalizedDims},
    {"recognize_activations", RecognizeActivations},
    {"gated_activations", RecognizeGatedActivations},
    {"recognize_prelu", RecognizePRelu},
    {"recognize_gelu", RecognizeGelu},
};

// Image operators have come with Transposes around them; what is between them moves to [N,H,W,C] too.
// Constants that stood on the last dimension's place only now can be folded.
constexpr Pass kLayout[] = {
    {"layout", OptimizeLayout},
    {"remove_identities", RemoveIdentities},
    {"merge_reshapes", MergeReshapes},
    {"common_subexpression", MergeCommonSubexpressions},
};

// Fewer operators for the same arithmetic.
constexpr Pass kFold[] = {
    {"transpose_to_reshape", TurnTransposeIntoReshape},
    {"merge_concats", MergeConcats},
    {"slice_before_reshape", MoveSliceBeforeReshape},
    {"to_depthwise", TurnConvIntoDepthwise},
    {"fold_pad", FoldPad},
    {"trim_taps", TrimTaps},
    {"fold_scale_shift", FoldScaleShift},
    {"affine_into_normalize", FoldAffineIntoNormalize},
    {"reduce_to_pool", TurnReduceIntoPool},
    {"transpose_into_matmul", FoldTransposeIntoMatMul},
    {"tie_tables", TieTables},
    {"recognize_attention", RecognizeAttention},
    {"share_heads", ReadSharedHeads},
    {"causal_mask", RemoveCausalMasks, true},
    {"transpose_into_attention", FoldTransposeIntoAttention},
    {"focus_into_conv", FoldFocusIntoConv},
    {"transpose_into_weights", FoldTransposeIntoWeights},
    {"remove_identities", RemoveIdentities},
    {"merge_reshapes", MergeReshapes},
};

// Into the epilogues of layers; activation(layer + residual) is the order in which they compute.
constexpr Pass kFuse[] = {
    {"fuse_activation", FuseActivation},
    {"fuse_residual", FuseResidual},
};

// Models that were quantized elsewhere: floats between Dequantize and Quantize become integers. Not in
// bodies.
constexpr Pass kQuantized[] = {
    {"make_bytes_signed", qdq::MakeBytesSigned},        {"move_before_dequantize", qdq::MoveBeforeDequantize},
    {"move_after_quantize", qdq::MoveAfterQuantize},    {"make_layers_int8", qdq::MakeLayersInt8},
    {"make_operators_int8", qdq::MakeOperatorsInt8},    {"merge_conversions", qdq::MergeConversions},
    {"transpose_into_matmul", FoldTransposeIntoMatMul}, {"common_subexpression", MergeCommonSubexpressions},
};

// When it is clear which operators compute in integers.
constexpr Pass kTfliteRounding[] = {{"round_as_tflite", qdq::RoundAsTflite}};
constexpr Pass kExactRounding[] = {{"leave_activations_float", qdq::LeaveActivationsFloat}};

// When it is clear which layers compute in float.
constexpr Pass kGivenWeights[] = {{"store_weights_as_given", qdq::StoreWeightsAsGiven}};

// What is left at the edges belongs to the source model's layout.
constexpr Pass kNhwcEdges[] = {{"nhwc_io", UseNhwcForInputsAndOutputs}};

// When all nodes are there.
constexpr Pass kOrder[] = {{"order_for_memory", OrderForMemory}};

class Pipeline {
 public:
  Pipeline(ir::Graph& graph, const PipelineOptions& options) : graph_(graph), options_(options) {}

  // Whether passes enter bodies.
  enum class Reach { kAllGraphs, kEntry };

  // The group's passes in turn until all of them, one after the other, have found nothing to change. Passes
  // make graphs smaller or cheaper, so this ends; the limit only bounds the cost of a defect.
  Status RunToFixpoint(Span<const Pass> group, Reach reach = Reach::kAllGraphs) {
    constexpr size_t kMaxRounds = 50;
    size_t unchanged = 0;
    for (size_t i = 0; unchanged < group.size() && i < kMaxRounds * group.size(); ++i) {
      bool changed = false;
      MICRORT_RETURN_IF_ERROR(RunOnAll(group[i % group.size()], reach, &changed));
      unchanged = changed ? 0 : unchanged + 1;
    }
    return Status();
  }

 private:
  Status RunOnAll(const Pass& pass, Reach reach, bool* any_changed) {
    bool changed = false;
    MICRORT_RETURN_IF_ERROR(Run(pass, graph_, &changed));
    MICRORT_RETURN_IF_ERROR(Publish(pass, changed, any_changed));
    if (pass.entry_only || reach == Reach::kEntry) return Status();
    changed = false;
    for (const auto& body : ir::BodiesIn(graph_)) MICRORT_RETURN_IF_ERROR(Run(pass, *body, &changed));
    return Publish(pass, changed, any_changed);
  }

  static Status Run(const Pass& pass, ir::Graph& graph, bool* changed) {
    const Status s = pass.run(graph, changed);
    return s.ok() ? s : s.WithPrefix("pass %s", pass.name);
  }

  // Inference is of all graphs together, so it comes once for all bodies.
  Status Publish(const Pass& pass, bool changed, bool* any_changed) {
    if (!changed) return Status();
    *any_changed = true;
    if (Status s = ir::InferShapes(graph_); !s.ok()) return s.WithPrefix("after pass %s", pass.name);
    if (options_.on_change) options_.on_change(pass.name, graph_);
    return Status();
  }

  ir::Graph& graph_;
  const PipelineOptions& options_;
};

}  // namespace

Status Optimize(ir::Graph& graph, const PipelineOptions& options) {
  Pipeline pipeline(graph, options);
  MICRORT_RETURN_IF_ERROR(pipeline.RunToFixpoint(kSimplify));
  MICRORT_RETURN_IF_ERROR(pipeline.RunToFixpoint(kLayout));
  MICRORT_RETURN_IF_ERROR(pipeline.RunToFixpoint(kFold));
  if (options.nhwc_io) MICRORT_RETURN_IF_ERROR(pipeline.RunToFixpoint(kNhwcEdges, Pipeline::Reach::kEntry));
  MICRORT_RETURN_IF_ERROR(pipeline.RunToFixpoint(kFuse));
  MICRORT_RETURN_IF_ERROR(pipeline.RunToFixpoint(kQuantized, Pipeline::Reach::kEntry));
  if (options.tflite_rounding)
    MICRORT_RETURN_IF_ERROR(pipeline.RunToFixpoint(kTfliteRounding, Pipeline::Reach::kEntry));
  else
    MICRORT_RETURN_IF_ERROR(pipeline.RunToFixpoint(kExactRounding));
  MICRORT_RETURN_IF_ERROR(pipeline.RunToFixpoint(kGivenWeights));
  return pipeline.RunToFixpoint(kOrder);
}

Status Optimize(ir::Module& module, const PipelineOptions& options) {
  return Optimize(module.entry(), options);
}

}  // namespace micrort::passes
