#include "tests/operator_table/onnx_opsets.h"

#include <onnx/defs/schema.h>

#include <map>

namespace micrort {

namespace {

std::map<std::string, OpsetRange> ReadDefinitions() {
  std::map<std::string, OpsetRange> ranges;
  for (const auto& definition : ::onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    if (!definition.domain().empty()) continue;
    const int version = definition.SinceVersion();
    OpsetRange& range = ranges[definition.Name()];
    if (definition.Deprecated()) range.last = version - 1;
    if (range.first == 0 || version < range.first) range.first = version;
  }
  return ranges;
}

}  // namespace

OpsetRange OnnxOpsets(const std::string& op) {
  static const std::map<std::string, OpsetRange> ranges = ReadDefinitions();
  const auto found = ranges.find(op);
  return found == ranges.end() ? OpsetRange() : found->second;
}

}  // namespace micrort
