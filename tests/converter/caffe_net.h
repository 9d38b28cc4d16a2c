#pragma once
// Caffe networks of tests, as text with their weights inside, imported and run.

#include <map>
#include <string>
#include <vector>

#include "converter/frontend/frontend.h"
#include "tests/converter/graph_testing.h"

namespace micrort::testing {

// Elements that look random and are the same at every call: multiples of 1/16 in [-1, 1].
Floats CaffeValues(size_t count, uint32_t seed = 1);
// "blobs { shape { dim: 2 } data: 1 data: 0.5 }"
std::string BlobText(const std::vector<int64_t>& shape, const Floats& values);
// "input: \"x\" input_shape { dim: 1 ... }"
std::string InputText(const std::string& name, const std::vector<int64_t>& shape);
// A layer that reads the bottoms and writes `y`; `rest`: its parameters and blobs.
std::string LayerText(const std::string& type, const std::vector<std::string>& bottoms,
                      const std::string& rest);

struct ImportedNet {
  Status status;
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;

  ir::Graph& graph() { return module.entry(); }
  std::string message() const { return status.message(); }
  // "y 1x2x3" an output.
  std::string outputs();
};
ImportedNet ImportNet(const std::string& bytes, const frontend::ImportOptions& options = {});

// The outputs by name. Fails the test, and gives none, where the network cannot be imported or run.
std::map<std::string, Floats> RunNet(const std::string& text, const std::map<std::string, Floats>& inputs);
// Of one layer with an input `x` and an output `y`.
Floats RunLayer(const std::string& type, const std::vector<int64_t>& shape, const Floats& x,
                const std::string& rest = "");

void ExpectAllNear(const Floats& expected, const Floats& found, float tolerance = 1e-5f);

}  // namespace micrort::testing
