#pragma once
// Functions of TensorFlow graphs of tests, and what calls them.

#include <string>
#include <vector>

#include "tests/converter/tensorflow_graph.h"

namespace micrort::testing {

// `arguments` are "x: DT_FLOAT"; `results` are "out = node:y:0".
inline std::string TfFunction(const std::string& name, const std::vector<std::string>& arguments,
                              const std::vector<std::string>& nodes,
                              const std::vector<std::string>& results) {
  std::string text = "function { signature { name: '" + name + "' ";
  for (const std::string& a : arguments) {
    const size_t colon = a.find(':');
    text += "input_arg { name: '" + a.substr(0, colon) + "' type: " + a.substr(colon + 1) + " } ";
  }
  std::string rets;
  for (const std::string& r : results) {
    const size_t equals = r.find(" = ");
    text += "output_arg { name: '" + r.substr(0, equals) + "' } ";
    rets += "ret { key: '" + r.substr(0, equals) + "' value: '" + r.substr(equals + 3) + "' } ";
  }
  text += "} ";
  for (const std::string& node : nodes) text += "node_def" + node.substr(4);
  return text + rets + "}\n";
}

inline std::string FunctionAttribute(const std::string& key, const std::string& function) {
  return key + " { func { name: '" + function + "' } }";
}

inline std::string ScalarInteger(const std::string& name, int32_t v) { return TfIntegers(name, {v}, true); }

}  // namespace micrort::testing
