#include "serve/service/service.h"

#include <strings.h>

namespace micrort::serve {

namespace {

// The name of the scheme may be written in any case.
std::string KeyOf(const std::string& given) {
  const std::string scheme = "bearer ";
  return strncasecmp(given.c_str(), scheme.c_str(), scheme.size()) == 0 ? given.substr(scheme.size()) : "";
}

Error Check(const std::string& expected, const std::string& given) {
  const std::string key = KeyOf(given);
  unsigned difference = key.size() == expected.size() ? 0 : 1;
  for (size_t i = 0; i < expected.size(); ++i) {
    const char c = key.empty() ? '\0' : key[i % key.size()];
    difference |= static_cast<unsigned char>(c ^ expected[i]);
  }
  if (difference == 0) return {};
  return {ErrorKind::kUnauthorized, "expected 'Authorization: Bearer KEY'"};
}

}  // namespace

std::vector<IndexEntry> FailedModels(const Repository& repository) {
  std::vector<IndexEntry> failed;
  for (IndexEntry& entry : repository.Index(false)) {
    if (entry.state != "READY") failed.push_back(std::move(entry));
  }
  return failed;
}

bool IsReady(const Service& service, const std::vector<IndexEntry>& failed) {
  return service.is_loaded && !service.is_draining && (service.is_ready_without_all || failed.empty());
}

Error CheckKey(const Service& service, const std::string& given) {
  return service.api_key.empty() ? Error() : Check(service.api_key, given);
}

Error CheckRepositoryKey(const Service& service, const std::string& given) {
  if (!service.has_repository_calls)
    return {ErrorKind::kForbidden, "this server takes no calls of the repository (--repository-api off)"};
  return service.repository_key.empty() ? CheckKey(service, given) : Check(service.repository_key, given);
}

const std::vector<std::string>& ProtocolExtensions() {
  static const std::vector<std::string> extensions = {
      "binary_tensor_data", "model_configuration", "model_repository", "parameters", "schedule_policy",
      "sequence",           "statistics"};
  return extensions;
}

}  // namespace micrort::serve
