#pragma once
// TensorFlow graphs of tests, written as text, imported and run.

#include <map>
#include <string>

#include "converter/frontend/frontend.h"
#include "tests/converter/graph_testing.h"

namespace micrort::testing {

// One node of a GraphDef as text. Attributes: `T { type: DT_FLOAT }`, one a string.
std::string TfNode(const std::string& name, const std::string& op, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& attributes = {});
// A placeholder of floats, and constants.
std::string TfInput(const std::string& name, const std::vector<int64_t>& shape);
std::string TfFloats(const std::string& name, const std::vector<int64_t>& shape, const Floats& elements);
std::string TfIntegers(const std::string& name, const std::vector<int32_t>& elements, bool is_scalar = false);

struct ImportedTf {
  Status status;
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;
};
ImportedTf ImportTf(const std::string& bytes, const frontend::ImportOptions& options = {});

// Outputs by name. Fails the test, and gives none, where the graph cannot be imported or run.
std::map<std::string, Floats> RunTf(const std::string& text, const std::map<std::string, Floats>& inputs,
                                    const frontend::ImportOptions& options = {});

// The same for graphs with others inside operators: it is converted as users do it.
std::map<std::string, Floats> ConvertAndRunTf(const std::string& text,
                                              const std::map<std::string, Floats>& inputs,
                                              const frontend::ImportOptions& options = {});

}  // namespace micrort::testing
