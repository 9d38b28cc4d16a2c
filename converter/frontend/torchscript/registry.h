#pragma once
// Which of PyTorch's operators can be imported, and by what.

#include <initializer_list>
#include <string>
#include <vector>

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

struct OpImporter {
  const char* op;  // "conv2d"; with the namespace where it is not aten: "quantized::conv2d"
  // Names of its parameters, in order; those of all overloads where they agree in position.
  const char* parameters;
  // Appends nodes that compute the result, and sets it. kUnsupported if we cannot do what it asks for.
  void (*import)(OpContext& c);
  const char* without = "";  // what is not supported: it is refused with its reason
};

// Null if there is none. "relu_" is "relu", whose result takes the place of its first argument.
const OpImporter* FindOpImporter(const std::string& op, bool* in_place);

// Why there is no importer, for messages.
const char* WhyNoOpImporter(const std::string& op);

// All of them, sorted by name.
std::vector<const OpImporter*> AllOpImporters();

// One list a file of ops/.
#define MICRORT_TORCHSCRIPT_IMPORTERS(LIST) \
  LIST(ActivationOps)                       \
  LIST(ArithmeticOps)                       \
  LIST(AttentionOps)                        \
  LIST(CastOps)                             \
  LIST(ConvolutionOps)                      \
  LIST(DistanceOps)                         \
  LIST(EmbeddingBagOps)                     \
  LIST(ExpandOps)                           \
  LIST(GenerateOps)                         \
  LIST(IndexOps)                            \
  LIST(JoinOps)                             \
  LIST(MatMulOps)                           \
  LIST(MatrixOps)                           \
  LIST(NormalizationOps)                    \
  LIST(OrderOps)                            \
  LIST(PadOps)                              \
  LIST(PoolOps)                             \
  LIST(PrepackedOps)                        \
  LIST(QuantizedOps)                        \
  LIST(RandomOps)                           \
  LIST(RecurrentOps)                        \
  LIST(ReductionOps)                        \
  LIST(ResizeOps)                           \
  LIST(ScatterOps)                          \
  LIST(SelectionOps)                        \
  LIST(ShapeOps)                            \
  LIST(SliceOps)                            \
  LIST(SpecialOps)                          \
  LIST(SpectralOps)                         \
  LIST(UnaryOps)                            \
  LIST(VisionOps)                           \
  LIST(WindowFunctionOps)                   \
  LIST(WindowOps)
using ImporterList = std::initializer_list<OpImporter>;
#define MICRORT_DECLARE_LIST(name) extern const ImporterList name;
MICRORT_TORCHSCRIPT_IMPORTERS(MICRORT_DECLARE_LIST)
#undef MICRORT_DECLARE_LIST

}  // namespace micrort::frontend::torchscript
