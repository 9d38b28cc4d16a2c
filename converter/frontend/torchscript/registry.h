#pragma once
// Which of PyTorch's operators can be imported, and by what.

#include "converter/frontend/common/importer_table.h"
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

const ImporterTable<OpImporter>& Importers();

// One list a file of ops/.
#define MICRORT_TORCHSCRIPT_IMPORTERS                                                                      \
  ActivationOps, ArithmeticOps, AttentionOps, CastOps, ConvolutionOps, DistanceOps, EmbeddingBagOps,       \
      ExpandOps, GenerateOps, IndexOps, JoinOps, MatMulOps, MatrixOps, NormalizationOps, OrderOps, PadOps, \
      PoolOps, PrepackedOps, QuantizedOps, RandomOps, RecurrentOps, ReductionOps, ResizeOps, ScatterOps,   \
      SelectionOps, ShapeOps, SliceOps, SpecialOps, SpectralOps, UnaryOps, VisionOps, WindowFunctionOps,   \
      WindowOps
using ImporterList = std::initializer_list<OpImporter>;
extern const ImporterList MICRORT_TORCHSCRIPT_IMPORTERS;

}  // namespace micrort::frontend::torchscript
