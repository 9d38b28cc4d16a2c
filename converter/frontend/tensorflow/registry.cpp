#include "converter/frontend/tensorflow/registry.h"

#include <map>
#include <set>

namespace micrort::frontend::tensorflow {

namespace {

using OpTable = std::map<std::string, const OpImporter*>;

OpTable MakeOpTable() {
  const Span<const OpImporter> lists[] = {
      ArithmeticOps(), ArrayOps(),         AudioOps(),        BoxOps(),         ColorOps(),
      ComplexOps(),    LinearAlgebraOps(), LossOps(),         ConvolutionOps(), GatherOps(),
      GenerateOps(),   ImageOps(),         IndexOps(),        LogicOps(),       MatMulOps(),
      MatrixOps(),     NormalizationOps(), PadOps(),          PoolOps(),        QuantizationOps(),
      ReductionOps(),  SegmentOps(),       SelectionOps(),    SequenceOps(),    ShapeOps(),
      SpaceOps(),      SpecialOps(),       StridedSliceOps(), UnaryOps(),       VolumeOps(),
  };
  OpTable table;
  for (const auto& list : lists) {
    for (const OpImporter& importer : list) table.emplace(importer.op, &importer);
  }
  return table;
}

const OpTable& OpsByName() {
  static const OpTable table = MakeOpTable();
  return table;
}

}  // namespace

const OpImporter* FindOpImporter(const std::string& op) {
  const auto found = OpsByName().find(op);
  return found == OpsByName().end() ? nullptr : found->second;
}

namespace {

// Of TensorFlow's own; null for operators that it does not have.
const char* WhyNeverImported(const std::string& op) {
  static const std::set<std::string> kLoops = {"Enter",          "Exit",     "LoopCond",
                                               "NextIteration",  "RefEnter", "While",
                                               "StatelessWhile", "RefExit",  "RefNextIteration"};
  if (kLoops.count(op) != 0) return "it is no part of a loop as tf.while_loop writes it";
  if (op.compare(0, 10, "TensorList") == 0 || op.compare(0, 11, "TensorArray") == 0) {
    return "this operator on lists of tensors cannot be converted";
  }
  if (op == "PyFunc" || op == "EagerPyFunc") return "code in Python cannot be converted";
  if (op.compare(0, 6, "Decode") == 0 || op.compare(0, 6, "String") == 0) {
    return "strings cannot be converted; feed the tensor behind it (--feeds)";
  }
  return nullptr;
}

}  // namespace

bool IsUnknownOp(const std::string& op) {
  return FindOpImporter(op) == nullptr && WhyNeverImported(op) == nullptr;
}

const char* WhyNoOpImporter(const std::string& op) {
  const char* why = WhyNeverImported(op);
  return why != nullptr
             ? why
             : "unknown operator (--custom-domain tensorflow lets those of a program's own through)";
}

std::vector<const OpImporter*> AllOpImporters() {
  std::vector<const OpImporter*> all;
  for (const auto& entry : OpsByName()) all.push_back(entry.second);
  return all;
}

}  // namespace micrort::frontend::tensorflow
