#pragma once
// The code of an archive, parsed where it is needed.

#include <map>
#include <string>

#include "converter/frontend/torchscript/ast.h"
#include "converter/frontend/torchscript/zip_archive.h"

namespace micrort::frontend::torchscript {

class CodeLibrary {
 public:
  explicit CodeLibrary(const ZipArchive& archive) : archive_(archive) {}

  // By full names ("__torch__.torch.nn.functional.relu"); null where there is none.
  Result<const Function*> FindFunction(const std::string& name);
  Result<const Class*> FindClass(const std::string& name);

 private:
  Status FindFile(const std::string& name, const SourceFile** out, std::string* last);

  const ZipArchive& archive_;
  std::map<std::string, SourceFile> files_;
  // What was found before, and what is not there.
  std::map<std::string, const Function*> functions_;
  std::map<std::string, const Class*> classes_;
  size_t bytes_ = 0;
};

}  // namespace micrort::frontend::torchscript
