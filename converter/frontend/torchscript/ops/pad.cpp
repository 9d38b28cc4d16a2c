// Padding.

#include "converter/frontend/torchscript/registry.h"
#include "converter/ir/constant_values.h"

namespace micrort::frontend::torchscript {

namespace {

// PyTorch's list begins with the last dimension: begin, end, begin, end. ONNX's has all begins, then all
// ends; what the list leaves out gets the 0 behind it.
std::vector<int64_t> PlacesInList(size_t rank, size_t count) {
  std::vector<int64_t> places(2 * rank, static_cast<int64_t>(count));
  for (size_t i = 0; i < count / 2; ++i) {
    places[rank - 1 - i] = static_cast<int64_t>(2 * i);
    places[2 * rank - 1 - i] = static_cast<int64_t>(2 * i + 1);
  }
  return places;
}

void Pad(OpContext& c, const char* mode, ir::ValueId value) {
  const ir::ValueId x = c.TensorAt(0), given = c.IntegerTensor(c.arg(1));
  const auto rank = static_cast<size_t>(c.rank(x));
  const auto count = static_cast<size_t>(c.dim(given, 0));
  if (count % 2 != 0 || count / 2 > rank) return c.Fail(Invalid("{} numbers for {} dimensions", count, rank));
  const std::vector<int64_t> places = PlacesInList(rank, count);
  ir::ValueId pads = ir::kNoValue;
  std::vector<int64_t> known, ordered;
  if (ir::IntegersOf(c.value(given), &known)) {
    known.push_back(0);
    for (const int64_t place : places) ordered.push_back(known[static_cast<size_t>(place)]);
    pads = c.Integers(ordered);
  } else {
    pads = c.build.Gather(c.build.Concat({given, c.Integers({0})}, 0), c.Integers(places), 0);
  }
  c.Return(c.Onnx("Pad", {x, pads, value}, {{"mode", std::string(mode)}}));
}

ir::ValueId FillValue(OpContext& c, size_t i) {
  const DType dtype = c.dtype(c.TensorAt(0));
  return c.Has(i) && c.arg(i).is_computed() ? c.CastTo(c.TensorAt(i), dtype) : c.Scalar(dtype, c.Float(i, 0));
}

// (self, pad, value)
void ImportConstantPad(OpContext& c) { Pad(c, "constant", FillValue(c, 2)); }
void ImportReflectionPad(OpContext& c) { Pad(c, "reflect", ir::kNoValue); }
void ImportReplicationPad(OpContext& c) { Pad(c, "edge", ir::kNoValue); }

// (self, pad, mode, value)
void ImportPad(OpContext& c) {
  const std::string mode = c.String(2, "constant");
  if (mode == "constant") return Pad(c, "constant", FillValue(c, 3));
  const bool circular = mode == "circular", reflect = mode == "reflect";
  if (!circular && !reflect && mode != "replicate") return c.Fail(Invalid("mode '{}'", mode));
  Pad(c, circular ? "wrap" : reflect ? "reflect" : "edge", ir::kNoValue);
}

}  // namespace

const ImporterList PadOps = {
    {"constant_pad_nd", "self pad value", ImportConstantPad},
    {"pad", "self pad mode value", ImportPad},
    {"reflection_pad1d", "self padding", ImportReflectionPad},
    {"reflection_pad2d", "self padding", ImportReflectionPad},
    {"reflection_pad3d", "self padding", ImportReflectionPad},
    {"replication_pad1d", "self padding", ImportReplicationPad},
    {"replication_pad2d", "self padding", ImportReplicationPad},
    {"replication_pad3d", "self padding", ImportReplicationPad},
};

}  // namespace micrort::frontend::torchscript
