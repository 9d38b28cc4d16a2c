#include "converter/pipeline/pass_dump.h"

#include <cstdio>
#include <filesystem>

#include "converter/ir/print.h"
#include "tools/io/file.h"

namespace micrort::passes {

Status PassDump::Open(const std::string& folder) {
  MICRORT_RETURN_IF_ERROR(io::MakeDirectories(folder));
  std::error_code error;
  if (!std::filesystem::is_empty(std::filesystem::u8path(folder), error) || error) {
    return MICRORT_ERROR(kIo, "%s: expected an empty or a new folder", folder.c_str());
  }
  folder_ = folder;
  return Status();
}

void PassDump::Write(const char* stage, const ir::Graph& graph) {
  if (folder_.empty() || !status_.ok()) return;
  std::string text = ir::Print(graph);
  for (const auto& body : ir::BodiesIn(graph)) {
    text += "\nsubgraph " + body->name + "\n" + ir::Print(*body);
  }
  char number[16];
  std::snprintf(number, sizeof number, "/%03d-", count_++);
  status_ = io::WriteFileAtomically(folder_ + number + stage + ".txt", text);
}

}  // namespace micrort::passes
