#include "serve/service/service.h"

namespace micrort::serve {

bool HasKey(const Service& service, const std::string& given) {
  if (service.api_key.empty()) return true;
  const std::string expected = "Bearer " + service.api_key;
  unsigned difference = given.size() == expected.size() ? 0 : 1;
  for (size_t i = 0; i < expected.size(); ++i) {
    const char c = given.empty() ? '\0' : given[i % given.size()];
    difference |= static_cast<unsigned char>(c ^ expected[i]);
  }
  return difference == 0;
}

const std::vector<std::string>& ProtocolExtensions() {
  static const std::vector<std::string> extensions = {
      "binary_tensor_data", "model_configuration", "model_repository", "parameters", "schedule_policy",
      "sequence",           "statistics"};
  return extensions;
}

}  // namespace micrort::serve
