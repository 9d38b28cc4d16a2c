#include "converter/frontend/tensorflow/registry.h"

#include <set>

namespace micrort::frontend::tensorflow {

const ImporterTable<OpImporter>& Importers() {
  static const ImporterTable<OpImporter> table({MICRORT_TENSORFLOW_IMPORTERS});
  return table;
}

namespace {

// For TensorFlow's own operators; null for operators that it does not have.
const char* WhyNeverImported(const std::string& op) {
  static const std::set<std::string> kLoops = {"Enter",          "Exit",     "LoopCond",
                                               "NextIteration",  "RefEnter", "While",
                                               "StatelessWhile", "RefExit",  "RefNextIteration"};
  if (kLoops.count(op) != 0) return "it is no part of a loop as tf.while_loop writes it";
  if (op.compare(0, 10, "TensorList") == 0 || op.compare(0, 11, "TensorArray") == 0)
    return "this operator on lists of tensors cannot be converted";
  if (op == "PyFunc" || op == "EagerPyFunc") return "code in Python cannot be converted";
  if (op.compare(0, 6, "Decode") == 0 || op.compare(0, 6, "String") == 0) {
    return "strings cannot be converted; feed the tensor behind it (--feeds)";
  }
  return nullptr;
}

}  // namespace

bool IsUnknownOp(const std::string& op) {
  return Importers().Find(op) == nullptr && WhyNeverImported(op) == nullptr;
}

const char* WhyNoOpImporter(const std::string& op) {
  const char* why = WhyNeverImported(op);
  return why != nullptr ? why
                        : "unknown operator; if your program implements it, add --custom-domain tensorflow";
}

}  // namespace micrort::frontend::tensorflow
