#include "converter/frontend/tflite/complex_parts.h"

#include <set>

#include "converter/frontend/tflite/ops/dims.h"
#include "converter/frontend/tflite/tensor_table.h"

namespace micrort::frontend::tflite {

namespace {

ir::ValueId Joined(OpContext& c, ir::ValueId real, ir::ValueId imaginary) {
  const int last = c.value(real).rank();
  return c.build.Concat({InsertDim(c, real, last), InsertDim(c, imaginary, last)}, last);
}

}  // namespace

bool MovesComplexNumbers(const std::string& op) {
  static const std::set<std::string> kOps = {
      "BROADCAST_TO", "CONCATENATION", "EXPAND_DIMS",   "GATHER", "GATHER_ND", "PACK",
      "RANK",         "RESHAPE",       "REVERSE_V2",    "SHAPE",  "SLICE",     "SPLIT",
      "SPLIT_V",      "SQUEEZE",       "STRIDED_SLICE", "TILE",   "TRANSPOSE", "UNPACK"};
  return kOps.count(op) != 0;
}

Status ImportInParts(const OpImporter& importer, OpContext& c) {
  std::vector<OpContext::Output> parts[2];
  for (const int part : {0, 1}) {
    c.SelectPart(part);
    MICRORT_RETURN_IF_ERROR(importer.import(c));
    MICRORT_RETURN_IF_ERROR(c.build.status());
    parts[part] = c.outputs();
  }
  for (size_t i = 0; i < parts[0].size(); ++i) {
    if (!c.op.wants_output(i) || !IsComplex(c.op.output_tensor(i)) || parts[0][i].id == ir::kNoValue)
      continue;
    c.SetOutput(i, Joined(c, parts[0][i].id, parts[1][i].id));
  }
  return c.build.status();
}

}  // namespace micrort::frontend::tflite
