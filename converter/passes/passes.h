#pragma once
// Every pass but constant folding, by name. pipeline.cpp says in which order they run. Each follows the
// contract of Pass::run; all need the shapes and types of all values, and nothing else from each other.

#include "converter/passes/pass.h"

namespace micrort::passes {

// Removes nodes that nothing reads.
Status EliminateDeadCode(ir::Graph& graph, bool* changed);
// Constants that bodies of If and Loop read move into these; inputs and results that nothing reads go.
Status SimplifyBodies(ir::Graph& graph, bool* changed);
// Mul and Add of constants after a Normalize into its scale and bias.
Status FoldAffineIntoNormalize(ir::Graph& graph, bool* changed);
// Pads of an image that its reader can apply itself: Conv2D, DepthwiseConv2D, Pool2D.
Status FoldPad(ir::Graph& graph, bool* changed);
// Space-to-depth by strided slices before a convolution into its weights.
Status FoldFocusIntoConv(ir::Graph& graph, bool* changed);
// Mul, Div, Add and Sub by constants per output channel into the weights and bias of the layer before, or of
// the layers of a volume's planes.
Status FoldScaleShift(ir::Graph& graph, bool* changed);
// Taps of filters that meet padding alone, for images of fixed size.
Status TrimTaps(ir::Graph& graph, bool* changed);
// Transposes that swap heads and tokens of Attention's inputs and output into its options.
Status FoldTransposeIntoAttention(ir::Graph& graph, bool* changed);
// Transposes of the last two dimensions, also as the last step of longer ones, into MatMul's transpose_b.
Status FoldTransposeIntoMatMul(ir::Graph& graph, bool* changed);
// Transpose and flattening before a fully connected layer into the order of its weights.
Status FoldTransposeIntoWeights(ir::Graph& graph, bool* changed);
// Unary after a layer or a Binary into its activation.
Status FuseActivation(ir::Graph& graph, bool* changed);
// Add of a layer's output and another value into the layer's residual input.
Status FuseResidual(ir::Graph& graph, bool* changed);
// Channel shuffles behind a Concat into Concats of single elements.
Status InterleaveConcats(ir::Graph& graph, bool* changed);
// Nodes that compute the same, and equal constants.
Status MergeCommonSubexpressions(ir::Graph& graph, bool* changed);
// Concat of Concats along one dimension.
Status MergeConcats(ir::Graph& graph, bool* changed);
// Two multiplications by constants, or two additions. Leaves operations on constants to constant folding.
Status MergeConstantOperands(ir::Graph& graph, bool* changed);
// Reshape of Reshape.
Status MergeReshapes(ir::Graph& graph, bool* changed);
// Slice of a Reshape into Reshape of a Slice, where the Slice can be told in the original's dimensions.
Status MoveSliceBeforeReshape(ir::Graph& graph, bool* changed);
// Cancels Transposes, or moves them to where they move the fewest bytes.
Status OptimizeLayout(ir::Graph& graph, bool* changed);
// A run order that keeps fewer bytes alive at once, if a better one is found.
Status OrderForMemory(ir::Graph& graph, bool* changed);
// A constant that is added between a Reshape and its inverse.
Status MoveAddBeforeReshape(ir::Graph& graph, bool* changed);
// Slice that lies within one operand of a Concat.
Status ReadPartOfConcat(ir::Graph& graph, bool* changed);
// Attention over keys and values that are copied for each head.
Status ReadSharedHeads(ir::Graph& graph, bool* changed);
// Sigmoid, Softplus and Mish out of their parts.
Status RecognizeActivations(ir::Graph& graph, bool* changed);
// Attention out of its matrix products, softmax, scale and mask.
Status RecognizeAttention(ir::Graph& graph, bool* changed);
// Silu, HardSigmoid and HardSwish out of their parts.
Status RecognizeGatedActivations(ir::Graph& graph, bool* changed);
// Gelu, exact and by tanh, out of its parts.
Status RecognizeGelu(ir::Graph& graph, bool* changed);
// LayerNorm, RMSNorm, InstanceNorm out of their parts.
Status RecognizeNormalization(ir::Graph& graph, bool* changed);
// PRelu out of its parts.
Status RecognizePRelu(ir::Graph& graph, bool* changed);
// Reshapes to computed shapes into options, where these can tell the shape.
Status StateReshapeTargets(ir::Graph& graph, bool* changed);
// Masks of attention over a cache that are proven to hide later positions alone.
Status RemoveCausalMasks(ir::Graph& graph, bool* changed);
// Nodes whose output is their input.
Status RemoveIdentities(ir::Graph& graph, bool* changed);
// Normalizations over a dimension that a Reshape has merged into ones over the dimensions themselves.
Status SplitNormalizedDims(ir::Graph& graph, bool* changed);
// Weights of a MatMul that are a turned copy of a table whose rows Gather picks: it reads the table,
// transposed.
Status TieTables(ir::Graph& graph, bool* changed);
// Conv2D with a group for each channel.
Status TurnConvIntoDepthwise(ir::Graph& graph, bool* changed);
// Gather of evenly spaced constant indices.
Status TurnGatherIntoSlice(ir::Graph& graph, bool* changed);
// Mean and Max over the height and width of an image.
Status TurnReduceIntoPool(ir::Graph& graph, bool* changed);

// Transpose that moves only dimensions of size 1. After OptimizeLayout, which understands Transposes better.
Status TurnTransposeIntoReshape(ir::Graph& graph, bool* changed);
// Image inputs and outputs in [N,H,W,C] where Transposes stand at the edges. Changes what users pass in and
// get out: Value::source_order tells how.
Status UseNhwcForInputsAndOutputs(ir::Graph& graph, bool* changed);

}  // namespace micrort::passes
