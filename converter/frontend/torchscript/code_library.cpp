#include "converter/frontend/torchscript/code_library.h"

#include <algorithm>

#include "converter/frontend/torchscript/parser.h"

namespace micrort::frontend::torchscript {

namespace {

// The limit for all files that are needed; a tree takes some hundred bytes for one of code.
constexpr size_t kMaxCodeBytes = size_t{16} << 20;

}  // namespace

Status CodeLibrary::FindFile(const std::string& name, const SourceFile** out, std::string* last) {
  *out = nullptr;
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return Status();
  *last = name.substr(dot + 1);
  std::string file = "code/" + name.substr(0, dot);
  std::replace(file.begin() + 5, file.end(), '.', '/');
  file += ".py";
  const auto known = files_.find(file);
  if (known != files_.end()) {
    *out = &known->second;
    return Status();
  }
  if (!archive_.Has(file)) return Status();
  std::string source;
  MICRORT_RETURN_IF_ERROR(archive_.Read(file, kMaxCodeBytes - bytes_, &source));
  bytes_ += source.size();
  SourceFile& parsed = files_[file];
  MICRORT_RETURN_IF_ERROR(ParseSource(file, source, &parsed));
  *out = &parsed;
  return Status();
}

Result<const Function*> CodeLibrary::FindFunction(const std::string& name) {
  const SourceFile* file = nullptr;
  std::string last;
  const auto [known, is_new] = functions_.emplace(name, nullptr);
  if (is_new) MICRORT_RETURN_IF_ERROR(FindFile(name, &file, &last));
  for (size_t i = 0; file != nullptr && i < file->functions.size(); ++i) {
    if (file->functions[i].name == last) known->second = &file->functions[i];
  }
  return known->second;
}

Result<const Class*> CodeLibrary::FindClass(const std::string& name) {
  const SourceFile* file = nullptr;
  std::string last;
  const auto [known, is_new] = classes_.emplace(name, nullptr);
  if (is_new) MICRORT_RETURN_IF_ERROR(FindFile(name, &file, &last));
  for (size_t i = 0; file != nullptr && i < file->classes.size(); ++i) {
    if (file->classes[i].name == last) known->second = &file->classes[i];
  }
  return known->second;
}

}  // namespace micrort::frontend::torchscript
