// PAD, PADV2, MIRROR_PAD.

#include <limits>

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

Status ImportPad(OpContext& c) {
  schema::PadOptionsT options;
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

// With the border, which no mode of ours repeats: reversed slices before and behind.
Status PadSymmetrically(OpContext& c, const std::vector<int64_t>& pads, ir::ValueId* y) {
  constexpr int64_t kWhole = std::numeric_limits<int64_t>::min();
  const int rank = c.x().rank();
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t before = pads[static_cast<size_t>(axis)], after = pads[static_cast<size_t>(axis + rank)];
    const int64_t size = c.x().shape[static_cast<size_t>(axis)];
    if (before == 0 && after == 0) continue;
    if (size == ir::kDynamic) return MICRORT_ERROR(kUnsupported, "a dimension that is not fixed is mirrored");
    if (before > size || after > size)
      return MICRORT_ERROR(kInvalidModel, "padding %lld and %lld of %lld", static_cast<long long>(before),
                           static_cast<long long>(after), static_cast<long long>(size));
    const auto reversed = [&](int64_t start, int64_t end) {
      schema::SliceOptionsT options;
      options.starts = {start}, options.ends = {end}, options.axes = {axis}, options.steps = {-1};
      return c.build.Add(std::move(options), {*y});
    };
    std::vector<ir::ValueId> parts;
    if (before > 0) parts.push_back(reversed(before - 1, kWhole));
    parts.push_back(*y);
    if (after > 0) parts.push_back(reversed(size - 1, after == size ? kWhole : size - 1 - after));
    *y = c.build.Concat(parts, axis);
  }
  return c.build.status();
}

Status ImportMirrorPad(OpContext& c) {
  schema::PadOptionsT options;
  MICRORT_RETURN_IF_ERROR(ReadPads(c, &options.pads));
  ir::ValueId y = c.input(0);
  if (c.op.Options<fb::MirrorPadOptionsT>().mode == fb::MirrorPadMode::Symmetric) {
    MICRORT_RETURN_IF_ERROR(PadSymmetrically(c, options.pads, &y));
    return c.Return(y);
  }
  options.mode = schema::PadMode::Reflect;
  return c.Return(c.build.Add(std::move(options), {y}));
}

}  // namespace

Span<const OpImporter> PadImporters() {
  static constexpr OpImporter kImporters[] = {
      {"MIRROR_PAD", 2, 2, ImportMirrorPad, Types(kAllTypes).Without("pads that are not constant")},
      {"PAD", 2, 2, ImportPad, Types(kAllTypes)},
      {"PADV2", 3, 3, ImportPad, Types(kAllTypes)},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tflite
