#pragma once
// Which ONNX operators can be imported, and by what.

#include <initializer_list>
#include <vector>

#include "converter/frontend/common/op_support.h"
#include "converter/frontend/onnx/node_context.h"

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
#define MICRORT_ONNX_IMPORTERS                                                                               \
  ActivationImporters, AffineGridImporters, ArithmeticImporters, AttentionImporters,                         \
      BatchNormalizationImporters, CenterCropPadImporters, Col2ImImporters, ContribAttentionImporters,       \
      ContribLayerImporters, ControlFlowImporters, ConvImporters, ConvTransposeImporters,                    \
      DeformConvImporters, DiagonalImporters, EinsumImporters, ExperimentalImporters,  \
      FourierImporters, GatherScatterImporters, GenerateImporters, GroupQueryAttentionImporters,             \
      IndexImporters, IntegerProductImporters, LayerNormalizationImporters, LayoutImporters, LogicImporters, \
      LossImporters, MatMulImporters, MatMulNBitsImporters, MaxRoiPoolImporters, MelWeightMatrixImporters,   \
      NormalizationImporters, OptionalImporters, PadImporters, PoolImporters, QLinearImporters,              \
      QuantizeImporters, QuantizedLstmImporters, RandomImporters, RecurrentImporters, ReduceImporters,       \
      ResizeImporters, RotaryEmbeddingImporters, SamplingImporters, ScanImporters, SelectionImporters,       \
      SequenceImporters, ShapeImporters, SoftmaxImporters, TensorScatterImporters, TfIdfImporters,           \
      UnpoolImporters, WindowImporters
using ImporterList = std::initializer_list<OpImporter>;
extern const ImporterList MICRORT_ONNX_IMPORTERS;

}  // namespace micrort::frontend::onnx
