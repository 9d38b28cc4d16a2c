#pragma once
// Which TensorFlow operators can be imported, and by what.

#include <initializer_list>
#include <string>
#include <vector>

#include "converter/frontend/tensorflow/op_context.h"

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
#define MICRORT_TENSORFLOW_IMPORTERS                                                                       \
  ArithmeticOps, ArrayOps, AudioOps, BoxOps, ColorOps, ComplexOps, ConvolutionOps, GatherOps, GenerateOps, \
      ImageOps, IndexOps, LinearAlgebraOps, LogicOps, LossOps, MatMulOps, MatrixOps, NormalizationOps,     \
      PadOps, PoolOps, QuantizationOps, ReductionOps, SegmentOps, SelectionOps, SequenceOps, ShapeOps,     \
      SpaceOps, SpecialOps, StridedSliceOps, UnaryOps, VolumeOps
using ImporterList = std::initializer_list<OpImporter>;
extern const ImporterList MICRORT_TENSORFLOW_IMPORTERS;

}  // namespace micrort::frontend::tensorflow
