// Padding.

#include "converter/frontend/common/symmetric_pad.h"
#include "converter/frontend/tensorflow/registry.h"
#include "converter/lower/arrays.h"

namespace micrort::frontend::tensorflow {

namespace {

Status PadWith(OpContext& c, schema::PadMode mode) {
  lower::Padding padding;
  padding.mode = mode;
  std::vector<int64_t> pairs;
  if (ir::IntegersOf(c.x(1), &pairs)) {
    MICRORT_RETURN_IF_ERROR(lower::SetPairs(c.x(), pairs, &padding));
  } else {
    MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 2));
    lower::SetComputedPairs(c.build, c.AsInt64(c.input(1)), &padding);
  }
  if (c.input_count() > 2) padding.fill = c.input(2);
  return c.Return(lower::AddPad(c.build, c.input(0), std::move(padding)));
}

Status ImportPad(OpContext& c) { return PadWith(c, schema::PadMode::Constant); }

Status PadWithBorder(OpContext& c) {
  std::vector<int64_t> pads;
  ir::ValueId y = ir::kNoValue;
  if (ir::IntegersOf(c.x(1), &pads)) {
    MICRORT_RETURN_IF_ERROR(PadSymmetrically(c.build, c.input(0), pads, &y));
  } else {
    MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 2));
    MICRORT_RETURN_IF_ERROR(PadSymmetrically(c.build, c.input(0), c.AsInt64(c.input(1)), &y));
  }
  return c.Return(y);
}

// SYMMETRIC repeats the border element, REFLECT does not.
Status ImportMirrorPad(OpContext& c) {
  const std::string mode = c.String("mode", "");
  if (mode == "SYMMETRIC") return PadWithBorder(c);
  if (mode != "REFLECT") return MICRORT_ERROR(kUnsupported, "mode %.20s", mode.c_str());
  return PadWith(c, schema::PadMode::Reflect);
}

}  // namespace

const ImporterList PadOps = {
    {"MirrorPad", 2, 2, ImportMirrorPad},
    {"Pad", 2, 2, ImportPad},
    {"PadV2", 3, 3, ImportPad},
};

}  // namespace micrort::frontend::tensorflow
