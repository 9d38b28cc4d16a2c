#pragma once
// Which ONNX operators can be imported, and by what.

#include "converter/frontend/common/importer_table.h"
#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// `op`: "Conv"; with the domain where it is not ONNX's own: "com.microsoft.Gelu".
using OpImporter = ImporterRow<NodeContext>;

// Null if there is none. `domain`: "" or "ai.onnx" is ONNX's own.
const OpImporter* FindImporter(const std::string& domain, const std::string& op);

// Why there is no importer, for messages.
const char* WhyNoImporter(const std::string& domain, const std::string& op);

const ImporterTable<OpImporter>& Importers();

// "Conv", "com.acme.Blur".
std::string QualifiedOp(const std::string& domain, const std::string& op);

// One list a file of ops/.
#define MICRORT_ONNX_IMPORTERS                                                                               \
  ActivationImporters, ArithmeticImporters, AttentionImporters, BatchNormalizationImporters,                 \
      Col2ImImporters, ContribAttentionImporters, ContribLayerImporters, ControlFlowImporters,               \
      ConvImporters, ConvTransposeImporters, DeformConvImporters, DiagonalImporters, EinsumImporters,        \
      ExperimentalImporters, GatherScatterImporters, GenerateImporters, GroupQueryAttentionImporters,        \
      IntegerProductImporters, LayerNormalizationImporters, LayoutImporters, LossImporters, MatMulImporters, \
      MatMulNBitsImporters, MixtureOfExpertsImporters, MlFeatureImporters, MlLinearImporters,                \
      NormalizationImporters, PadImporters, PoolImporters, QLinearImporters, QuantizeImporters,              \
      RandomImporters, RecurrentImporters, ReduceImporters, ResizeImporters, RotaryEmbeddingImporters,       \
      SamplingImporters, ScanImporters, SelectionImporters, SequenceImporters, ShapeImporters,               \
      TfIdfImporters, TreeEnsembleImporters, WindowImporters
using ImporterList = std::initializer_list<OpImporter>;
extern const ImporterList MICRORT_ONNX_IMPORTERS;

}  // namespace micrort::frontend::onnx
