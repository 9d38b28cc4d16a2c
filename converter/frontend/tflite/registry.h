#pragma once
// Which TFLite operators can be imported, and by what.

#include <initializer_list>
#include <string>
#include <vector>

#include "converter/frontend/common/importer_table.h"
#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// `op`: "CONV_2D", or the name of a custom operator.
using OpImporter = ImporterRow<OpContext>;

// Whether the operator reads tensors of complex numbers.
bool TakesComplexNumbers(const std::string& op);

// Why there is no importer, for messages.
const char* WhyNoImporter(const std::string& op);

const ImporterTable<OpImporter>& Importers();

// One list a file of ops/.
#define MICRORT_TFLITE_IMPORTERS                                                                         \
  ArithmeticImporters, BidirectionalImporters, ComplexImporters, ControlFlowImporters, ConvImporters,    \
      DetectionImporters, EmbeddingSparseImporters, FullyConnectedImporters, JoinImporters,              \
      LandmarkImporters, LayoutImporters, MediaPipeImageImporters, NormalizationImporters, PadImporters, \
      PoolImporters, QuantizeImporters, RecurrentImporters, ReduceImporters, ReduceWindowImporters,      \
      ResizeImporters, ScatterImporters, SelectImporters, SignalFilterBankImporters, SignalImporters,    \
      SignalStreamImporters, SliceImporters, StablehloConvolutionImporters, StablehloElementImporters,   \
      StablehloGatherImporters, StablehloShapeImporters, StablehloSortImporters, UnaryImporters,         \
      VariableImporters, VolumeImporters
using ImporterList = std::initializer_list<OpImporter>;
extern const ImporterList MICRORT_TFLITE_IMPORTERS;

}  // namespace micrort::frontend::tflite
