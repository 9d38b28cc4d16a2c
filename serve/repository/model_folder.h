#pragma once
// The files of a model repository: NAME/VERSION/model.fb and NAME/config.pbtxt.

#include <cstdint>
#include <string>
#include <vector>

#include "serve/repository/model_config.h"

namespace micrort::serve {

// A name consists of letters, digits, '_', '-' and '.', the first no '.': never a path out of the repository.
bool IsModelName(const std::string& name);

// Folders of `repository` that may be models, sorted, and those whose names no model can have.
Error ListModels(const std::string& repository, std::vector<std::string>* names,
                 std::vector<std::string>* passed_over);

struct VersionFile {
  int64_t version = 0;
  std::string path;
  std::string tokenizer;  // path; "": there is none
};

struct ModelFolder {
  ModelConfig config;
  std::vector<VersionFile> versions;  // that the policy chooses, ascending
  std::string fingerprint;            // another one when a file has changed
};

// Names of model files that a server may convert.
constexpr const char* kConvertibleFiles[] = {"model.onnx", "model.tflite", "model.pb", "model.pt"};

// `sources`: names of model files that the server can convert ("model.onnx"), beside the configured one.
Error ReadModelFolder(const std::string& repository, const std::string& name,
                      const std::vector<std::string>& sources, ModelFolder* folder);

}  // namespace micrort::serve
