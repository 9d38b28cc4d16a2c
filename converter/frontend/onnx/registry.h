#pragma once
// Which ONNX operators can be imported, and by what.

#include <vector>

#include "converter/frontend/common/op_support.h"
#include "converter/frontend/onnx/node_context.h"
#include "kernels/base/span.h"

namespace micrort::frontend::onnx {

struct OpImporter {
  const char* op;  // "Conv"; with the domain where it is not ONNX's own: "com.microsoft.Gelu"
  // The first min_inputs inputs are present. max_inputs -1: any number.
  int min_inputs;
  int max_inputs;
  // Appends nodes that compute the outputs, and sets these. kInvalidModel if the node contradicts ONNX's
  // definition of the operator, kUnsupported if we cannot do what it asks for.
  Status (*import)(NodeContext& c);
  OpSupport support = {};
};

// Null if there is none. `domain`: "" or "ai.onnx" is ONNX's own.
const OpImporter* FindImporter(const std::string& domain, const std::string& op);

// Why there is no importer, for messages.
const char* WhyNoImporter(const std::string& domain, const std::string& op);

// All of them, sorted by the names in `op`.
std::vector<const OpImporter*> AllImporters();

// "Conv", "com.acme.Blur".
std::string QualifiedOp(const std::string& domain, const std::string& op);

// One list a file of ops/.
Span<const OpImporter> ActivationImporters();
Span<const OpImporter> AffineGridImporters();
Span<const OpImporter> ArithmeticImporters();
Span<const OpImporter> AttentionImporters();
Span<const OpImporter> BatchNormalizationImporters();
Span<const OpImporter> CenterCropPadImporters();
Span<const OpImporter> Col2ImImporters();
Span<const OpImporter> ContribAttentionImporters();
Span<const OpImporter> ContribLayerImporters();
Span<const OpImporter> ControlFlowImporters();
Span<const OpImporter> ConvImporters();
Span<const OpImporter> ConvTransposeImporters();
Span<const OpImporter> DeformConvImporters();
Span<const OpImporter> DeterminantImporters();
Span<const OpImporter> DiagonalImporters();
Span<const OpImporter> EinsumImporters();
Span<const OpImporter> ExperimentalImporters();
Span<const OpImporter> FourierImporters();
Span<const OpImporter> GatherScatterImporters();
Span<const OpImporter> GenerateImporters();
Span<const OpImporter> GroupQueryAttentionImporters();
Span<const OpImporter> IndexImporters();
Span<const OpImporter> IntegerProductImporters();
Span<const OpImporter> LayerNormalizationImporters();
Span<const OpImporter> LayoutImporters();
Span<const OpImporter> LogicImporters();
Span<const OpImporter> LossImporters();
Span<const OpImporter> MatMulImporters();
Span<const OpImporter> MatMulNBitsImporters();
Span<const OpImporter> MaxRoiPoolImporters();
Span<const OpImporter> MelWeightMatrixImporters();
Span<const OpImporter> NormalizationImporters();
Span<const OpImporter> OptionalImporters();
Span<const OpImporter> PadImporters();
Span<const OpImporter> PoolImporters();
Span<const OpImporter> QLinearImporters();
Span<const OpImporter> QuantizeImporters();
Span<const OpImporter> QuantizedLstmImporters();
Span<const OpImporter> RandomImporters();
Span<const OpImporter> RecurrentImporters();
Span<const OpImporter> ReduceImporters();
Span<const OpImporter> ResizeImporters();
Span<const OpImporter> ReverseSequenceImporters();
Span<const OpImporter> RotaryEmbeddingImporters();
Span<const OpImporter> SamplingImporters();
Span<const OpImporter> ScanImporters();
Span<const OpImporter> SelectionImporters();
Span<const OpImporter> SequenceImporters();
Span<const OpImporter> ShapeImporters();
Span<const OpImporter> SoftmaxImporters();
Span<const OpImporter> TensorScatterImporters();
Span<const OpImporter> TfIdfImporters();
Span<const OpImporter> UnpoolImporters();
Span<const OpImporter> WindowImporters();

}  // namespace micrort::frontend::onnx
