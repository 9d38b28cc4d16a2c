#pragma once
// Which TFLite operators can be imported, and by what.

#include <string>
#include <vector>

#include "converter/frontend/common/op_support.h"
#include "converter/frontend/tflite/op_context.h"
#include "kernels/base/span.h"

namespace micrort::frontend::tflite {

struct OpImporter {
  const char* op;  // "CONV_2D", or the name of a custom operator
  // The first min_inputs inputs are present. max_inputs -1: any number.
  int min_inputs;
  int max_inputs;
  // Appends nodes that compute the outputs, and sets these. kInvalidModel if the operator contradicts its
  // definition, kUnsupported if we cannot do what it asks for.
  Status (*import)(OpContext& c);
  OpSupport support = {};
};

// Whether the operator reads tensors of complex numbers.
bool TakesComplexNumbers(const std::string& op);

// Null if there is none.
const OpImporter* FindImporter(const std::string& op);

// Why there is no importer, for messages.
const char* WhyNoImporter(const std::string& op);

// All of them, sorted by the names in `op`.
std::vector<const OpImporter*> AllImporters();

// One list a file of ops/.
Span<const OpImporter> ArithmeticImporters();
Span<const OpImporter> BidirectionalImporters();
Span<const OpImporter> BitImporters();
Span<const OpImporter> ComplexImporters();
Span<const OpImporter> ControlFlowImporters();
Span<const OpImporter> ConvImporters();
Span<const OpImporter> DetectionImporters();
Span<const OpImporter> EmbeddingSparseImporters();
Span<const OpImporter> FullyConnectedImporters();
Span<const OpImporter> JoinImporters();
Span<const OpImporter> LayoutImporters();
Span<const OpImporter> LandmarkImporters();
Span<const OpImporter> MatrixImporters();
Span<const OpImporter> MediaPipeImageImporters();
Span<const OpImporter> NonMaxSuppressionImporters();
Span<const OpImporter> NormalizationImporters();
Span<const OpImporter> PadImporters();
Span<const OpImporter> PoolImporters();
Span<const OpImporter> QuantizeImporters();
Span<const OpImporter> RandomImporters();
Span<const OpImporter> RecurrentImporters();
Span<const OpImporter> ReduceImporters();
Span<const OpImporter> ReduceWindowImporters();
Span<const OpImporter> ResizeImporters();
Span<const OpImporter> ScatterImporters();
Span<const OpImporter> SelectImporters();
Span<const OpImporter> SignalFilterBankImporters();
Span<const OpImporter> SignalImporters();
Span<const OpImporter> SignalStreamImporters();
Span<const OpImporter> SliceImporters();
Span<const OpImporter> SoftmaxImporters();
Span<const OpImporter> SpaceBatchImporters();
Span<const OpImporter> StablehloConvolutionImporters();
Span<const OpImporter> StablehloElementImporters();
Span<const OpImporter> StablehloGatherImporters();
Span<const OpImporter> StablehloShapeImporters();
Span<const OpImporter> StablehloSortImporters();
Span<const OpImporter> StridedSliceImporters();
Span<const OpImporter> UnaryImporters();
Span<const OpImporter> UpdateSliceImporters();
Span<const OpImporter> VariableImporters();
Span<const OpImporter> VolumeImporters();

}  // namespace micrort::frontend::tflite
