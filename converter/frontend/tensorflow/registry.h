#pragma once
// Which TensorFlow operators can be imported, and by what.

#include <string>
#include <vector>

#include "converter/frontend/tensorflow/op_context.h"
#include "kernels/base/span.h"

namespace micrort::frontend::tensorflow {

struct OpImporter {
  const char* op;  // "Conv2D"
  int min_inputs;
  int max_inputs;  // -1: any number
  // Appends nodes that compute the outputs, and sets these. kInvalidModel if the node contradicts
  // TensorFlow's definition of the operator, kUnsupported if we cannot do what it asks for.
  Status (*import)(OpContext& c);
  const char* without = "";  // what is not supported: it is refused with its reason
};

// Null if there is none.
const OpImporter* FindOpImporter(const std::string& op);

// Whether it is none of TensorFlow that we know of, so that it may be the user's own.
bool IsUnknownOp(const std::string& op);

// Why there is no importer, for messages.
const char* WhyNoOpImporter(const std::string& op);

// All of them, sorted by name.
std::vector<const OpImporter*> AllOpImporters();

// Whether inputs of the operator may be complex numbers, and whether its output is.
bool TakesComplexNumbers(const std::string& op);
bool GivesComplexNumbers(const std::string& op);

// One list a file of ops/.
Span<const OpImporter> ArithmeticOps();
Span<const OpImporter> ArrayOps();
Span<const OpImporter> AudioOps();
Span<const OpImporter> BoxOps();
Span<const OpImporter> ColorOps();
Span<const OpImporter> ComplexOps();
Span<const OpImporter> ConvolutionOps();
Span<const OpImporter> GatherOps();
Span<const OpImporter> GenerateOps();
Span<const OpImporter> ImageOps();
Span<const OpImporter> IndexOps();
Span<const OpImporter> LinearAlgebraOps();
Span<const OpImporter> LogicOps();
Span<const OpImporter> LossOps();
Span<const OpImporter> MatMulOps();
Span<const OpImporter> MatrixOps();
Span<const OpImporter> NormalizationOps();
Span<const OpImporter> PadOps();
Span<const OpImporter> PoolOps();
Span<const OpImporter> QuantizationOps();
Span<const OpImporter> ReductionOps();
Span<const OpImporter> SegmentOps();
Span<const OpImporter> SelectionOps();
Span<const OpImporter> SequenceOps();
Span<const OpImporter> ShapeOps();
Span<const OpImporter> SpaceOps();
Span<const OpImporter> SpecialOps();
Span<const OpImporter> StridedSliceOps();
Span<const OpImporter> UnaryOps();
Span<const OpImporter> VolumeOps();

}  // namespace micrort::frontend::tensorflow
