#pragma once
// Which of PyTorch's operators can be imported, and by what.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/op_context.h"
#include "kernels/base/span.h"

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
Span<const OpImporter> ActivationOps();
Span<const OpImporter> ArithmeticOps();
Span<const OpImporter> AttentionOps();
Span<const OpImporter> CastOps();
Span<const OpImporter> ConvolutionOps();
Span<const OpImporter> DistanceOps();
Span<const OpImporter> EmbeddingBagOps();
Span<const OpImporter> ExpandOps();
Span<const OpImporter> GenerateOps();
Span<const OpImporter> IndexOps();
Span<const OpImporter> JoinOps();
Span<const OpImporter> MatMulOps();
Span<const OpImporter> MatrixOps();
Span<const OpImporter> NormalizationOps();
Span<const OpImporter> OrderOps();
Span<const OpImporter> PadOps();
Span<const OpImporter> PoolOps();
Span<const OpImporter> PrepackedOps();
Span<const OpImporter> QuantizedOps();
Span<const OpImporter> RandomOps();
Span<const OpImporter> RecurrentOps();
Span<const OpImporter> ReductionOps();
Span<const OpImporter> ResizeOps();
Span<const OpImporter> ScatterOps();
Span<const OpImporter> SelectionOps();
Span<const OpImporter> ShapeOps();
Span<const OpImporter> SliceOps();
Span<const OpImporter> SpecialOps();
Span<const OpImporter> SpectralOps();
Span<const OpImporter> UnaryOps();
Span<const OpImporter> VisionOps();
Span<const OpImporter> WindowFunctionOps();
Span<const OpImporter> WindowOps();

}  // namespace micrort::frontend::torchscript
