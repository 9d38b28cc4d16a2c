#pragma once
// Which TFLite operators can be imported, and by what.

#include <initializer_list>
#include <string>
#include <vector>

#include "converter/frontend/common/op_support.h"
#include "converter/frontend/tflite/op_context.h"

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
#define MICRORT_TFLITE_IMPORTERS                                                                            \
  ArithmeticImporters, BidirectionalImporters, BitImporters, ComplexImporters, ControlFlowImporters,        \
      ConvImporters, DetectionImporters, EmbeddingSparseImporters, FullyConnectedImporters, JoinImporters,  \
      LandmarkImporters, LayoutImporters, MatrixImporters, MediaPipeImageImporters,                         \
      NonMaxSuppressionImporters, NormalizationImporters, PadImporters, PoolImporters, QuantizeImporters,   \
      RandomImporters, RecurrentImporters, ReduceImporters, ReduceWindowImporters, ResizeImporters,         \
      ScatterImporters, SelectImporters, SignalFilterBankImporters, SignalImporters, SignalStreamImporters, \
      SliceImporters, SoftmaxImporters, SpaceBatchImporters, StablehloConvolutionImporters,                 \
      StablehloElementImporters, StablehloGatherImporters, StablehloShapeImporters, StablehloSortImporters, \
      StridedSliceImporters, UnaryImporters, UpdateSliceImporters, VariableImporters, VolumeImporters
using ImporterList = std::initializer_list<OpImporter>;
extern const ImporterList MICRORT_TFLITE_IMPORTERS;

}  // namespace micrort::frontend::tflite
