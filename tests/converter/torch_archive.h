#pragma once
// Archives as torch.jit.save writes them, made in memory: code as text, attributes of the root module.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "converter/frontend/frontend.h"
#include "tests/converter/graph_testing.h"

namespace micrort::testing {

// Parts of pickles.
std::string PickledText(const std::string& text);
std::string PickledInt(int32_t v);
std::string PickledGlobal(const std::string& module, const std::string& name);
// A tensor of floats in storage `key`.
std::string PickledTensor(const std::string& key, const std::vector<int64_t>& shape,
                          const std::vector<int64_t>& strides, int64_t offset, int64_t numel);

class TorchArchive {
 public:
  // methods: of class Net(Module), indented by two spaces.
  explicit TorchArchive(const std::string& methods);

  TorchArchive& Tensor(const std::string& name, const std::vector<int64_t>& shape, const Floats& elements);
  // An attribute whose value is this pickle.
  TorchArchive& Attribute(const std::string& name, const std::string& pickled);
  // Another entry of the archive, or another content.
  TorchArchive& Entry(const std::string& name, const std::string& content);

  std::string Bytes() const;

 private:
  std::map<std::string, std::string> entries_;
  std::string attributes_;
  int storages_ = 0;
};

// Entries by name, stored.
std::string ZipOf(const std::map<std::string, std::string>& entries);

// An archive does not hold the shapes of its inputs. Seeds of the fuzzer have them behind it.
using InputShapes = std::vector<std::pair<std::string, std::vector<int64_t>>>;
std::string WithInputShapes(const std::string& archive, const InputShapes& shapes);
// Leaves the archive; gives none where none follow.
InputShapes TakeInputShapes(std::string* bytes);

struct ImportedTorch {
  Status status;
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;
};
ImportedTorch ImportTorch(const std::string& bytes, const frontend::ImportOptions& options);

// Outputs by name. Fails the test, and gives none, where the model cannot be imported or run.
std::map<std::string, Floats> RunTorch(const std::string& bytes, const InputShapes& shapes,
                                       const std::map<std::string, Floats>& inputs);

}  // namespace micrort::testing
