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
#define MICRORT_ONNX_IMPORTERS(LIST) \
  LIST(ActivationImporters)          \
  LIST(AffineGridImporters)          \
  LIST(ArithmeticImporters)          \
  LIST(AttentionImporters)           \
  LIST(BatchNormalizationImporters)  \
  LIST(CenterCropPadImporters)       \
  LIST(Col2ImImporters)              \
  LIST(ContribAttentionImporters)    \
  LIST(ContribLayerImporters)        \
  LIST(ControlFlowImporters)         \
  LIST(ConvImporters)                \
  LIST(ConvTransposeImporters)       \
  LIST(DeformConvImporters)          \
  LIST(DeterminantImporters)         \
  LIST(DiagonalImporters)            \
  LIST(EinsumImporters)              \
  LIST(ExperimentalImporters)        \
  LIST(FourierImporters)             \
  LIST(GatherScatterImporters)       \
  LIST(GenerateImporters)            \
  LIST(GroupQueryAttentionImporters) \
  LIST(IndexImporters)               \
  LIST(IntegerProductImporters)      \
  LIST(LayerNormalizationImporters)  \
  LIST(LayoutImporters)              \
  LIST(LogicImporters)               \
  LIST(LossImporters)                \
  LIST(MatMulImporters)              \
  LIST(MatMulNBitsImporters)         \
  LIST(MaxRoiPoolImporters)          \
  LIST(MelWeightMatrixImporters)     \
  LIST(NormalizationImporters)       \
  LIST(OptionalImporters)            \
  LIST(PadImporters)                 \
  LIST(PoolImporters)                \
  LIST(QLinearImporters)             \
  LIST(QuantizeImporters)            \
  LIST(QuantizedLstmImporters)       \
  LIST(RandomImporters)              \
  LIST(RecurrentImporters)           \
  LIST(ReduceImporters)              \
  LIST(ResizeImporters)              \
  LIST(RotaryEmbeddingImporters)     \
  LIST(SamplingImporters)            \
  LIST(ScanImporters)                \
  LIST(SelectionImporters)           \
  LIST(SequenceImporters)            \
  LIST(ShapeImporters)               \
  LIST(SoftmaxImporters)             \
  LIST(TensorScatterImporters)       \
  LIST(TfIdfImporters)               \
  LIST(UnpoolImporters)              \
  LIST(WindowImporters)
using ImporterList = std::initializer_list<OpImporter>;
#define MICRORT_DECLARE_LIST(name) extern const ImporterList name;
MICRORT_ONNX_IMPORTERS(MICRORT_DECLARE_LIST)
#undef MICRORT_DECLARE_LIST

}  // namespace micrort::frontend::onnx
