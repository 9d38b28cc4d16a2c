#pragma once
// One case of ONNX's backend tests: a folder with model.onnx and test_data_set_N/{input,output}_M.pb.

#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::conformance {

enum class Outcome { kPassed, kFailed, kNotTensors };

struct CaseResult {
  std::string name;  // "node/test_abs"
  Outcome outcome = Outcome::kFailed;
  std::string reason;  // why it failed
};

// Folders with a model.onnx below `suite_folder`, sorted.
Status ListCases(const std::string& suite_folder, std::vector<std::string>* folders);

// Converts the model, loads the file that comes out, runs every data set and compares. A case whose inputs or
// outputs are sequences, optionals or strings is kNotTensors.
CaseResult RunCase(const std::string& folder);

}  // namespace micrort::conformance
