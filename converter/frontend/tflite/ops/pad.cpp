// PAD, PADV2, MIRROR_PAD.

#include "converter/frontend/common/symmetric_pad.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/lower/arrays.h"

namespace micrort::frontend::tflite {

namespace {

Status PadWith(OpContext& c, schema::PadMode mode) {
  lower::Padding padding;
  padding.mode = mode;
  if (c.value(c.stored(1)).is_constant()) {
    MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> pairs, c.ConstantIntegers(1));
    for (const int64_t pad : pairs) {
      if (pad < 0) return Invalid("padding {}", pad);
    }
    MICRORT_RETURN_IF_ERROR(lower::SetPairs(c.x(), pairs, &padding));
  } else {
    lower::SetComputedPairs(c.build, c.Int64(1), &padding);
  }
  if (c.op.has_input(2)) padding.fill = c.build.Reshape(c.input(2), {});
  return c.Return(lower::AddPad(c.build, c.input(0), std::move(padding)));
}

Status ImportPad(OpContext& c) { return PadWith(c, schema::PadMode::Constant); }

Status ImportMirrorPad(OpContext& c) {
  if (c.op.Options<fb::MirrorPadOptionsT>().mode != fb::MirrorPadMode::Symmetric)
    return PadWith(c, schema::PadMode::Reflect);
  if (!c.value(c.stored(1)).is_constant()) return c.Return(PadSymmetrically(c.build, c.input(0), c.Int64(1)));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<int64_t> pairs, c.ConstantIntegers(1));
  return c.Return(PadSymmetrically(c.build, c.input(0), pairs));
}

}  // namespace

const ImporterList PadImporters = {
    {"MIRROR_PAD", 2, 2, ImportMirrorPad, Types(kAllTypes)},
    {"PAD", 2, 2, ImportPad, Types(kAllTypes)},
    {"PADV2", 3, 3, ImportPad, Types(kAllTypes)},
};

}  // namespace micrort::frontend::tflite
