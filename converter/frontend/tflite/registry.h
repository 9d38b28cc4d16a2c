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
#define MICRORT_TFLITE_IMPORTERS(LIST) \
  LIST(ArithmeticImporters)            \
  LIST(BidirectionalImporters)         \
  LIST(BitImporters)                   \
  LIST(ComplexImporters)               \
  LIST(ControlFlowImporters)           \
  LIST(ConvImporters)                  \
  LIST(DetectionImporters)             \
  LIST(EmbeddingSparseImporters)       \
  LIST(FullyConnectedImporters)        \
  LIST(JoinImporters)                  \
  LIST(LandmarkImporters)              \
  LIST(LayoutImporters)                \
  LIST(MatrixImporters)                \
  LIST(MediaPipeImageImporters)        \
  LIST(NonMaxSuppressionImporters)     \
  LIST(NormalizationImporters)         \
  LIST(PadImporters)                   \
  LIST(PoolImporters)                  \
  LIST(QuantizeImporters)              \
  LIST(RandomImporters)                \
  LIST(RecurrentImporters)             \
  LIST(ReduceImporters)                \
  LIST(ReduceWindowImporters)          \
  LIST(ResizeImporters)                \
  LIST(ScatterImporters)               \
  LIST(SelectImporters)                \
  LIST(SignalFilterBankImporters)      \
  LIST(SignalImporters)                \
  LIST(SignalStreamImporters)          \
  LIST(SliceImporters)                 \
  LIST(SoftmaxImporters)               \
  LIST(SpaceBatchImporters)            \
  LIST(StablehloConvolutionImporters)  \
  LIST(StablehloElementImporters)      \
  LIST(StablehloGatherImporters)       \
  LIST(StablehloShapeImporters)        \
  LIST(StablehloSortImporters)         \
  LIST(StridedSliceImporters)          \
  LIST(UnaryImporters)                 \
  LIST(UpdateSliceImporters)           \
  LIST(VariableImporters)              \
  LIST(VolumeImporters)
using ImporterList = std::initializer_list<OpImporter>;
#define MICRORT_DECLARE_LIST(name) extern const ImporterList name;
MICRORT_TFLITE_IMPORTERS(MICRORT_DECLARE_LIST)
#undef MICRORT_DECLARE_LIST

}  // namespace micrort::frontend::tflite
