// Padding.

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// PyTorch's list begins with the last dimension: begin, end, begin, end. ONNX's has all begins, then all
// ends.
void Pad(OpContext& c, const char* mode, ir::ValueId value) {
  const ir::ValueId x = c.TensorAt(0);
  const std::vector<int64_t> given = c.Ints(1);
  const auto rank = static_cast<size_t>(c.rank(x));
  if (given.size() % 2 != 0 || given.size() / 2 > rank) {
    return c.Fail(MICRORT_ERROR(kInvalidModel, "%zu numbers for %zu dimensions", given.size(), rank));
  }
  std::vector<int64_t> pads(2 * rank, 0);
  for (size_t i = 0; i < given.size() / 2; ++i) {
    pads[rank - 1 - i] = given[2 * i];
    pads[2 * rank - 1 - i] = given[2 * i + 1];
  }
  c.Return(c.Onnx("Pad", {x, c.Integers(pads), value}, {{"mode", std::string(mode)}}));
}

ir::ValueId FillValue(OpContext& c, size_t i) { return c.Scalar(c.dtype(c.TensorAt(0)), c.Float(i, 0)); }

// (self, pad, value)
void ImportConstantPad(OpContext& c) { Pad(c, "constant", FillValue(c, 2)); }
void ImportReflectionPad(OpContext& c) { Pad(c, "reflect", ir::kNoValue); }
void ImportReplicationPad(OpContext& c) { Pad(c, "edge", ir::kNoValue); }

// (self, pad, mode, value)
void ImportPad(OpContext& c) {
  const std::string mode = c.String(2, "constant");
  if (mode == "constant") return Pad(c, "constant", FillValue(c, 3));
  const bool circular = mode == "circular", reflect = mode == "reflect";
  if (!circular && !reflect && mode != "replicate") {
    return c.Fail(MICRORT_ERROR(kInvalidModel, "mode '%s'", mode.c_str()));
  }
  Pad(c, circular ? "wrap" : reflect ? "reflect" : "edge", ir::kNoValue);
}

}  // namespace

Span<const OpImporter> PadOps() {
  static constexpr OpImporter kOps[] = {
      {"constant_pad_nd", "self pad value", ImportConstantPad},
      {"pad", "self pad mode value", ImportPad},
      {"reflection_pad1d", "self padding", ImportReflectionPad},
      {"reflection_pad2d", "self padding", ImportReflectionPad},
      {"reflection_pad3d", "self padding", ImportReflectionPad},
      {"replication_pad1d", "self padding", ImportReplicationPad},
      {"replication_pad2d", "self padding", ImportReplicationPad},
      {"replication_pad3d", "self padding", ImportReplicationPad},
  };
  return kOps;
}

}  // namespace micrort::frontend::torchscript
