#include "converter/frontend/tflite/complex_parts.h"

#include <set>

#include "converter/frontend/tflite/tensor_table.h"

namespace micrort::frontend::tflite {

namespace {

ir::ValueId Joined(OpContext& c, ir::ValueId real, ir::ValueId imaginary) {
  const int last = c.value(real).rank();
  return c.build.Concat({ir::InsertDim(c.build, real, last), ir::InsertDim(c.build, imaginary, last)}, last);
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

// (a + bi)(c + di)
Status ImportProduct(OpContext& c) {
  if (c.op.Options<fb::MulOptionsT>().fused_activation_function != fb::ActivationFunctionType::None)
    return Unsupported("complex numbers with an activation");
  ir::ValueId x[2], y[2];
  for (const int part : {0, 1}) {
    c.SelectPart(part);
    x[part] = c.input(0);
    y[part] = c.input(1);
  }
  const auto product = [&](int i, int j) { return c.build.Mul(x[i], y[j]); };
  const ir::ValueId real = c.build.Sub(product(0, 0), product(1, 1));
  const ir::ValueId imaginary = c.build.Add(product(0, 1), product(1, 0));
  MICRORT_RETURN_IF_ERROR(c.build.status());
  return c.Return(Joined(c, real, imaginary));
}

}  // namespace

bool AllowsComplexNumbers(const std::string& op) {
  static const std::set<std::string> kOps = {
      "ADD",     "BROADCAST_TO", "CONCATENATION", "EXPAND_DIMS", "GATHER", "GATHER_ND", "MUL",
      "PACK",    "RANK",         "RESHAPE",       "REVERSE_V2",  "SHAPE",  "SLICE",     "SPLIT",
      "SPLIT_V", "SQUEEZE",      "STRIDED_SLICE", "SUB",         "TILE",   "TRANSPOSE", "UNPACK"};
  return kOps.count(op) != 0;
}

Status ImportComplex(const OpImporter& importer, OpContext& c) {
  return std::string(importer.op) == "MUL" ? ImportProduct(c) : ImportInParts(importer, c);
}

}  // namespace micrort::frontend::tflite
