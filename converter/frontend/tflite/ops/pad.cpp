// PAD, PADV2, MIRROR_PAD.

#include "converter/frontend/common/symmetric_pad.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

// From pairs, one a dimension, to all begins, then all ends.
Status ReadPads(OpContext& c, std::vector<int64_t>* pads) {
  std::vector<int64_t> pairs;
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &pairs));
  const auto rank = static_cast<size_t>(c.x().rank());
  if (pairs.size() != 2 * rank)
    return MICRORT_ERROR(kInvalidModel, "expected %zu pads, found %zu", 2 * rank, pairs.size());
  pads->resize(2 * rank);
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i] < 0) return MICRORT_ERROR(kInvalidModel, "padding %lld", static_cast<long long>(pairs[i]));
    (*pads)[i % 2 * rank + i / 2] = pairs[i];
  }
  return Status();
}

// The same for pads that the graph computes.
ir::ValueId ComputedPads(OpContext& c) {
  return c.build.Reshape(c.build.Transpose(c.Int64(1), {1, 0}), {ir::kInferDim});
}

Status PadWith(OpContext& c, schema::PadMode mode) {
  schema::PadOptionsT options;
  options.mode = mode;
  std::vector<ir::ValueId> inputs = {c.input(0), ir::kNoValue, ir::kNoValue};
  if (ir::ValueId pads = c.stored(1); c.value(pads).is_constant()) {
    MICRORT_RETURN_IF_ERROR(ReadPads(c, &options.pads));
  } else {
    inputs[1] = ComputedPads(c);
  }
  std::vector<float> fill;
  if (c.op.has_input(2) && ir::FloatsOf(c.x(2), &fill) && fill.size() == 1) {
    options.value = fill[0];
  } else if (c.op.has_input(2)) {
    inputs[2] = c.build.Reshape(c.input(2), {});
  }
  while (inputs.back() == ir::kNoValue) inputs.pop_back();
  return c.Return(c.build.Add(std::move(options), std::move(inputs)));
}

Status ImportPad(OpContext& c) { return PadWith(c, schema::PadMode::Constant); }

Status ImportMirrorPad(OpContext& c) {
  if (c.op.Options<fb::MirrorPadOptionsT>().mode != fb::MirrorPadMode::Symmetric)
    return PadWith(c, schema::PadMode::Reflect);
  ir::ValueId y = ir::kNoValue;
  std::vector<int64_t> pairs;
  if (!c.value(c.stored(1)).is_constant()) {
    MICRORT_RETURN_IF_ERROR(PadSymmetrically(c.build, c.input(0), c.Int64(1), &y));
  } else {
    MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &pairs));
    MICRORT_RETURN_IF_ERROR(PadSymmetrically(c.build, c.input(0), pairs, &y));
  }
  return c.Return(y);
}

}  // namespace

Span<const OpImporter> PadImporters() {
  static constexpr OpImporter kImporters[] = {
      {"MIRROR_PAD", 2, 2, ImportMirrorPad, Types(kAllTypes)},
      {"PAD", 2, 2, ImportPad, Types(kAllTypes)},
      {"PADV2", 3, 3, ImportPad, Types(kAllTypes)},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tflite
