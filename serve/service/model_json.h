#pragma once
// Descriptions of models for REST.

#include <string>
#include <vector>

#include "serve/repository/repository.h"

namespace micrort::serve {

// Open Inference Protocol and Triton's extensions.
std::string MetadataJson(const ModelVersion& model, const std::vector<Repository::VersionPtr>& versions);
std::string ConfigJson(const ModelVersion& model);
std::string StatisticsJson(const std::vector<Repository::VersionPtr>& versions);
// "" if there is nothing to tell.
std::string ReadinessJson(bool is_ready, const std::vector<IndexEntry>& failed);
std::string IndexJson(const std::vector<IndexEntry>& index);

// TensorFlow Serving.
std::string VersionStatusJson(const std::vector<Repository::VersionPtr>& versions);
std::string SignatureJson(const ModelVersion& model);

std::string ErrorJson(const std::string& message);

}  // namespace micrort::serve
