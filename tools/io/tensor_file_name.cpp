#include "tools/io/tensor_file_name.h"

#include <algorithm>
#include <cstdlib>

namespace micrort::io {
namespace {

constexpr size_t kMaxCharacters = 100;

bool IsSafe(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-';
}

}  // namespace

std::string TakenNames::Take(const std::string& name) {
  std::string candidate = name;
  for (int& n = numbers_[name]; !names_.insert(candidate).second; ++n)
    candidate = name + "_" + std::to_string(n + 2);
  return candidate;
}

std::vector<std::string> FileSafeNames(const std::vector<std::string>& names) {
  std::vector<std::string> safe;
  TakenNames taken;
  for (const std::string& name : names) {
    std::string base = name.empty() ? "_" : name.substr(0, kMaxCharacters);
    std::replace_if(
        base.begin(), base.end(), [](char c) { return !IsSafe(c); }, '_');
    safe.push_back(taken.Take(base));
  }
  return safe;
}

int FindTensor(const std::vector<std::string>& names, const std::string& text) {
  const auto position = [&](const std::vector<std::string>& list) {
    const auto at = std::find(list.begin(), list.end(), text);
    return at == list.end() ? -1 : static_cast<int>(at - list.begin());
  };
  if (const int exact = position(names); exact >= 0) return exact;
  if (const int safe = position(FileSafeNames(names)); safe >= 0) return safe;
  if (text.size() < 2 || text[0] != '#') return -1;
  char* end = nullptr;
  const unsigned long index = std::strtoul(text.c_str() + 1, &end, 10);
  return *end == '\0' && index < names.size() ? static_cast<int>(index) : -1;
}

}  // namespace micrort::io
