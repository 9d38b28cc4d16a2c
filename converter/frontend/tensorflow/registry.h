#pragma once
// Which TensorFlow operators can be imported, and by what.

#include "converter/frontend/common/importer_table.h"
#include "converter/frontend/tensorflow/op_context.h"

namespace micrort::frontend::tensorflow {

using OpImporter = ImporterRow<OpContext>;

// Whether it is none of TensorFlow that we know of, so that it may be the user's own.
bool IsUnknownOp(const std::string& op);

// Why there is no importer, for messages.
const char* WhyNoOpImporter(const std::string& op);

const ImporterTable<OpImporter>& Importers();

// Whether inputs of the operator may be complex numbers, and whether its output is.
bool TakesComplexNumbers(const std::string& op);
bool GivesComplexNumbers(const std::string& op);

// One list a file of ops/.
#define MICRORT_TENSORFLOW_IMPORTERS                                                                       \
  ArithmeticOps, ArrayOps, AudioOps, BoxOps, ComplexOps, ConvolutionOps, GatherOps, GenerateOps, ImageOps, \
      LinearAlgebraOps, LogicOps, MatMulOps, MatrixOps, NormalizationOps, PoolOps, QuantizationOps,        \
      ReductionOps, SegmentOps, SelectionOps, SequenceOps, ShapeOps, SpaceOps, SpecialOps, UnaryOps,       \
      VolumeOps
using ImporterList = std::initializer_list<OpImporter>;
extern const ImporterList MICRORT_TENSORFLOW_IMPORTERS;

}  // namespace micrort::frontend::tensorflow
