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
#define MICRORT_TENSORFLOW_IMPORTERS(LIST) \
  LIST(ArithmeticOps)                      \
  LIST(ArrayOps)                           \
  LIST(AudioOps)                           \
  LIST(BoxOps)                             \
  LIST(ColorOps)                           \
  LIST(ComplexOps)                         \
  LIST(ConvolutionOps)                     \
  LIST(GatherOps)                          \
  LIST(GenerateOps)                        \
  LIST(ImageOps)                           \
  LIST(IndexOps)                           \
  LIST(LinearAlgebraOps)                   \
  LIST(LogicOps)                           \
  LIST(LossOps)                            \
  LIST(MatMulOps)                          \
  LIST(MatrixOps)                          \
  LIST(NormalizationOps)                   \
  LIST(PadOps)                             \
  LIST(PoolOps)                            \
  LIST(QuantizationOps)                    \
  LIST(ReductionOps)                       \
  LIST(SegmentOps)                         \
  LIST(SelectionOps)                       \
  LIST(SequenceOps)                        \
  LIST(ShapeOps)                           \
  LIST(SpaceOps)                           \
  LIST(SpecialOps)                         \
  LIST(StridedSliceOps)                    \
  LIST(UnaryOps)                           \
  LIST(VolumeOps)
using ImporterList = std::initializer_list<OpImporter>;
#define MICRORT_DECLARE_LIST(name) extern const ImporterList name;
MICRORT_TENSORFLOW_IMPORTERS(MICRORT_DECLARE_LIST)
#undef MICRORT_DECLARE_LIST

}  // namespace micrort::frontend::tensorflow
